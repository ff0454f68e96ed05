import * as vscode from 'vscode';
import { isAbort } from '@forge-desk/base/abort.ts';
import { Disposables } from '@forge-desk/base/lifecycle.ts';
import { askConnection } from '../../editor/ask/askConnection.ts';
import { nextAccepted } from '../../editor/ask/liveQuickPick.ts';
import { notify, withoutPictures } from '../../editor/ask/notify.ts';
import type { Problems } from '../../editor/ask/problems.ts';
import { withProgress } from '../../editor/ask/progress.ts';
import type { CommandTable } from '../../editor/commands/feature.ts';
import { connectionOf, bareSubject, isRecord } from '../../editor/commands/subjects.ts';
import { destinationText } from '../../editor/links/destinationText.ts';
import type { GoToName, GoToThing } from '../../editor/links/goToThing.ts';
import type { LinkSource } from '../../editor/links/linkCommands.ts';
import type { ListRef, PatchsetRef } from 'sourcehut/port/list.ts';
import type { OwnerName } from 'sourcehut/port/user.ts';
import { onlySender } from 'patchmail/mail/onlySender.ts';
import { type KnownThings, thingSource } from '../../engine/search/rankThings.ts';
import { type Connection, oncePerForge, type Connections } from '../../store/connection.ts';
import { knownLists } from '../../store/lists/knownLists.ts';
import { visibleLine } from '../../engine/text/visible.ts';
import type { PeopleContext } from './peopleContext.ts';
import { showPerson } from './personList.ts';
import { personSubject, type PersonSubject, isOwnerName, sentSubject, type SentMail } from './subjects.ts';
import { webLink } from './webLink.ts';
import type { ForgeInstance } from 'sourcehut/port/instance.ts';
import { webAddress, webOf } from '../../editor/links/webOf.ts';

/** Lists of what people have, and the user's sent patchsets. */
export function peopleFeature(parts: PeopleContext) {
	async function openOwn(section: 'patchsets' | 'mails', signal: AbortSignal): Promise<void> {
		await parts.ready();
		const { key, me, people } = await askPeopleConnection(parts.connections);
		// An archive has no accounts.
		const name = me === '' ? ((await people.ownProfile(signal)).email ?? '') : me;
		if (isOwnerName(name)) {
			await showPerson(parts, { kind: 'person', connectionKey: key, name }, section, signal);
		} else {
			void notify('information', vscode.l10n.t('Your email address is not known. Set user.email in Git.'));
		}
	}

	const commands: CommandTable = {
		'forge.people.open': async (subject, signal) => {
			await parts.ready();
			const who = await personTarget(parts, subject, signal);
			if (who) {
				await showPerson(parts, who, undefined, signal);
			} else {
				void notify('information', vscode.l10n.t('The sender is not known.'));
			}
		},
		'forge.people.myMails': (_, signal) => openOwn('mails', signal),
		'forge.patchsets.mine': (_, signal) => openOwn('patchsets', signal),
	};
	const links: LinkSource = {
		name: vscode.l10n.t('A person'),
		webLink: (subject) => webLink(parts.connections, subject),
		async askForLink(signal) {
			const subject = await askPerson(parts, signal);
			return webAddress(connectionOf(parts.connections, subject).instance, { kind: 'person', name: subject.name });
		},
	};
	return {
		commands,
		links,
		known: knownPeople(parts.connections, parts.problems),
		dispose: () => undefined,
	};
}

/** People for Go to…: senders, submitters, assignees and owners of known things. */
export function knownPeople(connections: Connections, problems: Problems): KnownThings<GoToName, GoToThing> {
	let known: readonly { readonly connection: Connection; readonly person: KnownPerson }[] = [];
	return {
		names: () => [],
		sources: () => [
			thingSource(
				known,
				{ text: ({ person: { name, called } }) => `${name.replace(/^~/, '')} ${called ?? ''}`, atMs: () => Infinity },
				({ connection, person: { name, called } }): GoToThing => {
					const to = { kind: 'person', name } as const;
					const text = [destinationText(to), ...(called === undefined ? [] : [visibleLine(called)])].join(' · ');
					return { connection, to, label: '', text, icon: new vscode.ThemeIcon('person') };
				},
			),
		],
		learn(changed, signal) {
			for (const connection of connections.all()) {
				peopleMet(connection, signal).then((people) => {
					const met = people.map((person) => ({ connection, person }));
					known = [...known.filter((each) => each.connection !== connection), ...met];
					changed();
				}, problems.log);
			}
		},
	};
}

/**
 * Person for a command: a given name, the sender of a given mail or patchset, or one that the user chooses. `undefined`
 * if the mail names no sender.
 */
