import { isAbort } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import { Disposables } from '../../base/lifecycle.ts';
import type { DeliveryHint } from '../../forge/port/deliveryHint.ts';
import { listKey, type ListRef, type PatchsetRef } from '../../forge/port/list.ts';
import { refText } from '../../forge/port/namedRef.ts';
import type { RepositoryRef } from '../../forge/port/repository.ts';
import type { TicketRef } from '../../forge/port/ticket.ts';
import type { OwnerName } from '../../forge/port/user.ts';
import { fastestMs } from '../background/adaptivePace.ts';
import type { Background, BackgroundTask, BackgroundTimes } from '../background/backgroundLoop.ts';
import { budgetedTask } from '../background/budgetedTask.ts';
import type { ListStore } from '../lists/listStore.ts';
import type { RepositoryStore } from '../repositories/repositoryStore.ts';
import { type HintedThing, type HintedSpending, nothingMore, orGone } from './hintedThing.ts';
import { hintedTickets, type HintedTicketsParts } from './hintedTickets.ts';
import type { ListWatch } from './listWatch.ts';
import type { RepositoryWatch } from './repositoryWatch.ts';

/** Limit of saved reads in a row. */
const mostSaved = 6;

/** Beyond this number, forgets things with all their reads left. */
const mostThings = 1000;

/** One mail triggers several webhooks within seconds, and a series brings a mail per second. */
const settleMs = 1500;

/** Beyond this number, the newest page of the tracker replaces single reads. */
const mostTickets = 20;

export interface HintedReadsParts extends HintedThingsParts {
	readonly background: Background;
	readonly clock: Clock;
}

interface Waiting {
	readonly thing: HintedThing;
	/** First and last delivery since the last read. */
	readonly firstMs: number;
	readonly lastMs: number;
	readonly failures: number;
	/** Back-off after a failure. */
	readonly restUntilMs: number;
}

/** Ahead of polling. */
const share = 0.95;
const minuteMs = 60_000;
/** Longest debounce for a burst of deliveries. */
const mostSettleMs = 10_000;
/** Polling takes over after so many failures. */
const mostFailures = 3;

/**
 * Queues one read per thing, however many deliveries arrive. A delivery during the read queues another one.
 * `readingPace` limits the rate.
 */
export function hintedReads(parts: HintedReadsParts) {
	const { background, clock } = parts;
	const owned = new Disposables();
	const waiting = new Map<string, Waiting>();
	const pace = readingPace(clock);
	const things = hintedThings({ ...parts, spend: () => background.budget.spend() });

	owned.add(
		background.loop.add({
			tasks: (times) => [...waiting].map(([key, each]) => task(times, key, each)),
			hurry: () => undefined,
			clockWentBack(byMs) {
				pace.clockWentBack(byMs);
				waiting.forEach((each, key) =>
					waiting.set(key, {
						...each,
						firstMs: each.firstMs - byMs,
						lastMs: each.lastMs - byMs,
						restUntilMs: each.restUntilMs - byMs,
					}),
				);
			},
		}),
	);

	function task(times: BackgroundTimes, key: string, each: Waiting): BackgroundTask {
		const { thing, firstMs, lastMs, restUntilMs } = each;
		const settledMs =
			thing.settleMs === undefined ? firstMs : Math.min(lastMs + thing.settleMs, firstMs + mostSettleMs);
		return budgetedTask(times, {
			budget: background.budget,
			share,
			wishedMs: Math.max(settledMs, restUntilMs, pace.readyAtMs(key, thing.everyMs)),
			isApart: thing.isApart,
			isTold: true,
			async read(signal) {
				// A delivery from here on queues another read.
				waiting.delete(key);
				pace.spend(key, thing.everyMs);
				try {
					const others = await thing.read(lastMs, signal);
					others.forEach(take);
				} catch (error) {
					const isLast = each.failures + 1 >= mostFailures;
					if (!isAbort(error) && !isLast && !waiting.has(key)) {
						waiting.set(key, { ...each, failures: each.failures + 1, restUntilMs: clock.nowMs() + 5 * minuteMs });
					}
					throw error;
				}
			},
			failed: () => undefined,
		});
	}

	function take(hint: DeliveryHint): void {
		for (const thing of things(hint, countOf)) {
			const nowMs = clock.nowMs();
			const before = waiting.get(thing.key) ?? { firstMs: nowMs, failures: 0, restUntilMs: 0 };
			waiting.set(thing.key, { ...before, thing, lastMs: nowMs });
		}
		background.loop.plan();
	}

	function countOf(prefix: string): number {
		return [...waiting.keys()].filter((key) => key.startsWith(prefix)).length;
	}

	return { take, dispose: () => owned.dispose() };
}

