import * as vscode from 'vscode';
import { unsentText } from '../../editor/ask/extraFields.ts';
import { isForgeError } from '../../forge/port/forgeError.ts';
import type { Connection } from '../../store/connection.ts';
import { safeLink } from '../../engine/text/linkPolicy.ts';
import { visibleLine } from '../../engine/text/visible.ts';
import { refText } from '../../forge/port/namedRef.ts';
import { refOfList, type ListRef, type MailingList, type ShortEmail } from '../../forge/port/list.ts';
import { patchSubject } from '../../forge/port/patchSubject.ts';
import type { Repository, RepositoryRef } from '../../forge/port/repository.ts';
import type { Tracker, TrackerRef } from '../../forge/port/tracker.ts';
import { countsText } from '../../editor/trees/pagingRows.ts';
import type { Listing } from '../../store/shared/listing.ts';
import type { ReadPart } from '../../store/shared/readPart.ts';
import type { OwnerName, User } from '../../forge/port/user.ts';
import type {
	PersonHeadView,
	PersonSection,
	ProfileFact,
	ProfileView,
	RowView,
	SectionView,
} from '../../pages/protocol/personView.ts';
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
		case 'known':
			return profile.value
				? profileOf(profile.value, html)
				: {
						kind: 'none',
						text: vscode.l10n.t('No account on {0} has this email address.', connection.instance.name),
					};
	}
}

function profileOf(user: User, html: ShownPerson['html']): ProfileView {
	const bio = user.bio?.trim() ?? '';
	return { kind: 'profile', facts: factsOf(user), bioHtml: bio === '' ? '' : html?.(bio), unsent: unsentText([user]) };
}

function factsOf({ email, url, location }: User): readonly ProfileFact[] {
	return [
		...factOf('address', email, (text) => safeLink(`mailto:${text}`, 'https://forge.invalid/')?.href),
		// Profile links must be absolute; a relative link would point to our forge.
		...factOf('url', url, (text) => safeLink(text, text)?.href),
		...factOf('location', location, () => undefined),
	];
}

function factOf(
	kind: ProfileFact['kind'],
	written: string | undefined,
	linkOf: (text: string) => string | undefined,
): readonly ProfileFact[] {
	const text = visibleLine(written ?? '');
	return text === '' ? [] : [{ kind, text, href: linkOf((written ?? '').trim()) }];
}

/** Reference to a person's tracker. */
export function refOfTracker({ owner, name }: Tracker): TrackerRef {
	return { owner: owner.canonicalName, name };
}

/** Reference to a person's repository; by the contract a listing has only its name. */
export function refOfRepository({ owner, name }: Repository, person: Person | undefined): RepositoryRef {
	return { owner: owner?.canonicalName ?? person?.account ?? person?.name ?? '', name };
}

/** A person's listing as a section of the page. */
export function listingView(section: PersonListing, shown: ShownPerson): SectionView {
	const { person, connection } = shown;
	switch (section) {
		case 'mails':
			return sectionOf(section, person?.mails, shown, mailRow);
		case 'trackers':
			return sectionOf(section, person?.trackers, shown, (tracker) => trackerRow(connection, tracker));
		case 'lists':
			return sectionOf(section, person?.lists, shown, (list) => listRow(connection, list));
		case 'repositories':
			return sectionOf(section, person?.repositories, shown, (repository) =>
				repositoryRow(connection, repository, person),
			);
	}
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
			return failed(section, part.error, shown);
		case 'known': {
			const { items, completeness } = part.value;
			return items.length === 0 && isNobodys(section, shown.person)
				? { kind: 'hidden' }
				: {
						kind: 'rows',
						groups: items.length === 0 ? [] : [{ title: '', isFolded: false, rows: items.map(rowOf) }],
						none: noneText(section),
						counts: countsText(items.length, completeness),
						more: completeness.kind === 'more' ? vscode.l10n.t('Show More') : undefined,
						isReading: shown.isReading(section),
						troubles: [],
					};
		}
	}
}

