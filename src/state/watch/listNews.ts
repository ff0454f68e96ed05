import { isAbort } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import { isForgeError } from '../../forge/forgeError.ts';
import { listKey, type ListRef, type Patchset, type ShortEmail } from '../../forge/list.ts';
import type { OwnerName } from '../../forge/user.ts';
import { isSameAddress } from '../../mail/onlySender.ts';
import { versionTitle } from '../../series/versions.ts';
import type { Inbox } from '../inbox/inbox.ts';
import { thingKey, type InboxEntry } from '../inbox/inboxEntry.ts';
import type { InboxPosition, InboxReading, Watching } from '../inbox/inboxBook.ts';
import {
	isPatchMail,
	mailNotice,
	patchsetNotices,
	patchsetPosition,
	thingOfMail,
	type MailSays,
} from '../inbox/mailNotices.ts';
import { namesAccount } from '../inbox/namesAccount.ts';
import type { MailTexts } from '../lists/listMailTexts.ts';
import type { ListStore } from '../lists/listStore.ts';
import { sentBy } from '../people/sentBy.ts';
import { watchingOf } from './wanted.ts';

/** What the account itself is and did in lists, as far as it is known. */
export interface OwnInLists {
	/** Its e-mail address. */
	readonly address: string | undefined;
	readonly mails: readonly ShortEmail[];
	/** Conversations in which it wrote, by the numbers of their first mails. */
	readonly threads: ReadonlySet<number>;
}

export interface ListNewsParts {
	readonly lists: ListStore;
	readonly texts: MailTexts;
	readonly inbox: Inbox;
	readonly own: OwnInLists;
	readonly me: OwnerName;
	readonly clock: Clock;
	/** A request is about to be sent. */
	readonly spend: () => void;
}

/** What the newest rows of a list told. */
export interface FoundInList {
	readonly isNew: boolean;
	/** New mails that may be somebody's concern, in no order. */
	readonly mails: readonly ShortEmail[];
}

/** Reads lists and mails for what is news of them. */
export interface ListNewsReader {
	/** The newest mails and patchsets of a list. What its patchsets tell is in the inbox after that. */
	readRows(list: ListRef, signal: AbortSignal): Promise<FoundInList>;
	/** Reads one new mail and tells the inbox of it. To be called with the oldest first. */
	tellMail(list: ListRef, mail: ShortEmail, signal: AbortSignal): Promise<void>;
	/** What the account set itself is no news. */
	ownStatus(list: ListRef, patchset: Patchset): InboxReading;
}

/** Answers are found by the server's own search, where its lists of posts leave them out. */
const answers = 'is:reply';
const mostAnswerPages = 3;

