import type { Clock } from '@forge-desk/base/clock.ts';
import { isForgeError } from 'sourcehut/port/forgeError.ts';
import type { Patchset, PatchsetRef } from 'sourcehut/port/list.ts';
import type { Mark } from 'sourcehut/port/mark.ts';
import { spelled } from 'sourcehut/port/word.ts';
import { senderIn } from 'patchmail/mail/onlySender.ts';
import {
	isMarkKind,
	parseListFilter,
	type ListFilter,
	type ListFilterReading,
} from '../../../engine/search/mails/listFilter.ts';
import { matchMail } from '../../../engine/search/mails/matchMail.ts';
import { matchPatchset } from '../../../engine/search/mails/matchPatchset.ts';
import type { Match, SearchViewer } from '../../../engine/search/mails/searchedMail.ts';
import type { Connection } from '../../../store/connection.ts';
import type { ThreadSummary } from '../../../store/lists/listThreads.ts';
import { isBeingRead } from '../../../store/shared/listing.ts';
import { listMarks } from '../marks/listMarks.ts';
import { ownReplies, type WantedReplies } from './ownReplies.ts';
import { reviewBoard, type BoardView } from './reviewBoard.ts';
import { searchedPatchset, searchedThread } from './searchedThings.ts';
import { perList, type AccountList } from './accountList.ts';
import { isAbort } from '@forge-desk/base/abort.ts';
import { SharedReads } from '@forge-desk/base/sharedFlights.ts';

/** Result of a filter. */
export interface Left<T> {
	readonly shown: readonly T[];
	/** Undecided until their mails load. */
	readonly undecided: readonly T[];
}

/** Computes the visible items of lists. Only `prepare` and the read methods make requests. */
export type ListFinder = ReturnType<typeof listFinder>;

