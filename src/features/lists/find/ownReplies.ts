import { isAbort } from '../../../base/abort.ts';
import type { Clock } from '../../../base/clock.ts';
import { refText } from '../../../forge/namedRef.ts';
import { patchSubject } from '../../../forge/patchSubject.ts';
import { refOfList, type ListRef, type Patchset, type ShortEmail } from '../../../forge/list.ts';
import type { Connection } from '../../../state/connection.ts';
import type { MailSummary } from '../../../state/lists/mailSummary.ts';
import { isSetAmong } from '../../../series/setAmong.ts';
import { SharedReads } from '../../../base/sharedFlights.ts';
import type { SeenList } from './seenList.ts';

/** The conversations of a list in which the account has written lately. */
export interface OwnReplies {
	/**
	 * Reads them, so that boards that are shown together know what was answered before anybody opens it: one request for the
	 * account's own mails and one for each conversation. Those about patches that no window has read come first, of patchsets
	 * that wait, then the newest; then those that were read longest ago; then other talk. A failure is logged; throws an
	 * abort only.
	 */
	read(wanted: readonly WantedReplies[], signal: AbortSignal): Promise<void>;
	/** Reads as many more, because somebody wants it. */
	readOn(wanted: readonly WantedReplies[], signal: AbortSignal): Promise<void>;
	/** How many conversations about patches no window has read, as far as the account's own mails tell. */
	unread(wanted: WantedReplies): number;
	/** The mails of the conversation that a patchset stands in, where it was read since the last new look. */
	conversationOf(seen: SeenList, patchset: Patchset): readonly MailSummary[] | undefined;
	/** The same, or as it was read before that, by whichever window. */
	lastConversationOf(seen: SeenList, patchset: Patchset): readonly MailSummary[] | undefined;
	/** Reads anew the next time, and goes on with what was not read yet. What was learnt stays until it is read again. */
	forget(): void;
}

/** Patchsets of a list of which it is to be known whether they were answered; at least one. */
export interface WantedReplies {
	readonly seen: SeenList;
	readonly patchsets: readonly Patchset[];
}

/**
 * So many at a time of all lists together, and of each list. Whole mails come with each; the next look reads those after
 * them.
 */
const mostThreads = 12;
const atATime = 4;
/** More of each list are not taken from the disk: each patchset is looked for in all of them. */
const mostRecalled = 100;

export interface OwnRepliesParts {
	readonly clock: Pick<Clock, 'nowMs'>;
	readonly log: (error: unknown) => void;
}