/** Somebody may be unknown to one area of a forge and known to another (docs/protocol.md#known-by-use). */
function failed(section: PersonListing, error: unknown, { person, explain }: ShownPerson): SectionView {
	if (!isNotFound(error)) {
		return { kind: 'failed', reason: explain(error) };
	}
	return isNobodys(section, person)
		? { kind: 'hidden' }
		: {
				kind: 'rows',
				groups: [],
				none: neverText(section),
				counts: '',
				more: undefined,
				isReading: false,
				troubles: [],
			};
}

/** Unknown people miss nothing; an address without account may still have sent mails. */
function isNobodys(section: PersonListing, person: Person | undefined): boolean {
	const isWithoutAccount = person?.profile.kind === 'known' && person.profile.value === undefined;
	return isUnknown(person) || (isWithoutAccount && section !== 'mails');
}

function noneText(section: PersonListing): string {
	switch (section) {
		case 'mails':
			return vscode.l10n.t('No messages on lists that you have access to.');
		case 'trackers':
			return vscode.l10n.t('No trackers that you have access to.');
		case 'lists':
			return vscode.l10n.t('No mailing lists that you have access to.');
		case 'repositories':
			return vscode.l10n.t('No repositories that you have access to.');
	}
}

function neverText(section: PersonListing): string {
	switch (section) {
		case 'mails':
			return vscode.l10n.t('The forge shows no messages by this name.');
		case 'trackers':
			return vscode.l10n.t('They have not used trackers on this forge.');
		case 'lists':
			return vscode.l10n.t('They have not used mailing lists on this forge.');
		case 'repositories':
			return vscode.l10n.t('They have not used repositories on this forge.');
	}
}

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

type Tie = RowView['tie'];

function there(text: string): Tie {
	return { kind: 'there', text };
}

function trackerRow({ tickets, me }: Connection, tracker: Tracker): RowView {
	const ref = refOfTracker(tracker);
	const isFollowed = tickets.trackers.followed.all().some((each) => isSame(refText(each), refText(ref)));
	return {
		...plainRow(refText(ref), tracker),
		icon: 'tracker',
		tie: tieOf(ref.owner === me, isFollowed),
	};
}

function listRow(connection: Connection, list: MailingList): RowView {
	const ref = refOfList(list);
	return { ...plainRow(refText(ref), list), icon: 'list', tie: tieOfList(connection, ref) };
}

function tieOfList({ lists, me }: Connection, ref: ListRef): Tie {
	if (ref.owner === me) {
		return undefined;
	}
	if (lists.shelf.subscription(ref)) {
		return there(vscode.l10n.t('Subscribed'));
	}
	const isFollowed = lists.followed.all().some((each) => isSame(refText(each), refText(ref)));
	return tieOf(false, isFollowed);
}

function repositoryRow({ repositories, me }: Connection, repository: Repository, person: Person | undefined): RowView {
	const ref = refOfRepository(repository, person);
	const name = refText(ref);
	const isFollowed = repositories.followed.all().some((each) => isSame(refText(each), name));
	return { ...plainRow(name, repository), icon: 'repository', tie: tieOf(ref.owner === me, isFollowed) };
}

function tieOf(isOwn: boolean, isFollowed: boolean): Tie {
	if (isOwn) {
		return undefined;
	}
	return isFollowed ? there(vscode.l10n.t('Followed')) : { kind: 'offered' };
}

/** Descriptions are Markdown; a row shows how they begin, as written. */
function plainRow(
	key: string,
	{ name, description }: { readonly name: string; readonly description: string | undefined },
): Omit<RowView, 'icon' | 'tie'> {
	const line = visibleLine((description ?? '').slice(0, 300).split('\n')[0] ?? '');
	return {
		key,
		state: undefined,
		title: visibleLine(name),
		facts: line === '' ? [] : [line.length > 120 ? `${line.slice(0, 119)}…` : line],
		atMs: undefined,
		fresh: undefined,
	};
}

function isSame(one: string, other: string): boolean {
	return one.toLowerCase() === other.toLowerCase();
}