/** Computes everything from current data, without a cache of results. */
export function listFinder(clock: Clock, log: (error: unknown) => void) {
	const addresses = myAddresses(log);
	const replies = ownReplies(clock, log);
	const board = reviewBoard(replies);
	const matches = cachedMatches();
	const frozen = frozenMarks();
	const marks = listMarks((connection) => addresses.known(connection));
	/** Counts the new looks. */
	let looks = 0;

	function viewer(connection: Connection): SearchViewer {
		const address = addresses.known(connection);
		return { me: connection.me, addresses: address === undefined ? [] : [address], senderIn };
	}

	const viewOf = ({ connection }: AccountList): BoardView => ({
		address: addresses.known(connection),
		nowMs: clock.nowMs(),
	});

	const read = (seen: AccountList, text: string): ListFilterReading =>
		parseListFilter(
			text,
			patchsetsOf(seen).map(({ status }) => spelled(status)),
		);

	function applied(seen: AccountList): ListFilterReading | undefined {
		const { filter } = seen.connection.listChoices.of(seen.list);
		return filter === '' ? undefined : read(seen, filter);
	}

	/** A filter as this viewer means it. */
	function asked(seen: AccountList, reading: ListFilterReading | undefined) {
		const filter = usable(reading);
		const who = viewer(seen.connection);
		const meaning = meaningOf(filter, who);
		// The item's mark for the filter; computed only if the filter uses it.
		const usesMarks =
			filter?.terms.some(({ condition }) => condition.kind === 'is' && isMarkKind(condition.what)) === true;
		const frozenMark = frozen.of(seen, meaningOf(usable(applied(seen)), who), meaning);
		const markOf: FrozenMark = usesMarks ? frozenMark : () => undefined;
		return { filter, who, meaning, markOf };
	}

	/** Lists with patchsets that may have the account's reply. */
	function unsureIn(lists: readonly AccountList[]): readonly WantedReplies[] {
		return lists.flatMap((seen) => {
			const patchsets = board.unsure(seen, viewOf(seen), patchsetsOf(seen));
			return patchsets.length > 0 ? [{ seen, patchsets }] : [];
		});
	}

	/** On an earlier window's board, a superseded patchset may stand for a newer version in its thread. */
	async function readRevised(seen: AccountList, signal: AbortSignal): Promise<void> {
		const { lists, reviews } = seen.connection;
		const superseded = patchsetsOf(seen).filter(({ status }) => status === 'superseded');
		const before = superseded.length === 0 ? undefined : await lists.keptPlaces(seen.list);
		const open = superseded.filter(({ id }) => (before?.get(id) ?? 'done') !== 'done');
		// The version may be in the thread of any earlier one.
		const all = open.flatMap((each) => [...reviews.earlierVersions({ list: seen.list, id: each.id }), each]);
		await fourAtATime(all, ({ id }) => reviews.read({ list: seen.list, id }, signal)).catch((error: unknown) => {
			signal.throwIfAborted();
			log(error);
		});
	}

	return {
		/** Loads facts about the account for boards and filters. Fails only by an abort. */
		prepare: (connection: Connection, signal: AbortSignal) => addresses.read(connection, signal),
		/**
		 * Loads the account's replies in these lists, so that boards needn't wait for them. Skips lists without open
		 * patchsets by others, and lists from another window's cache, whose boards come with it. Fails only by an abort.
		 */
		async prepareBoards(lists: readonly AccountList[], signal: AbortSignal) {
			let look: number;
			let now: readonly AccountList[];
			do {
				look = looks;
				// A view may show another window's cache while the request is running.
				now = lists.filter(({ connection, list }) => !isBeingRead(connection.lists.patchsets(list).before()));
				await Promise.all(lists.map((seen) => board.recall(seen)));
				const accounts = new Set(now.map(({ connection }) => connection));
				await Promise.all([
					...[...accounts].map((connection) => addresses.read(connection, signal)),
					...now.map((seen) => readRevised(seen, signal)),
				]);
				const wanted = now.flatMap((seen) => {
					const due = board.undecided(seen, viewOf(seen), patchsetsOf(seen));
					return due.length > 0 ? [{ seen, patchsets: due }] : [];
				});
				if (wanted.length > 0) {
					await replies.read(wanted, signal);
				}
				// A reset during the load discarded its results.
			} while (look !== looks);
			now.forEach((seen) => board.settle(seen, viewOf(seen), patchsetsOf(seen)));
		},
		/**
		 * Number of threads with the account's replies that no window has loaded, while patchsets of these lists may need
		 * its review.
		 */
		unreadReplies: (lists: readonly AccountList[]) =>
			unsureIn(lists).reduce((sum, wanted) => sum + replies.unread(wanted), 0),
		/** Loads some of these threads for the boards. Fails only by an abort. */
		async readReplies(lists: readonly AccountList[], signal: AbortSignal) {
			const wanted = unsureIn(lists);
			await replies.readOn(wanted, signal);
			for (const { seen, patchsets } of wanted) {
				board.lookAgainAt(seen, patchsets);
				board.settle(seen, viewOf(seen), patchsetsOf(seen));
			}
		},
		/** The list's filter; `undefined` if there is none. */
		applied,
		/** Parses a filter with the statuses that occur in the list. */
		read,
		patchsets(seen: AccountList, reading: ListFilterReading | undefined, all: readonly Patchset[]) {
			const { connection, list } = seen;
			const { filter, who, meaning, markOf } = asked(seen, reading);
			const matching = filter && matchPatchset(filter, who);
			return left(
				all,
				matching &&
					((each) => {
						const mark = markOf(`patchset ${each.id}`, () => marks.patchset(connection, list, each));
						const { things, from } = searchedPatchset(connection, list, { patchset: each, mark });
						return matches(each, [meaning, ...from], () => matching(things()));
					}),
			);
		},
		threads(seen: AccountList, reading: ListFilterReading | undefined, all: readonly ThreadSummary[]) {
			const { connection, list } = seen;
			const { filter, who, meaning, markOf } = asked(seen, reading);
			const matching = filter && matchMail(filter, who);
			return left(
				all,
				matching &&
					((each) => {
						const mark = markOf(`thread ${each.id}`, () => marks.thread(connection, list, each));
						const { things, from } = searchedThread(connection, list, { thread: each, mark });
						// A thread matches if one of its mails does.
						return matches(each.first ?? each.latest, [meaning, ...from], () => {
							const found = things().map(matching);
							return found.includes('yes') ? 'yes' : found.includes('unknown') ? 'unknown' : 'no';
						});
					}),
			);
		},
		/** Loads the mails of undecided patchsets. */
		async readPatchsets(
			{ connection: { lists, texts }, list }: AccountList,
			some: readonly Patchset[],
			signal: AbortSignal,
		) {
			const all = await fourAtATime(some, async ({ id }) => {
				const { cover, patches } = await lists.series({ list, id }, signal);
				return [...(cover ? [cover.id] : []), ...patches.map((mail) => mail.id)];
			});
			await texts.readAll(all.flat(), signal);
		},
		/** The same for conversations. */
		async readThreads(
			{ connection: { lists, texts }, list }: AccountList,
			some: readonly ThreadSummary[],
			signal: AbortSignal,
		) {
			const all = await fourAtATime(some, ({ id }) => lists.thread(list, id, signal));
			await texts.readAll(
				all.flat().map(({ id }) => id),
				signal,
			);
		},
		/** Unread marks. */
		marks,
		/** The searching account, from loaded data. */
		viewer,
		/** Call after the account sent a mail about a patchset; the forge may not show it yet. */
		answered: (connection: Connection, { list, id }: PatchsetRef) => board.answered({ connection, list }, id),
		/** Groups patchsets by the account's next action. */
		board: (seen: AccountList, patchsets: readonly Patchset[]) => board.of(seen, viewOf(seen), patchsets),
		/** Older versions by the number of their newest one, if both are among these patchsets. */
		olderVersions(
			{ connection: { reviews }, list }: AccountList,
			patchsets: readonly Patchset[],
		): ReadonlyMap<number, readonly Patchset[]> {
			const shown = new Set(patchsets.map(({ id }) => id));
			const above = new Map<number, number>();
			const versions = reviews.versionsIn(list);
			// Somebody decided an approval, so it stays.
			for (const { id } of patchsets.filter(({ status }) => status !== 'approved')) {
				const { newest } = versions(id);
				if (newest && shown.has(newest.id)) {
					above.set(id, newest.id);
				}
			}
			const newestOf = (id: number): number => {
				const passed = new Set<number>();
				for (let at = id; !passed.has(at); at = above.get(at) ?? at) {
					passed.add(at);
				}
				return [...passed].at(-1) ?? id;
			};
			return Map.groupBy(
				patchsets.filter(({ id }) => above.has(id)),
				({ id }) => newestOf(id),
			);
		},
		/** Whose turn a patchset waits for. */
		turn: (seen: AccountList, patchset: Patchset) => board.turn(seen, viewOf(seen), patchset),
		/** Time of the last mail about a patchset; `undefined` if unknown. */
		saidMs: (seen: AccountList, patchset: Patchset) => board.saidMs(seen, patchset),
		/** Includes facts that arrived after the board first appeared. */
		lookAnew() {
			looks += 1;
			replies.forget();
			board.lookAnew();
			frozen.forget();
		},
	};
}