export function listNews({ lists, texts, inbox, own, me, clock, spend }: ListNewsParts): ListNewsReader {
	async function readRows(list: ListRef, signal: AbortSignal): Promise<FoundInList> {
		const line = inbox.position(placeOfList(list));
		spend();
		await lists.rereadRows(list, 'posts', signal);
		const replies = await readReplies(list, line?.newestId, signal);
		spend();
		await lists.rereadRows(list, 'patchsets', signal);
		const posts = lists.knownPosts(list)?.items ?? [];
		const patchsets = lists.knownPatchsets(list)?.items ?? [];
		if (line === undefined) {
			drawLine(list, [...posts, ...replies], patchsets);
			return { isNew: false, mails: [] };
		}
		const all = new Map([...posts, ...replies].map((mail) => [mail.id, mail]));
		const mails = [...all.values()].filter(({ id }) => id > line.newestId);
		// Rows and conversations that are open follow; what is known already changes nothing.
		replies.filter(({ id }) => id > line.newestId).forEach((mail) => lists.apply({ kind: 'mailArrived', list, mail }));
		const isNewPatchset = await tellPatchsets(list, patchsets, signal);
		return { isNew: mails.length > 0 || isNewPatchset, mails };
	}

	/** What is there when a list is seen for the first time is no news. */
	function drawLine(list: ListRef, mails: readonly ShortEmail[], patchsets: readonly Patchset[]): void {
		inbox.add({
			entries: [],
			positions: new Map([
				[placeOfList(list), { sinceMs: clock.nowMs(), newestId: highestId(mails), detail: '' }],
				[patchsetsOf(list), { sinceMs: clock.nowMs(), newestId: highestId(patchsets), detail: '' }],
				...patchsets.map((patchset) => positionOf(list, patchset)),
			]),
		});
	}

	/** Those that are newer than what is known, and some that are not. */
	async function readReplies(
		list: ListRef,
		newestId: number | undefined,
		signal: AbortSignal,
	): Promise<readonly ShortEmail[]> {
		const found: ShortEmail[] = [];
		let pages = 0;
		spend();
		for await (const { items } of lists.uncached.search?.(list, answers, signal) ?? []) {
			found.push(...items);
			pages += 1;
			if (newestId === undefined || pages === mostAnswerPages || items.some(({ id }) => id <= newestId)) {
				break;
			}
			spend();
		}
		return found;
	}

	async function tellPatchsets(list: ListRef, patchsets: readonly Patchset[], signal: AbortSignal): Promise<boolean> {
		const lineId = inbox.position(patchsetsOf(list))?.newestId ?? 0;
		const mine = sentBy({ account: me, address: own.address, mails: own.mails });
		const entries: InboxEntry[] = [];
		const positions = new Map<string, InboxPosition>();
		for (const patchset of patchsets) {
			const known = inbox.position(patchsetPosition(list, patchset.id));
			if (known?.detail !== patchset.status) {
				const isMine = mine(patchset);
				const isNew = known === undefined && patchset.id > lineId;
				const first = isNew && !isMine ? firstMailOf(list, patchset) : undefined;
				entries.push(
					...patchsetNotices({
						list,
						patchset,
						known,
						isNew,
						isMine,
						takesPart: takesPartIn(list, patchset),
						reviewedBefore: !isMine && earlierVersions(patchset, patchsets).some((each) => takesPartIn(list, each)),
						isToMe: first !== undefined && (await readMail(first, signal))?.isToMe === true,
						watching: watchingIn(list, patchsetPosition(list, patchset.id)),
					}),
				);
				positions.set(...laterPosition(list, patchset));
			}
		}
		if (positions.size > 0) {
			inbox.add({ entries, positions });
		}
		return entries.length > 0;
	}

	/** Where servers tell the patchset of a mail; the first of them is its cover letter, or its first patch. */
	function firstMailOf(list: ListRef, { id }: Patchset): ShortEmail | undefined {
		const mails = (lists.knownPosts(list)?.items ?? []).filter(({ patchsetId }) => patchsetId === id);
		return mails.toSorted((a, b) => a.id - b.id)[0];
	}

	/** Not every server moves the time of a patchset with its status, and of two positions the later one is kept. */
	function laterPosition(list: ListRef, patchset: Patchset): [string, InboxPosition] {
		const known = inbox.position(patchsetPosition(list, patchset.id));
		const [name, position] = positionOf(list, patchset);
		return [name, { ...position, sinceMs: Math.max(position.sinceMs, (known?.sinceMs ?? 0) + 1) }];
	}

	function takesPartIn(list: ListRef, { id }: Patchset): boolean {
		const posts = lists.knownPosts(list)?.items ?? [];
		return posts.some((post) => post.patchsetId === id && own.threads.has(post.threadId ?? post.id));
	}

	async function tellMail(list: ListRef, mail: ShortEmail, signal: AbortSignal): Promise<void> {
		const line = inbox.position(placeOfList(list));
		const threadId = mail.threadId ?? mail.id;
		const isMine = mail.sender?.canonicalName === me;
		const first = lists.knownPosts(list)?.items.find(({ id }) => id === threadId);
		const mineFirst = own.mails.find(({ id }) => id === threadId);
		const patchsetId = mail.patchsetId ?? first?.patchsetId;
		const patchset = patchsetId === undefined ? undefined : lists.knownPatchset({ list, id: patchsetId });
		const about = { list, mail, firstSubject: first?.subject, patchset };
		const watching = watchingIn(list, thingKey(thingOfMail(about)));
		const isWanted = !isMine && watching !== 'nothing' && !isPatchMail(mail);
		const entries = isWanted
			? mailNotice({
					...about,
					isMyPatch: mineFirst !== undefined && isPatchMail(mineFirst),
					takesPart: own.threads.has(threadId),
					read: await readMail(mail, signal),
					watching,
				})
			: [];
		const position = { sinceMs: line?.sinceMs ?? clock.nowMs(), newestId: mail.id, detail: '' };
		inbox.add({ entries, positions: new Map([[placeOfList(list), position]]) });
	}

	/** `undefined` for a mail that the forge does not hand out, or that nobody can read. */
	async function readMail({ id }: ShortEmail, signal: AbortSignal): Promise<MailSays | undefined> {
		if (texts.known(id) === undefined) {
			spend();
		}
		try {
			const { reading } = await texts.read(id, signal);
			if (reading.kind !== 'read') {
				return undefined;
			}
			const { text, to, cc } = reading.mail;
			return {
				namesMe: namesAccount(text, me),
				isToMe: [...to, ...cc].some(({ address }) => isSameAddress(address, own.address)),
			};
		} catch (error) {
			if (isAbort(error) || !isForgeError(error) || !isLost(error.problem.kind)) {
				throw error;
			}
			return undefined;
		}
	}

	function watchingIn(list: ListRef, thing: string): Watching {
		return watchingOf(inbox, {
			thing,
			place: placeOfList(list),
			usual: lists.isMine(list) ? 'everything' : 'concerns',
		});
	}

	return {
		readRows,
		tellMail,
		ownStatus: (list, patchset) => ({ entries: [], positions: new Map([laterPosition(list, patchset)]) }),
	};
}

/** The same for its patchsets: those with higher numbers came after the first look. */
function patchsetsOf(list: ListRef): string {
	return `patchsets ${listKey(list)}`;
}

function highestId(all: readonly { readonly id: number }[]): number {
	return all.reduce((highest, { id }) => Math.max(highest, id), 0);
}

/** The name under which is kept what is wanted of a list, and how far its mails are known. */
export function placeOfList(list: ListRef): string {
	return `list ${listKey(list)}`;
}

function positionOf(list: ListRef, { id, status, updatedMs }: Patchset): readonly [string, InboxPosition] {
	return [patchsetPosition(list, id), { sinceMs: updatedMs, newestId: 0, detail: status }];
}

function earlierVersions({ version, subject, id }: Patchset, all: readonly Patchset[]): readonly Patchset[] {
	const title = versionTitle(subject);
	return version < 2
		? []
		: all.filter((each) => each.id !== id && each.version < version && versionTitle(each.subject) === title);
}

function isLost(kind: string): boolean {
	return kind === 'notFound' || kind === 'notAllowed';
}
