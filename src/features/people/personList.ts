import * as vscode from 'vscode';
import { isAbort } from '@forge-desk/base/abort.ts';
import { Disposables } from '@forge-desk/base/lifecycle.ts';
import { unsentText } from '../../editor/ask/extraFields.ts';
import { liveQuickPick, showRows, type TypedRow } from '../../editor/ask/liveQuickPick.ts';
import { withoutPictures } from '../../editor/ask/notify.ts';
import { agoText } from '../../editor/ask/readBefore.ts';
import { connectionOf } from '../../editor/commands/subjects.ts';
import { openDestination, openExactly } from '../../editor/links/openDestination.ts';
import { openLink } from '../../editor/links/openLink.ts';
import { webAddress } from '../../editor/links/webOf.ts';
import { thingIcon } from '../../editor/names/thingIcon.ts';
import { countsText } from '../../editor/trees/pagingRows.ts';
import { safeLink } from '../../engine/text/linkPolicy.ts';
import { visibleLine } from '../../engine/text/visible.ts';
import { patchSubject } from 'patchmail/series/patchSubject.ts';
import { isForgeError } from 'sourcehut/port/forgeError.ts';
import { refOfList, type ListRef } from 'sourcehut/port/list.ts';
import { refText, type NamedRef } from 'sourcehut/port/namedRef.ts';
import type { ShortUser } from 'sourcehut/port/user.ts';
import type { Connection } from '../../store/connection.ts';
import type { PersonListing } from '../../store/people/person.ts';
import type { Listing, ReadPart } from '../../store/shared/listing.ts';
import type { PeopleContext } from './peopleContext.ts';
import { openOnes, sentLook, sentReplies } from './sentLook.ts';
import type { PersonSubject } from './subjects.ts';

/** Parts of the list, in its order. */
const sections = ['patchsets', 'mails', 'trackers', 'lists', 'repositories'] as const;
type PersonSection = (typeof sections)[number];

type Step = () => unknown;

interface PersonRow extends TypedRow {
	/** Names the row. */
	readonly key: string;
	/** Opens something, and closes the list. */
	readonly opens?: Step;
	/** Reads more, and leaves the list open. */
	readonly stays?: Step;
	readonly follow?: Step;
}

/** Threads whose replies are counted. */
const mostConversations = 20;
const mostBio = 200;

