import { isAbort } from '../../../base/abort.ts';
import { refText } from '../../../forge/namedRef.ts';
import { patchSubject } from '../../../forge/patchSubject.ts';
import { refOfList, type ListRef, type Patchset, type ShortEmail } from '../../../forge/list.ts';
import type { Connection } from '../../../state/connection.ts';
import type { MailSummary } from '../../../state/lists/mailSummary.ts';
import { isSetAmong } from '../../../state/people/sentBy.ts';
import { SharedReads } from '../../../base/sharedFlights.ts';
import type { SeenList } from './seenList.ts';

/** The conversations of a list in which the account has written lately. */
export interface OwnReplies {
	/**
	 * Reads them, so that boards that are shown together know what was answered before anybody opens it: one request for the
	 * account's own mails and one for each conversation, those of patchsets that wait first, then the newest. A failure is
	 * logged; throws an abort only.
	 */
	read(wanted: readonly WantedReplies[], signal: AbortSignal): Promise<void>;
	/** The mails of the conversation that a patchset stands in, where it was read. */
	conversationOf(seen: SeenList, patchset: Patchset): readonly MailSummary[] | undefined;
	/** Reads anew the next time. */
	forget(): void;
}

/** Patchsets of a list of which it is to be known whether they were answered; at least one. */
interface WantedReplies {
	readonly seen: SeenList;
	readonly patchsets: readonly Patchset[];
}

/**
 * So many at a time of all lists together, and of each list. Whole mails come with each; replies of one's own beyond these are
 * found when their patchset is unfolded.
 */
const mostThreads = 12;
const atATime = 4;

export function ownReplies(log: (error: unknown) => void): OwnReplies {
	let mine = new WeakMap<Connection, readonly ShortEmail[]>();
	/** Numbers of the conversations that were read, by the names of their lists. */
	let read = new WeakMap<Connection, Map<string, Set<number>>>();
	/** Counts how often it was forgotten. */
	let looks = 0;
	const mineReads = new SharedReads<void>();

	async function readMine(connection: Connection, signal: AbortSignal): Promise<void> {
		if (mine.has(connection)) {
			return;
		}
		// An answer to what was asked before `forget` is not taken for a new one.
		const into = mine;
		await mineReads.read(
			`${looks} ${connection.key}`,
			async (shared) => {
				into.set(connection, await connection.lists.ownMails.read(shared));
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

	/** The conversations of a list that are to be read, each by its newest reply. */
	function dueIn({ seen, patchsets }: WantedReplies): readonly DueThread[] {
		const { connection, list } = seen;
		const sinceMs = patchsets.reduce((oldest, { createdMs }) => Math.min(oldest, createdMs), Infinity);
		const waiting = threadsOf(seen, patchsets);
		const done = readIn(seen);
		const newest = new Map<number, DueThread>();
		for (const { threadId: id, list: written, createdMs, subject } of mine.get(connection) ?? []) {
			const isHere = written !== undefined && keyOf(refOfList(written)) === keyOf(list) && createdMs >= sinceMs;
			if (isHere && id !== undefined && !done.has(id) && createdMs > (newest.get(id)?.atMs ?? -Infinity)) {
				newest.set(id, { seen, id, atMs: createdMs, rank: rankOf(waiting.has(id), subject), done });
			}
		}
		return newestOf([...newest.values()], mostThreads - done.size);
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
			await Promise.all(Array.from(connections, (connection) => tried(() => readMine(connection, signal))));
			const waiting = newestOf(wanted.flatMap(dueIn), mostThreads).values();
			const walk = async (): Promise<void> => {
				for (const { seen, id, done } of waiting) {
					await tried(async () => {
						// Who reads the same at the same time waits for the same request.
						await seen.connection.lists.thread(seen.list, id, signal);
						done.add(id);
					});
				}
			};
			await Promise.all(Array.from({ length: atATime }, walk));
		},
		conversationOf(seen, patchset) {
			for (const id of readIn(seen)) {
				const mails = seen.connection.lists.knownThread(seen.list, id);
				if (mails && isSetAmong(mails, patchset)) {
					return mails;
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

/** A conversation that is to be read. */
interface DueThread {
	readonly seen: SeenList;
	readonly id: number;
	/** When the account wrote in it last. */
	readonly atMs: number;
	/** 0 where a patchset that waits is known to stand in it, 1 where it may be one's, by the reply's subject. */
	readonly rank: 0 | 1 | 2;
	/** Those of its list that were read since the last new look. */
	readonly done: Set<number>;
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

function newestOf(all: readonly DueThread[], most: number): readonly DueThread[] {
	return all.toSorted((a, b) => a.rank - b.rank || b.atMs - a.atMs).slice(0, Math.max(0, most));
}

function keyOf(list: ListRef): string {
	return refText(list).toLowerCase();
}
