import * as vscode from 'vscode';
import { unsentText } from '../../editor/ask/extraFields.ts';
import { isForgeError } from 'sourcehut/port/forgeError.ts';
import type { Connection } from '../../store/connection.ts';
import { safeLink } from '../../engine/text/linkPolicy.ts';
import { visibleLine } from '../../engine/text/visible.ts';
import { refText, type NamedRef } from 'sourcehut/port/namedRef.ts';
import { refOfList, type ShortEmail } from 'sourcehut/port/list.ts';
import { patchSubject } from 'patchmail/series/patchSubject.ts';
import { countsText } from '../../editor/trees/pagingRows.ts';
import type { Listing, ReadPart } from '../../store/shared/listing.ts';
import type { OwnerName, ShortUser } from 'sourcehut/port/user.ts';
import type {
	PersonHeadView,
	PersonSection,
	ProfileFact,
	ProfileView,
	RowView,
	SectionView,
} from '../../pages/protocol/personProtocol.ts';
import type { Person, PersonListing } from '../../store/people/person.ts';

/** Inputs of the views of a person. */
export interface ShownPerson {
	readonly connection: Connection;
	/** The name from the page's address. */
	readonly name: OwnerName;
	/** `undefined` until the first answer. */
	readonly person: Person | undefined;
	/** Rendered Markdown; `undefined` while the renderer is not loaded. */
	readonly html: ((markdown: string) => string) | undefined;
	/** True while a section loads. */
	readonly isReading: (section: PersonSection) => boolean;
	readonly explain: (error: unknown) => string;
}

/** True if the page shows the account's own person, under any of their names. */
export function isOneself({ me }: Connection, name: OwnerName, person: Person | undefined): boolean {
	return (person?.account ?? name).toLowerCase() === me.toLowerCase();
}

/** Nobody of this name has shown up on the forge. */
export function isUnknown(person: Person | undefined): boolean {
	return person?.profile.kind === 'failed' && isNotFound(person.profile.error);
}

/** True if the person doesn't exist or is private. */
function isNotFound(error: unknown): boolean {
	return isForgeError(error) && error.problem.kind === 'notFound';
}

/** Names and profile of the person. */
export function headView(shown: ShownPerson): PersonHeadView {
	const { connection, name, person } = shown;
	const account = person?.account ?? (name.startsWith('~') ? name : undefined);
	return {
		title: visibleLine(account === undefined ? name : account.slice(1)),
		account: account === undefined || isUnknown(person) ? undefined : visibleLine(account),
		isMe: isOneself(connection, name, person),
		profile: profileView(shown),
	};
}

function profileView({ connection, name, person, html, explain }: ShownPerson): ProfileView {
	const { profile } = person ?? {};
	switch (profile?.kind) {
		case undefined:
		case 'reading':
			return { kind: 'loading' };
		case 'failed':
			return isNotFound(profile.error)
				? {
						kind: 'none',
						text: vscode.l10n.t('{0} has no account named {1}.', connection.instance.name, visibleLine(name)),
					}
				: { kind: 'failed', reason: explain(profile.error) };
		case 'known': {
			const user = profile.value;
			if (!user) {
				const text = vscode.l10n.t('No account on {0} has this email address.', connection.instance.name);
				return { kind: 'none', text };
			}
			const bio = user.bio?.trim() ?? '';
			const facts = [
				...factOf('address', user.email, (text) => safeLink(`mailto:${text}`, 'https://forge.invalid/')?.href),
				// Profile links must be absolute; a relative link would point to our forge.
				...factOf('url', user.url, (text) => safeLink(text, text)?.href),
				...factOf('location', user.location, () => undefined),
			];
			return { kind: 'profile', facts, bioHtml: bio === '' ? '' : html?.(bio), unsent: unsentText([user]) };
		}
	}
}

function factOf(
	kind: ProfileFact['kind'],
	written: string | undefined,
	linkOf: (text: string) => string | undefined,
): readonly ProfileFact[] {
	const text = visibleLine(written ?? '');
	return text === '' ? [] : [{ kind, text, href: linkOf((written ?? '').trim()) }];
}

/** Listings of things with names, which the account can follow. */
type NamedListing = Exclude<PersonListing, 'mails'>;

/** Kind of the things of a listing, the command that opens one, and how the account follows one. */
export const namedListings = {
	trackers: {
		kind: 'tracker',
		command: 'forge.tickets.open',
		followed: ({ tickets }: Connection) => tickets.trackers.followed.all(),
		follow: ({ tickets }: Connection, ref: NamedRef, signal: AbortSignal) => tickets.follow(ref, signal),
	},
	lists: {
		kind: 'list',
		command: 'forge.lists.openThread',
		followed: ({ lists }: Connection) => lists.followed.all(),
		follow: ({ lists }: Connection, ref: NamedRef, signal: AbortSignal) => lists.follow(ref, signal),
	},
	repositories: {
		kind: 'repository',
		command: 'forge.repositories.open',
		followed: ({ repositories }: Connection) => repositories.followed.all(),
		follow: ({ repositories }: Connection, ref: NamedRef, signal: AbortSignal) => repositories.follow(ref, signal),
	},
} as const;