/** Lists what a person has on a forge, and opens what the user chooses. `first`: the section above the profile. */
export async function showPerson(
	{ connections, problems, clock }: PeopleContext,
	subject: PersonSubject,
	first: 'patchsets' | 'mails' | undefined,
	signal: AbortSignal,
): Promise<void> {
	const connection = connectionOf(connections, subject);
	const { people, lists, tickets, repositories, reviews, threadReadMarks, key: connectionKey } = connection;
	const { name } = subject;
	const isMe = (): boolean => (people.known(name)?.account ?? name).toLowerCase() === connection.me.toLowerCase();
	const open = await liveQuickPick<PersonRow, Step>(
		({ box, ended, redraw }) => {
			let reads = 0;

			async function read(work: () => Promise<unknown>, failed = problems.log): Promise<void> {
				reads += 1;
				redraw();
				try {
					await work();
				} catch (error) {
					if (!isAbort(error)) {
						failed(error);
					}
				} finally {
					reads -= 1;
					redraw();
				}
			}

			async function readSent(deeper: boolean): Promise<void> {
				await people.readSent(name, { deeper }, ended);
				// Sequential: these are many requests and none is urgent.
				for (const { ref } of isMe() ? openOnes(people.sent(name)).slice(0, mostConversations) : []) {
					await Promise.resolve(reviews.known(ref) ?? reviews.read(ref, ended)).catch(problems.log);
					ended.throwIfAborted();
					redraw();
				}
			}

			const told = (error: unknown): void => void problems.show(error);

			function readAll(): void {
				void read(() => people.read(name, ended));
				void read(() => readSent(false));
				// For the "Subscribed" marks; the Lists view shows a failure.
				void read(() => lists.subscriptions.first(ended));
			}

			function more(section: PersonSection): Step {
				return () => read(() => (section === 'patchsets' ? readSent(true) : people.more(name, section, ended)), told);
			}

			function row(
				label: string,
				icon: string,
				facts: readonly string[],
				rest: Partial<PersonRow> & { readonly key: string },
			): PersonRow {
				return {
					label: withoutPictures(label),
					description: withoutPictures(facts.filter((fact) => fact !== '').join(' · ')),
					iconPath: new vscode.ThemeIcon(icon),
					forText: box.value,
					...(rest.follow && {
						buttons: [{ iconPath: new vscode.ThemeIcon('add'), tooltip: vscode.l10n.t('Follow') }],
					}),
					...rest,
				};
			}

			const troubleRow = (key: string, error: unknown): PersonRow =>
				row(problems.explain(error).message, 'warning', [vscode.l10n.t('Try Again')], { key, stays: readAll });

			const runs = (command: string, thing: unknown): Step => {
				return () => vscode.commands.executeCommand(command, thing);
			};

			const address = webAddress(connection.instance, { kind: 'person', name });

			function linkRow(icon: string, written = '', scheme: string): readonly PersonRow[] {
				// The links of a profile must be absolute; a relative link would point to our forge.
				const to = `${scheme}${written.trim()}`;
				const href = safeLink(to, to)?.href;
				const opens = (): unknown => href && openLink(connections, { connectionKey, href, base: address }, signal);
				return written === '' ? [] : [row(visibleLine(written), icon, [], { key: icon, ...(href && { opens }) })];
			}

			function wayRows(about: readonly string[]): readonly PersonRow[] {
				const shown = people.known(name)?.account ?? name;
				const detail = withoutPictures(about.filter((text) => text !== '').join(' · '));
				const facts = [visibleLine(shown), isMe() ? vscode.l10n.t('you') : ''];
				return [
					row(vscode.l10n.t('Open on the Web'), 'link-external', facts, {
						key: 'web',
						opens: () => openExactly(address),
						...(detail !== '' && { detail }),
					}),
					row(vscode.l10n.t('Copy Name'), 'copy', [visibleLine(shown)], {
						key: 'copy',
						opens: () => vscode.env.clipboard.writeText(shown),
					}),
				];
			}

			function profileRows(): readonly PersonRow[] {
				const profile = people.known(name)?.profile ?? { kind: 'reading' };
				if (profile.kind === 'failed' && !(isForgeError(profile.error) && profile.error.problem.kind === 'notFound')) {
					return [troubleRow('profile', profile.error), ...wayRows([])];
				}
				const user = profile.kind === 'known' ? profile.value : undefined;
				if (profile.kind !== 'reading' && !user) {
					const text = name.startsWith('~')
						? vscode.l10n.t('{0} has no account named {1}.', connection.instance.name, visibleLine(name))
						: vscode.l10n.t('No account on {0} has this email address.', connection.instance.name);
					return [row(text, 'info', [], { key: 'none' })];
				}
				const { location = '', bio = '', email, url } = user ?? {};
				const begin = visibleLine(bio.slice(0, mostBio).trim().replaceAll(/\s+/gu, ' '));
				return [
					...wayRows([visibleLine(location), begin, user ? unsentText([user]) : '']),
					...linkRow('mail', email, 'mailto:'),
					...linkRow('globe', url, ''),
				];
			}

			function patchsetRows(): readonly PersonRow[] {
				const { items, lists: places, failure } = people.sent(name);
				const sent = items
					.map((each) => ({ ...each, look: sentLook(each.patchset.status) }))
					.toSorted((a, b) => a.look.order - b.look.order);
				const failed = places.flatMap(({ list, part }) =>
					part.kind === 'failed'
						? [
								row(
									vscode.l10n.t(
										'{0} could not be searched: {1}',
										visibleLine(refText(list)),
										problems.explain(part.error).message,
									),
									'warning',
									[vscode.l10n.t('Try Again')],
									{ key: `list ${refText(list)}`, stays: readAll },
								),
							]
						: [],
				);
				const isMore = places.some(({ part }) => part.kind === 'known' && part.value.kind === 'more');
				return [
					...(failure ? [troubleRow('known lists', failure.error)] : []),
					...failed,
					...sent.map(({ ref, patchset, look }) =>
						row(
							visibleLine(patchset.subject) || vscode.l10n.t('Patchset without subject'),
							thingIcon({ kind: 'patchset' }),
							[
								look.text,
								`v${patchset.version}`,
								visibleLine(refText(patchset.list ? refOfList(patchset.list) : ref.list)),
								...sentReplies(connection, ref, people.known(name)?.account),
								agoText(patchset.createdMs, clock.nowMs(), 'short'),
							],
							{
								key: `patchset ${refText(ref.list)} ${ref.id}`,
								opens: runs('forge.patchsets.open', { kind: 'patchset', connectionKey, ref }),
							},
						),
					),
					...(isMore
						? [
								row(vscode.l10n.t('Search Older Patchsets'), 'ellipsis', [], {
									key: 'more patchsets',
									stays: more('patchsets'),
								}),
							]
						: []),
				];
			}

			function namedRow(section: keyof typeof namedListings, item: Named): PersonRow {
				const ref = { owner: item.owner?.canonicalName ?? people.known(name)?.account ?? name, name: item.name };
				const { kind, command, followed, follow } = namedListings[section];
				const same = refText(ref).toLowerCase();
				const isSubscribed = section === 'lists' && lists.collection.subscription(ref) !== undefined;
				const isFollowed = followed(connection).some((each) => refText(each).toLowerCase() === same);
				// Descriptions are Markdown; a row shows how they begin, as written.
				const line = visibleLine((item.description ?? '').slice(0, 120).split('\n')[0] ?? '');
				const isOffered = ref.owner !== connection.me && !isSubscribed && !isFollowed;
				return row(
					visibleLine(item.name),
					thingIcon({ kind }),
					[isSubscribed ? vscode.l10n.t('Subscribed') : isFollowed ? vscode.l10n.t('Followed') : '', line],
					{
						key: `${kind} ${refText(ref)}`,
						opens: runs(command, { kind, connectionKey, ref }),
						...(isOffered && { follow: () => read(() => follow(connection, ref, ended), told) }),
					},
				);
			}

			function listingRows(section: PersonListing): readonly PersonRow[] {
				const person = people.known(name);
				const part = person?.[section];
				// Somebody may be unknown to one area of a forge and known to another (docs/protocol.md#known-by-use).
				if (part?.kind === 'failed' && person?.profile.kind !== 'failed') {
					return [troubleRow(section, part.error)];
				}
				if (person === undefined || part?.kind !== 'known') {
					return [];
				}
				const { items, completeness } = part.value;
				const rows =
					section === 'mails'
						? itemsOf(person.mails).map(({ id, messageId, list, subject: title, createdMs }) =>
								row(
									visibleLine(title) || vscode.l10n.t('Message without subject'),
									patchSubject(title)?.isReply === false ? thingIcon({ kind: 'patchset' }) : 'mail',
									[list ? visibleLine(refText(refOfList(list))) : '', agoText(createdMs, clock.nowMs(), 'short')],
									{
										key: `mail ${id}`,
										// By the contract a mail may lack its list; the forge finds it by Message-ID.
										opens: list
											? runs('forge.lists.openThread', {
													kind: 'mail',
													connectionKey,
													list: refOfList(list),
													id,
													messageId,
												})
											: () => openDestination(connection, { kind: 'mail', messageId, list: undefined }, signal),
									},
								),
							)
						: itemsOf<Named>(person[section]).map((item) => namedRow(section, item));
				const counts = countsText(items.length, completeness);
				return completeness.kind === 'more'
					? [
							...rows,
							row(vscode.l10n.t('Show More'), 'ellipsis', [counts], { key: `more ${section}`, stays: more(section) }),
						]
					: rows;
			}

			box.title = visibleLine(name);
			box.placeholder = vscode.l10n.t('Choose what to open');
			const watching = new Disposables();
			for (const { onDidChange } of [people, lists, tickets, repositories, reviews, threadReadMarks]) {
				watching.add(onDidChange(redraw));
			}
			watching.add(box.onDidTriggerItemButton(({ item }) => void item.follow?.()));
			ended.addEventListener('abort', () => watching.dispose(), { once: true });
			const others = sections.filter((each) => each !== first);
			const order = [...(first ? [first] : []), 'profile' as const, ...others];
			readAll();
			return {
				draw: async () => {
					box.busy = reads > 0;
					const rows = order.flatMap((section): readonly PersonRow[] => {
						if (section === 'profile') {
							return profileRows();
						}
						const found = section === 'patchsets' ? patchsetRows() : listingRows(section);
						const isEmpty = section === first && found.length === 0 && reads === 0;
						const shown = isEmpty ? [row(noneTexts[first](), 'info', [], { key: 'empty' })] : found;
						const { Separator } = vscode.QuickPickItemKind;
						const heading = { label: sectionTitles[section](), kind: Separator, forText: box.value, key: section };
						return shown.length === 0 ? [] : [heading, ...shown];
					});
					showRows(box, rows, (one, other) => one.key === other.key);
				},
				take(chosen) {
					chosen.stays?.();
					return chosen.opens;
				},
			};
		},
		problems,
		signal,
	);
	await open();
}

