import { isAbort } from '@forge-desk/base/abort.ts';
import { isSameAddress } from 'patchmail/mail/onlySender.ts';
import { isAway } from 'sourcehut/port/isAway.ts';
import { isHopeless } from 'sourcehut/port/isHopeless.ts';
import { type Email, listKey, type ListRef, type Patchset, type ShortEmail } from 'sourcehut/port/list.ts';
import { patchSubject, subjectOfThread } from 'patchmail/series/patchSubject.ts';
import type { InboxPosition } from '../inbox/inboxBook.ts';
import { thingKey, type InboxEntry } from '../inbox/inboxEntry.ts';
import { isPatchMail, mailNotice, thingOfMail, type AboutMail, type MailSays } from '../inbox/mailNotices.ts';
import { namesAccount } from '../inbox/ticketNotices.ts';
import { watchedNamed } from '../inbox/watched.ts';
import type { ListStore } from '../lists/listStore.ts';
import { openPatchesOf, placeOfList } from './listPlaces.ts';
import { askedPages } from '../shared/pageRead.ts';
import { answered } from './polling.ts';
import type { ListsContext } from './watchContext.ts';

/**
 * Reads the first mail of a thread. Only that mail names the patchset (docs/protocol.md#mail-fields). The disk keeps
 * it, so it costs one request. `undefined` if the forge refuses. Call `spend` before the request.
 */
export async function readRoot(
	lists: ListStore,
	spend: () => void,
	id: number,
	signal: AbortSignal,
): Promise<Email | undefined> {
	// A stored patch without a patchset may predate the patchset.
	if (lists.knownMail(id) === undefined && (await lists.mails.anyHere(id))?.patchsetId === undefined) {
		spend();
	}
	try {
		return await lists.mails.mail(id, signal);
	} catch (error) {
		if (isAbort(error) || isHopeless(error) || isAway(error)) {
			throw error;
		}
		return undefined;
	}
}

interface OpenPatch {
	readonly id: number;
	readonly threadId: number;
	/** Time of the find, in milliseconds since 1970. */
	readonly atMs: number;
}

/** A series without all its patches by then never becomes a patchset. */
const formsWithinMs = 10 * 60_000;
const mostOpenPatches = 200;
/** Of so many new mails, the text of each one costs a request. Entries for older ones have no reason but the list. */
const mostAlone = 50;
/** Of a search for the account among many new mails. */
const mostSearchPages = 3;

/** Inbox entries for new mails. */
export type MailNews = ReturnType<typeof mailNews>;