/** A thing of a listing. By the contract a repository has only its name. */
interface Named {
	readonly owner: ShortUser | undefined;
	readonly name: string;
	readonly description: string | undefined;
}

function refOf({ owner, name }: Named, person: Person | undefined): NamedRef {
	return { owner: owner?.canonicalName ?? person?.account ?? person?.name ?? '', name };
}

/** The thing of a listing with this key. */
export function refAt(section: NamedListing, person: Person | undefined, key: string): NamedRef | undefined {
	return itemsOf<Named>(person?.[section])
		.map((each) => refOf(each, person))
		.find((each) => refText(each) === key);
}

export function itemsOf<T>(part: ReadPart<Listing<T>> | undefined): readonly T[] {
	return part?.kind === 'known' ? part.value.items : [];
}

/** A person's listing as a section of the page. */
export function listingView(section: PersonListing, shown: ShownPerson): SectionView {
	const { person } = shown;
	return section === 'mails'
		? sectionOf(section, person?.mails, shown, mailRow)
		: sectionOf<Named>(section, person?.[section], shown, (item) => namedRow(section, item, shown));
}

function sectionOf<T>(
	section: PersonListing,
	part: ReadPart<Listing<T>> | undefined,
	shown: ShownPerson,
	rowOf: (item: T) => RowView,
): SectionView {
	switch (part?.kind) {
		case undefined:
		case 'reading':
			return { kind: 'loading' };
		case 'failed':
			// Somebody may be unknown to one area of a forge and known to another (docs/protocol.md#known-by-use).
			if (!isNotFound(part.error)) {
				return { kind: 'failed', reason: shown.explain(part.error) };
			}
			return isNobodys(section, shown.person)
				? { kind: 'hidden' }
				: {
						kind: 'rows',
						groups: [],
						none: neverText[section](),
						counts: '',
						more: undefined,
						isReading: false,
						troubles: [],
					};
		case 'known': {
			const { items, completeness } = part.value;
			return items.length === 0 && isNobodys(section, shown.person)
				? { kind: 'hidden' }
				: {
						kind: 'rows',
						groups: items.length === 0 ? [] : [{ title: '', isFolded: false, rows: items.map(rowOf) }],
						none: noneText[section](),
						counts: countsText(items.length, completeness),
						more: completeness.kind === 'more' ? vscode.l10n.t('Show More') : undefined,
						isReading: shown.isReading(section),
						troubles: [],
					};
		}
	}
}

/** Unknown people miss nothing; an address without account may still have sent mails. */
function isNobodys(section: PersonListing, person: Person | undefined): boolean {
	const isWithoutAccount = person?.profile.kind === 'known' && person.profile.value === undefined;
	return isUnknown(person) || (isWithoutAccount && section !== 'mails');
}

const noneText: Readonly<Record<PersonListing, () => string>> = {
	mails: () => vscode.l10n.t('No messages on lists that you have access to.'),
	trackers: () => vscode.l10n.t('No trackers that you have access to.'),
	lists: () => vscode.l10n.t('No mailing lists that you have access to.'),
	repositories: () => vscode.l10n.t('No repositories that you have access to.'),
};

const neverText: Readonly<Record<PersonListing, () => string>> = {
	mails: () => vscode.l10n.t('The forge shows no messages by this name.'),
	trackers: () => vscode.l10n.t('They have not used trackers on this forge.'),
	lists: () => vscode.l10n.t('They have not used mailing lists on this forge.'),
	repositories: () => vscode.l10n.t('They have not used repositories on this forge.'),
};

function mailRow(mail: ShortEmail): RowView {
	const isPatch = patchSubject(mail.subject)?.isReply === false;
	const subject = visibleLine(mail.subject);
	return {
		key: String(mail.id),
		icon: isPatch ? 'patch' : 'mail',
		state: isPatch ? vscode.l10n.t('Patch') : vscode.l10n.t('Message'),
		title: subject === '' ? vscode.l10n.t('Message without subject') : subject,
		facts: mail.list ? [visibleLine(refText(refOfList(mail.list)))] : [],
		atMs: mail.createdMs,
		fresh: undefined,
		tie: undefined,
	};
}

function namedRow(section: NamedListing, item: Named, { connection, person }: ShownPerson): RowView {
	const ref = refOf(item, person);
	const key = refText(ref);
	const { kind, followed } = namedListings[section];
	let tie: RowView['tie'];
	if (ref.owner !== connection.me) {
		if (section === 'lists' && connection.lists.collection.subscription(ref)) {
			tie = { kind: 'there', text: vscode.l10n.t('Subscribed') };
		} else if (followed(connection).some((each) => refText(each).toLowerCase() === key.toLowerCase())) {
			tie = { kind: 'there', text: vscode.l10n.t('Followed') };
		} else {
			tie = { kind: 'offered' };
		}
	}
	// Descriptions are Markdown; a row shows how they begin, as written.
	const line = visibleLine((item.description ?? '').slice(0, 300).split('\n')[0] ?? '');
	return {
		key,
		icon: kind,
		state: undefined,
		title: visibleLine(item.name),
		facts: line === '' ? [] : [line.length > 120 ? `${line.slice(0, 119)}…` : line],
		atMs: undefined,
		fresh: undefined,
		tie,
	};
}
