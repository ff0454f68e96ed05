import { isAbort } from '@forge-desk/base/abort.ts';
import type { Clock } from '@forge-desk/base/clock.ts';
import { patchSubject } from 'patchmail/series/patchSubject.ts';
import { listKey, refOfList, type Patchset, type ShortEmail } from 'sourcehut/port/list.ts';
import type { Connection } from '../../../store/connection.ts';
import type { MailSummary } from '../../../store/lists/mailSummary.ts';
import { isSetAmong } from 'patchmail/series/setAmong.ts';
import { SharedReads } from '@forge-desk/base/sharedFlights.ts';
import { perList, type AccountList } from './accountList.ts';

/** Patchsets of a list that depend on replies; at least one. */
export interface WantedReplies {
	readonly seen: AccountList;
	readonly patchsets: readonly Patchset[];
}

/** Threads per batch over all lists, and per list until `forget`. Each response contains whole mails. */
const mostThreads = 12;
const atATime = 4;
/** Threads per list loaded from disk: each patchset searches them all. */
const mostRecalled = 100;

/** Cache of the list threads in which the account wrote lately. */
export type OwnReplies = ReturnType<typeof ownReplies>;

export function ownReplies(clock: Clock, log: (error: unknown) => void) {
	/** Threads read by any window; `undefined`: not on disk. */
	const threadsIn = perList(() => new Map<number, Learnt | undefined>());
	let mine = new WeakMap<Connection, readonly ShortEmail[]>();
	/** Number of `forget` calls. */
	let round = 0;
	const mineReads = new SharedReads<void>();

	/** Ids of the threads read since `forget`. */
	function readIn(seen: AccountList): readonly number[] {
		return [...threadsIn(seen)].flatMap(([id, known]) => (known?.round === round ? [id] : []));
	}

	/** Loads due threads that earlier windows read from disk, once per thread. */
	async function recall(wanted: WantedReplies): Promise<void> {
		const { seen } = wanted;
		const { connection, list } = seen;
		const threads = threadsIn(seen);
		const due = dueIn(wanted).filter(({ id }) => !threads.has(id));
		const waiting = due.slice(0, Math.max(0, mostRecalled - threads.size)).values();
		const walk = async (): Promise<void> => {
			for (const { id } of waiting) {
				const saved = await connection.lists.keptThread(list, id);
				if (!threads.has(id)) {
					threads.set(id, saved && { mails: saved.value, readAtMs: saved.readAtMs, round: undefined });
				}
			}
		};
		await Promise.all(Array.from({ length: atATime }, walk));
		// A thread with mails after its last read counts as unread.
		for (const { id, threadId, createdMs } of connection.lists.knownPosts(list)) {
			const known = threads.get(threadId ?? id);
			if (known && known.round !== round && createdMs > known.readAtMs && !known.mails.some((mail) => mail.id === id)) {
				threads.set(threadId ?? id, undefined);
			}
		}
	}

	/** Due threads of a list, each with its newest reply, in reading order. */
	function dueIn({ seen, patchsets }: WantedReplies): readonly DueThread[] {
		const { connection, list } = seen;
		const sinceMs = oldestMs(patchsets);
		const ids = new Set(patchsets.map(({ id }) => id));
		const posts = connection.lists.knownPosts(list).filter(({ patchsetId }) => ids.has(patchsetId ?? 0));
		const covers = patchsets.flatMap(({ coverLetter }) => coverLetter ?? []);
		const waiting = new Set([...covers, ...posts].map(({ id, threadId }) => threadId ?? id));
		const before = threadsIn(seen);
		const newest = new Map<number, DueThread>();
		for (const { threadId: id, list: written, createdMs, subject } of mine.get(connection) ?? []) {
			const isHere = written !== undefined && listKey(refOfList(written)) === listKey(list) && createdMs >= sinceMs;
			const known = id === undefined ? undefined : before.get(id);
			if (isHere && id !== undefined && known?.round !== round && createdMs > (newest.get(id)?.atMs ?? -Infinity)) {
				const rank = waiting.has(id) ? 0 : patchSubject(subject) ? 1 : 2;
				newest.set(id, { seen, id, atMs: createdMs, rank, readAtMs: known?.readAtMs });
			}
		}
		return [...newest.values()].toSorted(inTurn);
	}

	async function readThreads(due: readonly DueThread[], signal: AbortSignal): Promise<void> {
		const waiting = due.toSorted(inTurn).slice(0, mostThreads).values();
		const walk = async (): Promise<void> => {
			for (const { seen, id } of waiting) {
				const startRound = round;
				await tried(async () => {
					// Concurrent reads share one request.
					const mails = await seen.connection.lists.thread(seen.list, id, signal);
					const { readAtMs = clock.nowMs() } = seen.connection.lists.threadBefore(seen.list, id) ?? {};
					threadsIn(seen).set(id, { mails, readAtMs, round: startRound });
				});
			}
		};
		await Promise.all(Array.from({ length: atATime }, walk));
	}

	/** Logs failures. The board then does without that thread. */
	async function tried(work: () => Promise<unknown>): Promise<void> {
		try {
			await work();
		} catch (error) {
			if (isAbort(error)) {
				throw error;
			}
			log(error);
		}
	}

	return {
		/**
		 * Reads these threads: one request for the account's mails, then one per thread. Never-read patch threads come first
		 * (waiting patchsets, then newest), then the least recently read, then other talk. Logs failures; throws only aborts.
		 */
		async read(wanted: readonly WantedReplies[], signal: AbortSignal) {
			const connections = new Set(wanted.map(({ seen }) => seen.connection));
			const sinceMs = (of: Connection): number =>
				oldestMs(wanted.flatMap(({ seen, patchsets }) => (seen.connection === of ? patchsets : [])));
			// A response from before `forget` must not count as new.
			const into = mine;
			const due = [...connections].filter((each) => !into.has(each));
			await Promise.all(
				due.map((each) =>
					tried(() =>
						mineReads.read(
							`${round} ${each.key}`,
							async (shared) => void into.set(each, await each.lists.ownMails.readSince(sinceMs(each), shared)),
							signal,
						),
					),
				),
			);
			await Promise.all(wanted.map(recall));
			const threads = wanted.flatMap((each) =>
				dueIn(each).slice(0, Math.max(0, mostThreads - readIn(each.seen).length)),
			);
			await readThreads(threads, signal);
		},
		/** Reads the next batch when the user requests it. */
		readOn: (wanted: readonly WantedReplies[], signal: AbortSignal) => readThreads(wanted.flatMap(dueIn), signal),
		/** Number of patch threads that no window has read, judging by the account's mails. */
		unread: (wanted: WantedReplies) =>
			dueIn(wanted).filter(({ rank, readAtMs }) => rank < 2 && readAtMs === undefined).length,
		/** Mails of the patchset's thread, if read since the last `forget`. */
		conversationOf(seen: AccountList, patchset: Patchset) {
			for (const id of readIn(seen)) {
				const mails = seen.connection.lists.knownThread(seen.list, id);
				if (mails && isSetAmong(mails, patchset)) {
					return mails;
				}
			}
			return undefined;
		},
		/** Mails of the patchset's thread from any earlier read by any window. */
		lastConversationOf(seen: AccountList, patchset: Patchset) {
			for (const known of threadsIn(seen).values()) {
				if (known && isSetAmong(known.mails, patchset)) {
					return known.mails;
				}
			}
			return undefined;
		},
		/** Starts a new round. Known mails stay until their next read. */
		forget() {
			round += 1;
			mine = new WeakMap();
		},
	};
}

/** Last read of a thread. */
interface Learnt {
	readonly mails: readonly MailSummary[];
	readonly readAtMs: number;
	/** The round of this window that read it. */
	readonly round: number | undefined;
}

/** A thread to read. */
interface DueThread {
	readonly seen: AccountList;
	readonly id: number;
	/** Time of the account's last mail in it. */
	readonly atMs: number;
	/** 0: contains a waiting patchset. 1: the reply's subject names a patch. 2: other talk. */
	readonly rank: 0 | 1 | 2;
	/** Last read by any window; `undefined` if never. */
	readonly readAtMs: number | undefined;
}

/** Never-read first, then least recently read. Talk without patches comes last. */
function inTurn(a: DueThread, b: DueThread): number {
	return (
		Number(a.rank === 2) - Number(b.rank === 2) ||
		(a.readAtMs ?? -1) - (b.readAtMs ?? -1) ||
		a.rank - b.rank ||
		b.atMs - a.atMs
	);
}

function oldestMs(patchsets: readonly Patchset[]): number {
	return patchsets.reduce((oldest, { createdMs }) => Math.min(oldest, createdMs), Infinity);
}