interface HintedThingsParts extends HintedTicketsParts, HintedListsParts, HintedRepositoriesParts {}

/**
 * Reads for a hint. None for things that the account neither follows, chose nor shows, because anyone can trigger
 * hints. `waiting`: number of queued keys with a prefix.
 */
type HintedThings = (hint: DeliveryHint, waiting: (prefix: string) => number) => readonly HintedThing[];

function hintedThings(parts: HintedThingsParts & HintedSpending): HintedThings {
	const tickets = hintedTickets(parts);
	const lists = hintedLists(parts);
	const repositories = hintedRepositories(parts);

	function ticket(ref: TicketRef, waiting: (prefix: string) => number): HintedThing | undefined {
		const areMany = waiting(tickets.prefixOf(ref.tracker)) >= mostTickets;
		return (areMany ? tickets.newest(ref.tracker) : undefined) ?? tickets.ticket(ref);
	}

	return (hint, waiting) => {
		switch (hint.kind) {
			case 'ticket':
				return some(ticket(hint.ref, waiting));
			case 'tickets':
				return some(tickets.newest(hint.tracker));
			case 'tracker':
				return some(tickets.tracker(hint.ref));
			case 'labels':
				return some(tickets.labels(hint.tracker));
			case 'ownTrackers':
				return [tickets.ownTrackers];
			case 'list':
				return some(lists.list(hint.ref));
			case 'mails':
			case 'patchsets':
				return some(lists.rows(hint.list));
			case 'mail':
				return [(hint.list && lists.rows(hint.list)) ?? lists.ownMails];
			case 'patchset':
				return some(lists.patchset(hint.ref), lists.rows(hint.ref.list));
			case 'ownMails':
				return [lists.ownMails];
			case 'ownLists':
				return some(lists.ownLists());
			case 'subscriptions':
				return some(lists.subscriptions());
			case 'ownRepositories':
				return some(repositories.ownRepositories());
			case 'repository':
				return some(repositories.repository(hint.ref));
			case 'references':
				return some(repositories.references(hint.repository));
		}
	};
}

function some(...things: readonly (HintedThing | undefined)[]): readonly HintedThing[] {
	return things.filter((each) => each !== undefined);
}

interface HintedListsParts {
	readonly lists: Pick<
		ListStore,
		'knownList' | 'knownOwn' | 'knownPatchset' | 'renewList' | 'renewOwnLists' | 'renewPatchset' | 'renewSubscriptions'
	>;
	readonly listWatch: Pick<ListWatch, 'isWatched' | 'due' | 'ownMailsDue'>;
	readonly me: OwnerName;
}

/** Reads for hints about lists; `undefined` for lists that the account neither watches nor shows. */
function hintedLists({ lists, listWatch, me, spend }: HintedListsParts & HintedSpending) {
	function thing(key: string, read: HintedThing['read']): HintedThing {
		return { key, everyMs: fastestMs, isApart: true, read };
	}

	return {
		/** Newest mails and patchsets. */
		rows(list: ListRef): HintedThing | undefined {
			const read: HintedThing['read'] = (sinceMs) => {
				listWatch.due(list, sinceMs);
				return Promise.resolve(nothingMore);
			};
			return listWatch.isWatched(list) ? { ...thing(`rows ${listKey(list)}`, read), settleMs } : undefined;
		},
		/** An older patchset is missing from the newest rows. */
		patchset(ref: PatchsetRef) {
			const read: HintedThing['read'] = (_, signal) => {
				spend();
				return orGone(lists.renewPatchset(ref, signal), nothingMore);
			};
			return lists.knownPatchset(ref) ? thing(`patchset ${listKey(ref.list)} ${ref.id}`, read) : undefined;
		},
		list(ref: ListRef) {
			const read: HintedThing['read'] = (_, signal) => {
				spend();
				const own = ref.owner === me ? [{ kind: 'ownLists' } as const] : [];
				// Both reads find its row.
				return orGone(lists.renewList(ref, signal), [...own, { kind: 'subscriptions' }]);
			};
			const isWanted = listWatch.isWatched(ref) || lists.knownList(ref) !== undefined;
			return isWanted ? thing(`list ${listKey(ref)}`, read) : undefined;
		},
		ownLists: () =>
			lists.knownOwn().lists &&
			thing('own lists', (_, signal) => lists.renewOwnLists(spend, signal).then(() => nothingMore)),
		subscriptions: () =>
			lists.knownOwn().subscriptions &&
			thing('subscriptions', (_, signal) => lists.renewSubscriptions(spend, signal).then(() => nothingMore)),
		ownMails: thing('own mails', () => {
			listWatch.ownMailsDue();
			return Promise.resolve(nothingMore);
		}),
	};
}