export function ownReplies({ clock, log }: OwnRepliesParts): OwnReplies {
	/** What any look and any window has learnt, by the names of lists; `undefined` for what the disk does not have. */
	const learnt = new WeakMap<Connection, Map<string, Map<number, Learnt | undefined>>>();
	let mine = new WeakMap<Connection, readonly ShortEmail[]>();
	/** Numbers of the conversations that were read, by the names of their lists. */
	let read = new WeakMap<Connection, Map<string, Set<number>>>();
	/** Counts how often it was forgotten. */
	let looks = 0;
	const mineReads = new SharedReads<void>();

	async function readMine(connection: Connection, sinceMs: number, signal: AbortSignal): Promise<void> {
		if (mine.has(connection)) {
			return;
		}
		// An answer to what was asked before `forget` is not taken for a new one.
		const into = mine;
		await mineReads.read(
			`${looks} ${connection.key}`,
			async (shared) => {
				into.set(connection, await connection.lists.ownMails.readSince(sinceMs, shared));
			},
			signal,
		);
	}

	function readIn({ connection, list }: SeenList): Set<number> {
		const lists = read.get(connection) ?? new Map<string, Set<number>>();
		read.set(connection, lists);
		const threads = lists.get(keyOf(list)) ?? new Set<number>();
		lists.set(keyOf(list), threads);
		return threads;
	}

	function learntIn({ connection, list }: SeenList): Map<number, Learnt | undefined> {
		const lists = learnt.get(connection) ?? new Map<string, Map<number, Learnt | undefined>>();
		learnt.set(connection, lists);
		const threads = lists.get(keyOf(list)) ?? new Map<number, Learnt | undefined>();
		lists.set(keyOf(list), threads);
		return threads;
	}

	/** Takes what earlier windows have read of these conversations from the disk, once. */
	async function recall(wanted: WantedReplies): Promise<void> {
		const { seen } = wanted;
		const { connection, list } = seen;
		const threads = learntIn(seen);
		const due = dueIn(wanted).filter(({ id }) => !threads.has(id));
		const waiting = due.slice(0, Math.max(0, mostRecalled - threads.size)).values();
		const walk = async (): Promise<void> => {
			for (const { id } of waiting) {
				const kept = await connection.lists.keptThread(list, id);
				if (!threads.has(id)) {
					threads.set(id, kept && { mails: kept.value, readAtMs: kept.readAtMs });
				}
			}
		};
		await Promise.all(Array.from({ length: atATime }, walk));
		forgetOutdated(seen);
	}

	/** A conversation to which something came since it was read is one that was not read. */
	function forgetOutdated(seen: SeenList): void {
		const threads = learntIn(seen);
		for (const { id, threadId, createdMs } of seen.connection.lists.knownPosts(seen.list)?.items ?? []) {
			const known = threads.get(threadId ?? id);
			if (known && createdMs > known.readAtMs && !known.mails.some((mail) => mail.id === id)) {
				threads.set(threadId ?? id, undefined);
			}
		}
	}

	/** The conversations of a list that can be read, each by its newest reply, in the order in which they are to be. */
	function dueIn({ seen, patchsets }: WantedReplies): readonly DueThread[] {
		const { connection, list } = seen;
		const sinceMs = oldestMs(patchsets);
		const waiting = threadsOf(seen, patchsets);
		const done = readIn(seen);
		const before = learntIn(seen);
		const newest = new Map<number, DueThread>();
		for (const { threadId: id, list: written, createdMs, subject } of mine.get(connection) ?? []) {
			const isHere = written !== undefined && keyOf(refOfList(written)) === keyOf(list) && createdMs >= sinceMs;
			if (isHere && id !== undefined && !done.has(id) && createdMs > (newest.get(id)?.atMs ?? -Infinity)) {
				const rank = rankOf(waiting.has(id), subject);
				newest.set(id, { seen, id, atMs: createdMs, rank, readAtMs: before.get(id)?.readAtMs });
			}
		}
		return [...newest.values()].toSorted(inTurn);
	}

	async function readThreads(due: readonly DueThread[], signal: AbortSignal): Promise<void> {
		const waiting = due.toSorted(inTurn).slice(0, mostThreads).values();
		const walk = async (): Promise<void> => {
			for (const { seen, id } of waiting) {
				const done = readIn(seen);
				await tried(async () => {
					// Who reads the same at the same time waits for the same request.
					const mails = await seen.connection.lists.thread(seen.list, id, signal);
					done.add(id);
					const { readAtMs = clock.nowMs() } = seen.connection.lists.threadBefore(seen.list, id) ?? {};
					learntIn(seen).set(id, { mails, readAtMs });
				});
			}
		};
		await Promise.all(Array.from({ length: atATime }, walk));
	}

	/** What cannot be read is logged and leaves the board as it would be without. */
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
		async read(wanted, signal) {
			const connections = new Set(wanted.map(({ seen }) => seen.connection));
			const sinceMs = (of: Connection): number =>
				oldestMs(wanted.flatMap(({ seen, patchsets }) => (seen.connection === of ? patchsets : [])));
			await Promise.all(Array.from(connections, (each) => tried(() => readMine(each, sinceMs(each), signal))));
			await Promise.all(wanted.map(recall));
			const due = wanted.flatMap((each) => dueIn(each).slice(0, Math.max(0, mostThreads - readIn(each.seen).size)));
			await readThreads(due, signal);
		},
		readOn: (wanted, signal) => readThreads(wanted.flatMap(dueIn), signal),
		unread: (wanted) => dueIn(wanted).filter(({ rank, readAtMs }) => rank < 2 && readAtMs === undefined).length,
		conversationOf(seen, patchset) {
			for (const id of readIn(seen)) {
				const mails = seen.connection.lists.knownThread(seen.list, id);
				if (mails && isSetAmong(mails, patchset)) {
					return mails;
				}
			}
			return undefined;
		},
		lastConversationOf(seen, patchset) {
			for (const known of learntIn(seen).values()) {
				if (known && isSetAmong(known.mails, patchset)) {
					return known.mails;
				}
			}
			return undefined;
		},
		forget() {
			looks += 1;
			mine = new WeakMap();
			read = new WeakMap();
		},
	};
}

/** A conversation as it was read last. */
interface Learnt {
	readonly mails: readonly MailSummary[];
	readonly readAtMs: number;
}

/** A conversation that is to be read. */
interface DueThread {
	readonly seen: SeenList;
	readonly id: number;
	/** When the account wrote in it last. */
	readonly atMs: number;
	/** 0 where a patchset that waits is known to stand in it, 1 where it may be one's, by the reply's subject. */
	readonly rank: 0 | 1 | 2;
	/** When any window has read it last; `undefined` where none has. */
	readonly readAtMs: number | undefined;
}

/** What no window has read, then what was read longest ago; talk that is about no patch comes last. */
function inTurn(a: DueThread, b: DueThread): number {
	return (
		Number(a.rank === 2) - Number(b.rank === 2) ||
		(a.readAtMs ?? -1) - (b.readAtMs ?? -1) ||
		a.rank - b.rank ||
		b.atMs - a.atMs
	);
}

function rankOf(isWaiting: boolean, subject: string): DueThread['rank'] {
	return isWaiting ? 0 : patchSubject(subject) ? 1 : 2;
}

/** The conversations that patchsets stand in, as far as that is known without asking. */
function threadsOf({ connection: { lists }, list }: SeenList, patchsets: readonly Patchset[]): ReadonlySet<number> {
	const ids = new Set(patchsets.map(({ id }) => id));
	const posts = (lists.knownPosts(list)?.items ?? []).filter(({ patchsetId }) => ids.has(patchsetId ?? 0));
	const covers = patchsets.flatMap(({ coverLetter }) => coverLetter ?? []);
	return new Set([...covers, ...posts].map(({ id, threadId }) => threadId ?? id));
}

function oldestMs(patchsets: readonly Patchset[]): number {
	return patchsets.reduce((oldest, { createdMs }) => Math.min(oldest, createdMs), Infinity);
}

function keyOf(list: ListRef): string {
	return refText(list).toLowerCase();
}