function itemsOf<T>(part: ReadPart<Listing<T>>): readonly T[] {
	return part.kind === 'known' ? part.value.items : [];
}

/** A thing of a listing. By the contract a repository has only its name. */
interface Named {
	readonly owner: ShortUser | undefined;
	readonly name: string;
	readonly description: string | undefined;
}

/** Kind of the things of a listing, the command that opens one, and how the account follows one. */
const namedListings = {
	trackers: {
		kind: 'tracker',
		command: 'forge.tickets.open',
		followed: ({ tickets }: Connection): readonly NamedRef[] => tickets.trackers.followed.all(),
		follow: ({ tickets }: Connection, ref: NamedRef, signal: AbortSignal) => tickets.follow(ref, signal),
	},
	lists: {
		kind: 'list',
		command: 'forge.lists.openThread',
		followed: ({ lists }: Connection): readonly ListRef[] => lists.followed.all(),
		follow: ({ lists }: Connection, ref: NamedRef, signal: AbortSignal) => lists.follow(ref, signal),
	},
	repositories: {
		kind: 'repository',
		command: 'forge.repositories.open',
		followed: ({ repositories }: Connection): readonly NamedRef[] => repositories.followed.all(),
		follow: ({ repositories }: Connection, ref: NamedRef, signal: AbortSignal) => repositories.follow(ref, signal),
	},
} as const;

const sectionTitles: Readonly<Record<PersonSection, () => string>> = {
	patchsets: () => vscode.l10n.t('Patchsets'),
	mails: () => vscode.l10n.t('Messages'),
	trackers: () => vscode.l10n.t('Trackers'),
	lists: () => vscode.l10n.t('Mailing lists'),
	repositories: () => vscode.l10n.t('Repositories'),
};

const noneTexts = {
	patchsets: () => vscode.l10n.t('No patchsets on the lists that are known here.'),
	mails: () => vscode.l10n.t('No messages on lists that you have access to.'),
};