export async function personTarget(
	parts: PeopleContext,
	subject: unknown,
	signal: AbortSignal,
): Promise<PersonSubject | undefined> {
	const given = personSubject(subject) ?? written(parts, subject);
	if (given) {
		return given;
	}
	const sent = sentSubject(subject);
	if (!sent) {
		return askPerson(parts, signal);
	}
	const connection = connectionOf(parts.connections, sent);
	const name = await (sent.kind === 'mail'
		? senderOf(connection, sent, signal)
		: submitterOf(connection, sent.ref, signal));
	return name === undefined ? undefined : { kind: 'person', connectionKey: sent.connectionKey, name };
}

/** A bare name in any notation, or `name` with its account. */
function written({ connections }: PeopleContext, value: unknown): PersonSubject | undefined {
	const candidate = bareSubject(value);
	const { connectionKey, name } = isRecord(candidate) ? candidate : { connectionKey: undefined, name: candidate };
	const told = typeof connectionKey === 'string' ? connections.byKey(connectionKey) : undefined;
	if (typeof name !== 'string' || (isRecord(candidate) && !told)) {
		return undefined;
	}
	for (const { key, instance } of told ? [told] : connections.all()) {
		const found = writtenName(name, instance);
		if (found !== undefined) {
			return { kind: 'person', connectionKey: key, name: found };
		}
	}
	return undefined;
}

/** The sender's account if the forge knows one, otherwise the address from the mail. */
async function senderOf(connection: Connection, mail: SentMail, signal: AbortSignal): Promise<OwnerName | undefined> {
	const { lists } = connection;
	const known = lists.knownMail(mail.id) ?? lists.knownPosts(mail.list).find(({ id }) => id === mail.id);
	if (known?.sender) {
		return known.sender.canonicalName;
	}
	const text = await withProgress(vscode.l10n.t('Looking up the sender…'), signal, (working) =>
		connection.texts.read(mail.id, working),
	);
	const address = text.reading.kind === 'read' ? onlySender(text.reading.mail)?.address : undefined;
	return text.mail.sender?.canonicalName ?? (address !== undefined && isOwnerName(address) ? address : undefined);
}

async function submitterOf(
	{ lists, instance }: Connection,
	ref: PatchsetRef,
	signal: AbortSignal,
): Promise<OwnerName | undefined> {
	return withProgress(vscode.l10n.t('Looking up the sender…'), signal, async (working) => {
		const { submitter, coverLetter } = await lists.patchset(ref, working);
		const written = submitter === undefined ? undefined : writtenName(submitter, instance);
		const account = coverLetter?.sender?.canonicalName ?? written;
		// By the contract a patchset without cover letter has no sender; its patches do.
		return account ?? (await lists.series(ref, working)).patches[0]?.sender?.canonicalName;
	});
}

interface PersonRow extends vscode.QuickPickItem {
	readonly subject: PersonSubject;
}

/** Asks for an account, or takes the only one. */
function askPeopleConnection(connections: Connections): Promise<Connection> {
	return askConnection(connections, vscode.l10n.t('You are not signed in. Sign in to see people.'));
}

/** Asks for a person: one met before, or a typed name or address. Throws an abort when the user closes the box. */
async function askPerson(parts: PeopleContext, signal: AbortSignal): Promise<PersonSubject> {
	const { connections, problems } = parts;
	if (connections.all().length === 0) {
		await askPeopleConnection(connections);
	}
	using owned = new Disposables();
	const box = owned.add(vscode.window.createQuickPick<PersonRow>());
	const closing = new AbortController();
	owned.add({ dispose: () => closing.abort() });
	const stop = AbortSignal.any([signal, closing.signal]);
	let known: readonly PersonRow[] = [];

	function draw(): void {
		const typed = typedRows(box.value, connections);
		const text = box.value.trim().toLowerCase();
		// Known people need no extra row for the typed text.
		const matching = known.filter(({ subject }) => subject.name.toLowerCase().includes(text)).map(nameOf);
		box.items = [...known, ...typed.filter((row) => !matching.includes(nameOf(row)))];
	}

	box.title = vscode.l10n.t('Open a person');
	box.placeholder = vscode.l10n.t('Name, email address or URL');
	box.matchOnDescription = true;
	box.ignoreFocusOut = true;
	box.busy = true;
	owned.add(box.onDidChangeValue(draw));
	const met = connections.all().map(async (connection) => {
		const people = await peopleMet(connection, stop);
		known = [...known, ...people.map((person) => knownRow(connection, person, connections))];
		draw();
	});
	void Promise.allSettled(met).then((all) => {
		all.forEach((each) =>
			each.status === 'rejected' && !isAbort(each.reason) ? problems.log(each.reason) : undefined,
		);
		if (!stop.aborted) {
			box.busy = false;
		}
	});
	draw();
	box.show();
	for (;;) {
		const row = await nextAccepted(box, signal);
		if (row) {
			return row.subject;
		}
	}
}

function nameOf({ subject }: PersonRow): string {
	return `${subject.connectionKey} ${subject.name.toLowerCase()}`;
}