function patchsetsOf({ connection, list }: AccountList): readonly Patchset[] {
	return connection.lists.knownPatchsets(list);
}

/** An invalid filter hides nothing; its row shows the problem. */
function usable(reading: ListFilterReading | undefined): ListFilter | undefined {
	return reading?.kind === 'filter' ? reading.filter : undefined;
}

/** The same text for filters that mean the same to the same viewer. */
function meaningOf(filter: ListFilter | undefined, { me, addresses }: SearchViewer): string {
	return JSON.stringify([filter?.terms, me, addresses]);
}

function left<T>(all: readonly T[], matching: ((each: T) => Match) | undefined): Left<T> {
	if (!matching) {
		return { shown: all, undecided: [] };
	}
	const matches = new Map(all.map((each) => [each, matching(each)]));
	return {
		shown: all.filter((each) => matches.get(each) === 'yes'),
		undecided: all.filter((each) => matches.get(each) === 'unknown'),
	};
}

/** Refused and missing items stay undecided; rethrows other errors. */
async function fourAtATime<T, R>(some: readonly T[], work: (each: T) => Promise<R>): Promise<readonly R[]> {
	const waiting = some.values();
	const done: R[] = [];
	const walk = async (): Promise<void> => {
		for (const each of waiting) {
			try {
				done.push(await work(each));
			} catch (error) {
				if (!isForgeError(error) || (error.problem.kind !== 'notFound' && error.problem.kind !== 'notAllowed')) {
					throw error;
				}
			}
		}
	};
	await Promise.all([walk(), walk(), walk(), walk()]);
	return done;
}

