import { minOf } from '@forge-desk/base/longArrays.ts';
import { isSameAddress } from 'patchmail/mail/onlySender.ts';
import { patchSubject, subjectOfThread } from 'patchmail/series/patchSubject.ts';
import { listKey, type ListRef, type ShortEmail } from 'sourcehut/port/list.ts';
import { thingKey, type InboxEntry, type InboxThing } from '../inbox/inboxEntry.ts';
import { isPatchMail } from '../inbox/mailNotices.ts';
import { watchedNamed } from '../inbox/watched.ts';
import { answered } from './polling.ts';
import type { ListsContext } from './watchContext.ts';

interface WatchedFile {
	readonly path: string;
	/** Time of the user's choice. */
	readonly atMs: number;
}

/** Mails arrive late, so each look covers this time before the last one. */
const lateMs = 3 * 24 * 60 * 60_000;
const mostFilesInSearch = 10;
const mostPages = 3;
/** Threads to read in one look. The next look continues. */
const mostThreads = 20;

/** Inbox entries for new patchsets that change a watched file. A search finds them, and their patches decide. */
export function watchedFiles({ lists, texts, inbox, own, background, clock }: ListsContext) {
	/** Lists without new mails since the last whole look. */
	/** Calls of `due`, by list, and the number of calls before its last whole look. */
	const [dues, settled] = [new Map<string, number>(), new Map<string, number>()];
	const duesOf = (list: ListRef): number => dues.get(listKey(list)) ?? 0;
	const spend = (): void => background.budget.spend();

	/** Patches since `fromMs`, oldest first. None of a list that refuses the search. `isWhole`: false if older hits are left. */
	async function searched(
		list: ListRef,
		files: readonly WatchedFile[],
		fromMs: number,
		signal: AbortSignal,
	): Promise<{ readonly found: readonly ShortEmail[]; readonly isWhole: boolean }> {
		const { search, fileTerms } = lists.uncached;
		if (!search || !fileTerms) {
			return { found: [], isWhole: true };
		}
		let isWhole = true;
		const found = new Map<number, ShortEmail>();
		for (let at = 0; at < files.length; at += mostFilesInSearch) {
			const terms = fileTerms(files.slice(at, at + mostFilesInSearch).map(({ path }) => path));
			const pages = search(list, terms, signal);
			let left = terms === '' ? 0 : mostPages;
			while (left > 0) {
				spend();
				left -= 1;
				const isRead = await answered(
					pages.next().then(({ value }) => {
						const items = value?.items ?? [];
						// Archives order by arrival, and rows may have an old date or none.
						const recent = items.filter(({ createdMs }) => createdMs >= fromMs || createdMs === 0);
						recent.filter(isPatchMail).forEach((mail) => found.set(mail.id, mail));
						isWhole &&= left > 0 || recent.length === 0 || value?.completeness.kind !== 'more';
						left = recent.length === 0 ? 0 : left;
					}),
				);
				left = isRead ? left : 0;
			}
		}
		return { found: [...found.values()].toSorted((a, b) => a.createdMs - b.createdMs), isWhole };
	}

	/**
	 * Reads the patchset of a mail. Resolves to its mails, first mail first, and to its entry, if a patch changes a file
	 * that the user watched by then. Own patchsets have none.
	 */
	async function read(list: ListRef, { id }: ShortEmail, files: readonly WatchedFile[], signal: AbortSignal) {
		let thread: readonly ShortEmail[] = [];
		spend();
		await answered(
			lists.uncached.thread(id, signal).then((all) => {
				all.forEach((mail) => lists.mails.take(mail));
				thread = all;
			}),
		);
		const patchsetId = thread.find((mail) => mail.id === id)?.patchsetId;
		const mails = thread.filter((mail) => (patchsetId === undefined ? mail.id === id : mail.patchsetId === patchsetId));
		const [first] = mails;
		for (const mail of mails) {
			const { patch, reading } = await texts.readPatch(mail.id, signal);
			const from = reading.kind === 'read' ? reading.mail.from : [];
			const changed = new Set(patch?.diff.files.flatMap(({ oldPath, newPath }) => [oldPath, newPath]));
			const file = files.find(({ path, atMs }) => changed.has(path) && mail.createdMs >= atMs);
			if (first && file && !from.some(({ address }) => isSameAddress(address, own.address))) {
				const { version = 1, subject = subjectOfThread(first.subject) } = patchSubject(first.subject) ?? {};
				const thing: InboxThing =
					patchsetId === undefined
						? { kind: 'thread', list, id: first.threadId ?? id, subject }
						: { kind: 'patchset', ref: { list, id: patchsetId }, subject };
				const entry: InboxEntry = {
					// As that of the patchset's rows, so a patchset has one.
					id: `${thingKey(thing)} received`,
					thing,
					atMs: first.createdMs,
					by: from.map(({ name, address }) => (name === '' ? address : name))[0],
					reason: 'watchedFile',
					event: { kind: 'patchsetReceived', version, path: file.path },
				};
				return { mails, entry };
			}
		}
		return { mails, entry: undefined };
	}

	return {
		/** Call after new mails of the list. */
		due: (list: ListRef): void => void dues.set(listKey(list), duesOf(list) + 1),
		/** Adds entries. No-op without new mails since the last call, and without watched files. */
		async tell(list: ListRef, signal: AbortSignal): Promise<void> {
			const key = listKey(list);
			const files = inbox.choices().flatMap(({ name, watching, atMs }): readonly WatchedFile[] => {
				const watched = watchedNamed(name);
				const isHere = watched?.kind === 'file' && listKey(watched.list) === key;
				return isHere && watching !== 'nothing' ? [{ path: watched.path, atMs }] : [];
			});
			const wanted = duesOf(list);
			if (files.length === 0 || settled.get(key) === wanted) {
				return;
			}
			const name = `files ${key}`;
			const { sinceMs = 0, detail = '' } = inbox.position(name) ?? {};
			const fromMs = Math.max(minOf(files.map(({ atMs }) => atMs)), sinceMs - lateMs);
			const askedMs = Math.max(clock.nowMs(), sinceMs);
			const { found, isWhole } = await searched(list, files, fromMs, signal);
			// Mails of earlier looks that this search may find again.
			const isFound = new Set(found.map(({ id }) => id));
			const looked = new Set(
				detail
					.split(' ')
					.map(Number)
					.filter((id) => isFound.has(id)),
			);
			// The later position wins.
			let atMs = sinceMs;
			const keep = (entry: InboxEntry | undefined, wantedMs: number): void => {
				atMs = Math.max(atMs + 1, wantedMs);
				const position = { sinceMs: atMs, newestId: 0, detail: [...looked].join(' ') };
				inbox.add({ entries: entry ? [entry] : [], positions: new Map([[name, position]]) });
			};
			let threads = 0;
			for (const mail of found) {
				if (!looked.has(mail.id)) {
					if (threads === mostThreads) {
						return;
					}
					threads += 1;
					const { mails, entry } = await read(list, mail, files, signal);
					[mail, ...mails].forEach(({ id }) => isFound.has(id) && looked.add(id));
					keep(entry, 0);
				}
			}
			if (isWhole && atMs < askedMs) {
				keep(undefined, askedMs);
			}
			settled.set(key, wanted);
		},
	};
}