interface HintedRepositoriesParts {
	readonly repositories: RepositoryStore;
	readonly repositoryWatch: Pick<RepositoryWatch, 'isWatched' | 'due'>;
	readonly me: OwnerName;
}

/** Reads for hints about repositories; `undefined` for repositories that the account neither watches nor shows. */
function hintedRepositories({ repositories, repositoryWatch, me, spend }: HintedRepositoriesParts & HintedSpending) {
	function thing(key: string, read: HintedThing['read']): HintedThing {
		return { key, everyMs: fastestMs, isApart: true, read };
	}

	return {
		references(ref: RepositoryRef) {
			const isWatched = repositoryWatch.isWatched(ref);
			const read: HintedThing['read'] = (sinceMs) => {
				if (isWatched) {
					repositoryWatch.due(ref, sinceMs);
				} else {
					// Visible views read again.
					repositories.apply({ kind: 'referencesMoved', ref });
				}
				return Promise.resolve(nothingMore);
			};
			const isWanted = isWatched || repositories.names.known(ref)?.references.known() !== undefined;
			return isWanted ? thing(`references ${refText(ref)}`, read) : undefined;
		},
		repository(ref: RepositoryRef) {
			const read: HintedThing['read'] = (_, signal) => {
				spend();
				return orGone(
					repositories.metadata.renew(ref, signal),
					ref.owner === me ? [{ kind: 'ownRepositories' }] : nothingMore,
				);
			};
			const isWanted = repositoryWatch.isWatched(ref) || repositories.metadata.known(ref) !== undefined;
			return isWanted ? thing(`repository ${refText(ref)}`, read) : undefined;
		},
		ownRepositories: () =>
			repositories.own.known() &&
			thing('own repositories', (_, signal) => repositories.own.renewAll(spend, signal).then(() => nothingMore)),
	};
}

interface Saved {
	/** Reads left. */
	readonly readings: number;
	readonly atMs: number;
}

/** Rate limit of hinted reads: on average the fastest poll interval. A quiet thing saves up a few reads. */
export function readingPace({ nowMs }: Pick<Clock, 'nowMs'>) {
	const spent = new Map<string, Saved>();
	let first: Saved = { readings: 1, atMs: nowMs() };

	function left(thing: string, everyMs: number): number {
		const { readings, atMs } = spent.get(thing) ?? first;
		return Math.min(mostSaved, readings + (nowMs() - atMs) / everyMs);
	}

	return {
		/** Time of the next allowed read, in milliseconds since 1970. `everyMs`: fastest poll interval. */
		readyAtMs(thing: string, everyMs: number) {
			const missing = Math.max(0, 1 - left(thing, everyMs));
			return nowMs() + Math.ceil(missing * everyMs);
		},
		/** Call before a read. */
		spend(thing: string, everyMs: number) {
			spent.set(thing, { readings: left(thing, everyMs) - 1, atMs: nowMs() });
			if (spent.size > mostThings) {
				// The first one has saved the most since.
				const [oldest] = spent.keys();
				spent.delete(oldest ?? thing);
			}
		},
		clockWentBack(byMs: number) {
			first = { ...first, atMs: first.atMs - byMs };
			spent.forEach((saved, thing) => spent.set(thing, { ...saved, atMs: saved.atMs - byMs }));
		},
	};
}