/** Returns the result for `what`; calls `look` again if an element of `from` changed. */
type CachedMatches = (what: object, from: readonly (object | string | undefined)[], look: () => Match) => Match;

/** Cache of matches: redraws are frequent, mails never change, and their texts are long. Holds `from` weakly. */
function cachedMatches(): CachedMatches {
	const known = new WeakMap<object, { readonly from: string; readonly match: Match }>();
	const numbers = new WeakMap<object, number>();
	let last = 0;

	return (what, parts, look) => {
		const names = parts.map((part) => {
			if (typeof part !== 'object') {
				return part ?? '';
			}
			const number = numbers.get(part) ?? (last += 1);
			numbers.set(part, number);
			return number;
		});
		const from = JSON.stringify(names);
		const before = known.get(what);
		const now = before?.from === from ? before : { from, match: look() };
		known.set(what, now);
		return now.match;
	};
}

/** Mark of an item for the filter. */
type FrozenMark = (name: string, markNow: () => Mark | undefined) => Mark | undefined;

/** Marks for a list's filter: an item stays listed as unread while the user reads it. */
function frozenMarks() {
	let lists = perList(() => ({ applied: '', marks: new Map<string, Mark>() }));
	return {
		/**
		 * Marks of one list by name. `applied`: the list's filter; `asked`: the current query. Other queries see the
		 * current marks.
		 */
		of(seen: AccountList, applied: string, asked: string): FrozenMark {
			const frozen = lists(seen);
			if (frozen.applied !== applied) {
				Object.assign(frozen, { applied, marks: new Map() });
			}
			return (name, markNow) => {
				const now = markNow();
				if (asked !== applied) {
					return now;
				}
				if (now) {
					frozen.marks.set(name, now);
				}
				return now ?? frozen.marks.get(name);
			};
		},
		/** Releases items that became read. */
		forget() {
			lists = perList(() => ({ applied: '', marks: new Map() }));
		},
	};
}

/** Asks each account's profile in the area of lists. */
export function myAddresses(log: (error: unknown) => void) {
	const read = new WeakMap<Connection, string | undefined>();
	const reads = new SharedReads<void>();

	return {
		/** From this or an earlier window, without a request; `undefined` if unknown. */
		known(connection: Connection): string | undefined {
			const { me, people } = connection;
			return read.get(connection) ?? people.ownAddress() ?? people.known(me)?.address;
		},
		/** Loads once for all callers. Logs errors; a later call retries unless the forge refused. */
		async read(connection: Connection, signal: AbortSignal) {
			if (read.has(connection)) {
				return;
			}
			await reads.read(
				connection.key,
				async (shared) => {
					try {
						const { email } = await connection.people.ownProfile(shared);
						read.set(connection, email);
					} catch (error) {
						if (isAbort(error)) {
							throw error;
						}
						log(error);
						// After a refusal, a retry would give the same answer.
						if (isForgeError(error) && ['notAllowed', 'missingScope', 'notFound'].includes(error.problem.kind)) {
							read.set(connection, undefined);
						}
					}
				},
				signal,
			);
		},
	};
}