function knownRow(connection: Connection, { name, called }: KnownPerson, connections: Connections): PersonRow {
	const facts = [
		...(called === undefined ? [] : [visibleLine(called)]),
		...(name === connection.me ? [vscode.l10n.t('you')] : []),
		...(connections.all().length > 1 ? [connection.instance.name] : []),
	];
	return {
		label: withoutPictures(visibleLine(name)),
		description: withoutPictures(facts.join(' · ')),
		iconPath: new vscode.ThemeIcon(name.startsWith('~') ? 'person' : 'mail'),
		subject: { kind: 'person', connectionKey: connection.key, name },
	};
}

/** An unknown name needs a lookup on each signed-in forge, after the user chooses it. */
function typedRows(text: string, connections: Connections): readonly PersonRow[] {
	return oncePerForge(connections.all()).flatMap((connection) => {
		const name = writtenName(text, connection.instance);
		return name === undefined
			? []
			: [
					{
						label: withoutPictures(vscode.l10n.t('Find {0}', visibleLine(name))),
						description: connection.instance.name,
						iconPath: new vscode.ThemeIcon('search'),
						alwaysShow: true,
						subject: { kind: 'person', connectionKey: connection.key, name },
					},
				];
	});
}

/** Somebody who was met on a forge. */
interface KnownPerson {
	/** `~bob`, or an e-mail address. */
	readonly name: OwnerName;
	/** The display name from the server, if it differs. */
	readonly called: string | undefined;
}

/** Limit of the list; the user can type other names. */
const mostPeople = 200;

/** Tickets per tracker to scan for people: enough for regulars, and fast. */
const ticketsForPeople = 200;

/**
 * The account itself, owners of loaded things, and everybody seen as submitter or sender, without duplicates. Only
 * loads the account's own lists and subscriptions, once; skips failures.
 */
async function peopleMet(connection: Connection, signal: AbortSignal): Promise<readonly KnownPerson[]> {
	const { lists } = await knownLists(connection.lists.collection, signal);
	const found = new Map<string, KnownPerson>();
	for (const person of peopleSeen(connection, lists)) {
		const key = person.name.toLowerCase();
		if (!found.has(key)) {
			found.set(key, person);
		}
		if (found.size === mostPeople) {
			break;
		}
	}
	return [...found.values()];
}

/** A From header. */
const nameAndAddress = /^([^<>]{0,300})<([^<>\s]{1,300}@[^<>\s]{1,300})>$/;

function* peopleSeen(connection: Connection, lists: readonly ListRef[]): Generator<KnownPerson> {
	const { me, index, tickets, repositories } = connection;
	const trackers = [...index.trackers(), ...tickets.trackers.followed.all()];
	const owners = [...lists, ...trackers, ...repositories.followed.all()].map(({ owner }) => owner);
	// Archives have no accounts, and hosts instead of owners.
	yield* [me, ...owners].filter(isOwnerName).map(account);
	for (const list of lists) {
		const posts = connection.lists.knownPosts(list);
		yield* posts.flatMap(({ sender }) => (sender ? [account(sender.canonicalName)] : []));
		for (const { submitter } of connection.lists.knownPatchsets(list)) {
			const [, called = '', address] = nameAndAddress.exec(submitter ?? '') ?? [];
			if (address !== undefined) {
				yield { name: address, called: called.replaceAll('"', '').trim() || undefined };
			}
		}
	}
	for (const tracker of trackers) {
		for (const { ticket } of index.tickets(tracker).slice(0, ticketsForPeople)) {
			const { submitter } = ticket;
			if (submitter?.kind === 'user') {
				yield account(submitter.canonicalName);
			} else if (submitter?.kind === 'email') {
				yield { name: submitter.address, called: submitter.name };
			}
			yield* ticket.assignees.map(({ canonicalName }) => account(canonicalName));
		}
	}
}

function account(name: OwnerName): KnownPerson {
	return { name, called: undefined };
}

/**
 * The person in a text: `alice`, `~alice`, an e-mail address (alone, as `mailto:` or after a name), or the web address
 * of a person's page on the forge. `undefined` if there is none.
 */
export function writtenName(text: string, instance: ForgeInstance): OwnerName | undefined {
	const written = text.trim();
	if (/^https?:/i.test(written)) {
		const url = URL.parse(written);
		const to = url ? webOf(instance).destination(url) : undefined;
		return to?.kind === 'person' && isOwnerName(to.name) ? to.name : undefined;
	}
	const [, inBrackets] = /<([^<>]+)>\s*$/.exec(written) ?? [];
	const bare = (inBrackets ?? written).replace(/^mailto:/i, '').trim();
	const name = /^[\w][\w.-]*$/.test(bare) ? `~${bare}` : bare.replace(/^(~[^/]+)\/$/, '$1');
	return isOwnerName(name) ? name : undefined;
}