export function mailNews({ lists, texts, watchingIn, inbox, own, background, me, clock }: ListsContext) {
	const spend = (): void => background.budget.spend();
	/** The server sends threads without texts. */
	let areThreadsBare = false;
	/** By list: of many new mails up to `toId`, those that may name the account. */
	const named = new Map<string, { readonly toId: number; readonly ids: ReadonlySet<number> }>();

	function about(list: ListRef, mail: ShortEmail, first: ShortEmail | undefined): AboutMail {
		const id = mail.patchsetId ?? first?.patchsetId ?? ofCoverLetter(list, threadOf(mail))?.id;
		if (id === undefined) {
			return { list, mail, firstSubject: first?.subject, patchset: undefined };
		}
		// Servers name a patchset after its first mail (docs/protocol.md#how-patchsets-form).
		const named = first && { id, subject: patchSubject(first.subject)?.subject ?? subjectOfThread(first.subject) };
		return { list, mail, firstSubject: first?.subject, patchset: lists.knownPatchset({ list, id }) ?? named };
	}

	/** For servers that report cover letters. */
	function ofCoverLetter(list: ListRef, threadId: number): Patchset | undefined {
		return lists
			.patchsets(list)
			.ofServer()
			?.items.find(({ coverLetter }) => coverLetter !== undefined && threadOf(coverLetter) === threadId);
	}

	function knownFirst(list: ListRef, threadId: number): ShortEmail | undefined {
		return lists.knownPosts(list).find(({ id }) => id === threadId);
	}

	/** First mail of a thread: from the rows, or from a request if the entry depends on its patchset. */
	async function firstOf(list: ListRef, mail: ShortEmail, signal: AbortSignal): Promise<ShortEmail | undefined> {
		const threadId = threadOf(mail);
		const first = knownFirst(list, threadId);
		const isKnown = first !== undefined || mail.patchsetId !== undefined || threadId === mail.id;
		const hasChosenPatchset = inbox.choices().some(({ name }) => {
			const watched = watchedNamed(name);
			return watched?.kind === 'patchset' && listKey(watched.ref.list) === listKey(list);
		});
		return isKnown || ofCoverLetter(list, threadId) || !(own.threads.has(threadId) || hasChosenPatchset)
			? first
			: readRoot(lists, spend, threadId, signal);
	}

	function isMyPatch(threadId: number, first: ShortEmail | undefined): boolean {
		const isFirst = first !== undefined && first.sender?.canonicalName === me && isPatchMail(first);
		return isFirst || own.mails.some((mail) => mail.id === threadId && isPatchMail(mail));
	}

	async function says({ id }: ShortEmail, signal: AbortSignal): Promise<MailSays | undefined> {
		if (texts.known(id) === undefined && lists.mails.known(id) === undefined) {
			spend();
		}
		try {
			const { reading } = await texts.read(id, signal);
			if (reading.kind !== 'read') {
				return undefined;
			}
			const { text, from, to, cc } = reading.mail;
			const isOwn = from.some(({ address }) => isSameAddress(address, own.address));
			return {
				namesMe: !isOwn && namesAccount(text, me),
				isToMe: !isOwn && [...to, ...cc].some(({ address }) => isSameAddress(address, own.address)),
				isOwn,
			};
		} catch (error) {
			if (isAbort(error) || isHopeless(error) || isAway(error)) {
				throw error;
			}
			return undefined;
		}
	}

	async function notices(
		list: ListRef,
		mail: ShortEmail,
		how: 'read' | 'unread',
		signal: AbortSignal,
	): Promise<readonly InboxEntry[]> {
		if (mail.sender?.canonicalName === me || (isPatchMail(mail) && !(await isLaterVersion(list, mail, signal)))) {
			return [];
		}
		return noticesOf(list, mail, how, signal);
	}

	async function noticesOf(
		list: ListRef,
		mail: ShortEmail,
		how: 'read' | 'unread',
		signal: AbortSignal,
	): Promise<readonly InboxEntry[]> {
		const threadId = threadOf(mail);
		const first = how === 'read' ? await firstOf(list, mail, signal) : knownFirst(list, threadId);
		const told = about(list, mail, first);
		// The user may have chosen the thread before the patchset was known.
		const names = [thingOfMail(told), thingOfMail({ ...told, patchset: undefined })].map((thing) => thingKey(thing));
		const chosen = names.find((each) => inbox.choice(each) !== 'usual') ?? placeOfList(list);
		const watching = watchingIn(list, chosen);
		const read = watching !== 'nothing' && how === 'read' && !isPatchMail(mail) ? await says(mail, signal) : undefined;
		const takesPart = own.threads.has(threadId);
		return read?.isOwn === true || own.mails.some(({ id }) => id === mail.id)
			? []
			: mailNotice({ ...told, isMyPatch: isMyPatch(threadId, first), takesPart, read, watching });
	}

	/** A version in reply to an earlier one never becomes a patchset (docs/protocol.md#how-patchsets-form). */
	async function isLaterVersion(list: ListRef, mail: ShortEmail, signal: AbortSignal): Promise<boolean> {
		const threadId = threadOf(mail);
		if (mail.patchsetId !== undefined || threadId === mail.id) {
			return false;
		}
		const first = knownFirst(list, threadId) ?? (await readRoot(lists, spend, threadId, signal));
		const [patch, earlier] = [patchSubject(mail.subject), first && patchSubject(first.subject)];
		return (
			patch !== undefined &&
			earlier?.isReply === false &&
			first?.patchsetId !== undefined &&
			patch.version !== earlier.version
		);
	}

	function openPatchesIn(list: ListRef): readonly OpenPatch[] {
		const detail = inbox.position(openPatchesOf(list))?.detail ?? '';
		return detail.split(' ').flatMap((text) => {
			const [id = 0, threadId = 0, atMs = 0] = text.split('/').map(Number);
			return Number.isSafeInteger(id) && id > 0 ? [{ id, threadId, atMs }] : [];
		});
	}

	function positionOfOpen(list: ListRef, open: readonly OpenPatch[]): readonly [string, InboxPosition] {
		const name = openPatchesOf(list);
		const sinceMs = Math.max(clock.nowMs(), (inbox.position(name)?.sinceMs ?? 0) + 1);
		const detail = open.map(({ id, threadId, atMs }) => `${id}/${threadId}/${atMs}`).join(' ');
		return [name, { sinceMs, newestId: 0, detail }];
	}

	/** Compares with the names that servers give to patchsets (docs/protocol.md#how-patchsets-form). */
	function isOfPatchset(list: ListRef, { subject }: ShortEmail): boolean {
		const patch = patchSubject(subject);
		const known = lists.patchsets(list).ofServer()?.items ?? [];
		return known.some((each) => each.version === patch?.version && each.subject === patch.subject);
	}

	async function tellLonePatches(list: ListRef, signal: AbortSignal): Promise<void> {
		const open = openPatchesIn(list);
		const due = open.filter(({ atMs }) => clock.nowMs() - atMs >= formsWithinMs);
		for (const threadId of new Set(due.map((each) => each.threadId))) {
			const [patch] = due.filter((each) => each.threadId === threadId).toSorted((a, b) => a.id - b.id);
			const first = knownFirst(list, threadId);
			// Some servers omit the patchset of a mail.
			const isNamed = first !== undefined && (first.patchsetId !== undefined || isOfPatchset(list, first));
			const hasPatchset = isNamed || ofCoverLetter(list, threadId) !== undefined;
			const mail = patch && !hasPatchset ? await readRoot(lists, spend, patch.id, signal) : undefined;
			const entries =
				mail && mail.patchsetId === undefined && !isOfPatchset(list, mail)
					? await noticesOf(list, mail, 'read', signal)
					: [];
			const left = openPatchesIn(list).filter(
				(each) => each.threadId !== threadId || !due.some(({ id }) => id === each.id),
			);
			inbox.add({ entries, positions: new Map([positionOfOpen(list, left)]) });
		}
	}

	/** Finds the mails that may name the account, from this one on. `undefined` if the server refuses, or finds too many. */
	async function searchNames(list: ListRef, fromId: number, signal: AbortSignal): Promise<Set<number> | undefined> {
		const { search } = lists.uncached;
		const found = new Set<number>();
		const ofAddress = own.address === undefined ? [] : ['to', 'cc', 'from'].map((key) => `${key}:${own.address}`);
		try {
			for (const terms of [me.replace(/^~/, ''), ...ofAddress]) {
				let pages = 0;
				let isWhole = false;
				for await (const { items, completeness } of search ? askedPages(search(list, terms, signal), spend) : []) {
					items.forEach(({ id }) => found.add(id));
					pages += 1;
					isWhole = completeness.kind !== 'more' || items.some(({ id }) => id < fromId);
					if (isWhole || pages === mostSearchPages) {
						break;
					}
				}
				if (!isWhole) {
					return undefined;
				}
			}
		} catch (error) {
			if (isAbort(error) || isHopeless(error) || isAway(error)) {
				throw error;
			}
			return undefined;
		}
		return found;
	}

	/** Of many new mails in many threads, asks once for those that name the account. */
	async function lookForNames(list: ListRef, waiting: readonly ShortEmail[], signal: AbortSignal): Promise<void> {
		const [first] = waiting;
		const isMany = new Set(waiting.map(threadOf)).size > mostAlone;
		if (first && isMany && first.id > (named.get(listKey(list))?.toId ?? 0)) {
			const older = waiting.slice(0, -mostAlone);
			const ids = (await searchNames(list, first.id, signal)) ?? new Set(older.map(({ id }) => id));
			named.set(listKey(list), { toId: older.at(-1)?.id ?? 0, ids });
		}
	}

	/** True for a mail whose text can't name the account, as the search of the server said. */
	function isUnnamed(list: ListRef, mail: ShortEmail): boolean {
		const { toId = 0, ids } = named.get(listKey(list)) ?? {};
		return mail.id <= toId && ids?.has(mail.id) === false && !own.threads.has(threadOf(mail));
	}

	return {
		isUnnamed,
		/** Mentions of the account in a mail; `undefined` for a refused or unreadable mail. */
		says,
		/**
		 * Reads texts before `tell`, as few requests as possible. `unread`: an own list has many, and entries of it need
		 * none.
		 */
		async prepare(list: ListRef, waiting: readonly ShortEmail[], signal: AbortSignal): Promise<'read' | 'unread'> {
			const [first] = waiting;
			const isKnown = (): boolean => first !== undefined && lists.mails.known(first.id) !== undefined;
			await lookForNames(list, waiting, signal);
			if (first && isUnnamed(list, first)) {
				return 'unread';
			}
			const needed = waiting.filter(
				(mail) =>
					first !== undefined &&
					threadOf(mail) === threadOf(first) &&
					!isPatchMail(mail) &&
					mail.sender?.canonicalName !== me,
			);
			// Reads the texts of a thread with one request, if two new mails of it need theirs. Some servers send none.
			if (first && !areThreadsBare && needed.length >= 2 && needed.includes(first) && !isKnown()) {
				spend();
				const reading = lists.uncached.thread(threadOf(first), signal);
				const isThere = await answered(reading.then((thread) => thread.forEach((mail) => lists.mails.take(mail))));
				areThreadsBare = isThere && !isKnown();
			}
			return areThreadsBare && waiting.length > mostAlone && lists.collection.isMine(list) ? 'unread' : 'read';
		},
		/** Entries for a new mail. None for own mails and for patches with a patchset. */
		notices,
		/** Adds entries for patches without a patchset after ten minutes. */
		tellLonePatches,
		/** Reads a new mail if necessary and adds its entries. Call with the oldest first. */
		async tell(list: ListRef, mail: ShortEmail, how: 'read' | 'unread', signal: AbortSignal) {
			const entries = await notices(list, mail, how, signal);
			// A patch that may still join a patchset.
			const isOpen =
				isPatchMail(mail) &&
				mail.patchsetId === undefined &&
				mail.sender?.canonicalName !== me &&
				!(await isLaterVersion(list, mail, signal));
			const open = [...openPatchesIn(list), { id: mail.id, threadId: threadOf(mail), atMs: clock.nowMs() }];
			const sinceMs = inbox.position(placeOfList(list))?.sinceMs ?? clock.nowMs();
			inbox.add({
				entries,
				positions: new Map([
					[placeOfList(list), { sinceMs, newestId: mail.id, detail: '' }],
					...(isOpen ? [positionOfOpen(list, open.slice(-mostOpenPatches))] : []),
				]),
			});
		},
	};
}

function threadOf({ id, threadId }: ShortEmail): number {
	return threadId ?? id;
}
