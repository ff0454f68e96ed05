import { isAbort } from '@forge-desk/base/abort.ts';
import type { PagedList } from '../shared/pagedList.ts';
import type { Clock } from '@forge-desk/base/clock.ts';
import { Disposables } from '@forge-desk/base/lifecycle.ts';
import type { DeliveryHint } from 'sourcehut/port/deliveryHint.ts';
import type { ContentArea } from 'sourcehut/port/instance.ts';
import { listKey, type ListRef } from 'sourcehut/port/list.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import type { RepositoryRef } from 'sourcehut/port/repository.ts';
import { ticketRefText, type TicketRef } from 'sourcehut/port/ticket.ts';
import type { TrackerRef } from 'sourcehut/port/tracker.ts';
import { fastestMs, schedule, type Schedule } from '../background/schedule.ts';
import type { BackgroundTask } from '../background/backgroundLoop.ts';
import { newsMs } from '../tickets/index/trackedTrackers.ts';
import { trackerKey } from '../tickets/trackerRefs.ts';
import type { ListWatch } from './listWatch.ts';
import { answered } from './polling.ts';
import type { RepositoryWatch } from './repositoryWatch.ts';
import type { TicketWatch } from './ticketWatch.ts';
import type { WatchContext } from './watchContext.ts';

/** Limit of saved reads in a row. */
const mostSaved = 6;
/** Beyond this number, forgets things with all their reads left. */
const mostThings = 1000;
/** One mail triggers several webhooks within seconds, and a series brings a mail per second. */
const settleMs = 1500;
/** Longest debounce for a burst of deliveries. */
const mostSettleMs = 10_000;
/** Beyond this number, the newest page of the tracker replaces single reads. */
const mostTickets = 20;
/** Ahead of polling. */
const share = 0.95;
const restMs = 5 * 60_000;
/** Polling takes over after so many failures. */
const mostFailures = 3;

/** A thing that deliveries name and the client can read. */
interface HintedThing {
	/** Equal keys mean the same thing. */
	readonly key: string;
	/** Shortest poll interval. */
	readonly everyMs: number;
	/** Debounce for deliveries of one change. */
	readonly settleMs?: number;
	readonly area: ContentArea;
	/** `sinceMs`: time of the last delivery. Returns follow-up reads. */
	read(sinceMs: number, signal: AbortSignal): Promise<readonly DeliveryHint[]>;
}

interface Waiting {
	readonly thing: HintedThing;
	/** First and last delivery since the last read. */
	readonly firstMs: number;
	readonly lastMs: number;
	readonly rest: Schedule;
}

/**
 * Queues one read per thing, however many deliveries arrive. A delivery during the read queues another one.
 * `readingPace` limits the rate.
 */
export function hintedReads(
	context: WatchContext,
	ticketWatch: TicketWatch,
	listWatch: ListWatch,
	repositoryWatch: RepositoryWatch,
) {
	const { background, clock } = context;
	const owned = new Disposables();
	const waiting = new Map<string, Waiting>();
	const pace = readingPace(clock);
	const thingsOf = hintedThings(
		context,
		ticketWatch,
		listWatch,
		repositoryWatch,
		(prefix) => [...waiting.keys()].filter((key) => key.startsWith(prefix)).length,
	);

	owned.add(
		background.loop.add({
			tasks: () => [...waiting].map(([key, each]) => task(key, each)),
			hurry: () => waiting.forEach(({ rest }) => rest.hurry()),
		}),
	);

	function task(key: string, each: Waiting): BackgroundTask {
		const { thing, firstMs, lastMs, rest } = each;
		const settledMs =
			thing.settleMs === undefined ? firstMs : Math.min(lastMs + thing.settleMs, firstMs + mostSettleMs);
		return {
			dueMs: Math.max(settledMs, rest.dueMs, pace.readyAtMs(key, thing.everyMs)),
			share,
			area: thing.area,
			isTold: true,
			async read(signal) {
				// A delivery from here on queues another read.
				waiting.delete(key);
				pace.spend(key, thing.everyMs);
				try {
					(await thing.read(lastMs, signal)).forEach(take);
				} catch (error) {
					rest.failed();
					if (!isAbort(error) && rest.failures < mostFailures && !waiting.has(key)) {
						waiting.set(key, each);
					}
					throw error;
				}
			},
			failed: () => undefined,
		};
	}

	function take(hint: DeliveryHint): void {
		for (const thing of thingsOf(hint)) {
			if (thing) {
				const nowMs = clock.nowMs();
				const before = waiting.get(thing.key) ?? { firstMs: nowMs, rest: schedule(clock, 0, () => restMs) };
				waiting.set(thing.key, { ...before, thing, lastMs: nowMs });
			}
		}
		background.loop.plan();
	}

	return { take, dispose: () => owned.dispose() };
}

const nothingMore: readonly DeliveryHint[] = [];

/**
 * Reads for a hint. None for things that the account neither follows, chose nor shows, because anyone can trigger
 * hints. `waiting`: number of queued keys with a prefix.
 */
function hintedThings(
	{ tickets, index, lists, repositories, background, me }: WatchContext,
	ticketWatch: TicketWatch,
	listWatch: ListWatch,
	repositoryWatch: RepositoryWatch,
	waiting: (prefix: string) => number,
): (hint: DeliveryHint) => readonly (HintedThing | undefined)[] {
	const { chosen } = ticketWatch;
	const spend = (): void => background.budget.spend();
	const ofLists = { everyMs: fastestMs, area: 'lists' } as const;
	const ofGit = { everyMs: fastestMs, area: 'git' } as const;
	const ownMails = poll('own mails', () => listWatch.ownMailsDue(), ofLists);

	function thing(key: string, read: HintedThing['read'], as: Partial<HintedThing> = {}): HintedThing {
		return { key, everyMs: newsMs, area: 'todo', read, ...as };
	}

	/** Leaves the read to the poller. */
	function poll(key: string, makeDue: (sinceMs: number) => void, as?: Partial<HintedThing>): HintedThing {
		const read: HintedThing['read'] = (sinceMs) => {
			makeDue(sinceMs);
			return Promise.resolve(nothingMore);
		};
		return thing(key, read, as);
	}

	/** Reads it. After a refusal it may be gone, so the follow-up is `all` of its kind. */
	function renew(read: (signal: AbortSignal) => Promise<unknown>, all = nothingMore): HintedThing['read'] {
		return async (_, signal) => {
			spend();
			return (await answered(read(signal))) ? nothingMore : all;
		};
	}

	/** All of a kind, unless nothing shows them. */
	function allOf<T>(key: string, listed: PagedList<T>): HintedThing | undefined {
		const read: HintedThing['read'] = async (_, signal) => {
			await listed.renewAll(spend, signal);
			return nothingMore;
		};
		return listed.known() && thing(key, read, ofLists);
	}

	function ifMine(owner: string, all: DeliveryHint): readonly DeliveryHint[] {
		return owner === me ? [all] : nothingMore;
	}

	function isFollowed(tracker: TrackerRef): boolean {
		return index.trackers().some((each) => trackerKey(each) === trackerKey(tracker));
	}

	function ticket(ref: TicketRef): HintedThing | undefined {
		const areMany = waiting(`ticket ${trackerKey(ref.tracker)}#`) >= mostTickets;
		const newest = areMany ? newestTickets(ref.tracker) : undefined;
		const isWanted = isFollowed(ref.tracker) || chosen.hasTicket(ref) || tickets.knownTicket(ref) !== undefined;
		const read: HintedThing['read'] = async (_, signal) => {
			spend();
			const isThere = await answered(tickets.renewTicket(ref, signal));
			// The ticket watch reads the timeline and reports it. A ticket that only a page shows has its timeline read
			// here. A refused ticket has a refused timeline.
			if (isThere && !ticketWatch.timelineDue(ref) && tickets.knownEvents(ref)) {
				spend();
				await tickets.rereadEvents(ref, 'renew', signal);
			}
			return nothingMore;
		};
		return newest ?? (isWanted ? thing(`ticket ${ticketRefText(ref).toLowerCase()}`, read) : undefined);
	}

	function newestTickets(tracker: TrackerRef): HintedThing | undefined {
		const key = `tickets ${trackerKey(tracker)}`;
		if (isFollowed(tracker)) {
			return poll(key, (sinceMs) => index.newsDue(tracker, sinceMs));
		}
		return chosen.hasTracker(tracker)
			? poll(key, (sinceMs) => chosen.newsDue(tracker, sinceMs), { everyMs: fastestMs })
			: undefined;
	}

	function tracker(ref: TrackerRef): HintedThing | undefined {
		const isWanted = isFollowed(ref) || chosen.hasTracker(ref) || tickets.trackers.known(ref) !== undefined;
		const read = renew((signal) => tickets.trackers.read(ref, signal), ifMine(ref.owner, { kind: 'ownTrackers' }));
		return isWanted ? thing(`tracker ${trackerKey(ref)}`, read) : undefined;
	}

	/** Newest mails and patchsets. */
	function rows(list: ListRef): HintedThing | undefined {
		const makeDue = (sinceMs: number): void => listWatch.due(list, sinceMs);
		return listWatch.isWatched(list) ? poll(`rows ${listKey(list)}`, makeDue, { ...ofLists, settleMs }) : undefined;
	}

	function list(ref: ListRef): HintedThing | undefined {
		const isWanted = listWatch.isWatched(ref) || lists.collection.known(ref) !== undefined;
		// Both reads find its row.
		const all: readonly DeliveryHint[] = [...ifMine(ref.owner, { kind: 'ownLists' }), { kind: 'subscriptions' }];
		const read = renew((signal) => lists.collection.read(ref, signal), all);
		return isWanted ? thing(`list ${listKey(ref)}`, read, ofLists) : undefined;
	}

	function references(ref: RepositoryRef): HintedThing | undefined {
		const isWatched = repositoryWatch.isWatched(ref);
		const makeDue = (sinceMs: number): void =>
			isWatched
				? repositoryWatch.due(ref, sinceMs)
				: // Visible views read again.
					repositories.apply({ kind: 'referencesMoved', ref });
		const isWanted = isWatched || repositories.names.known(ref)?.references.known() !== undefined;
		return isWanted ? poll(`references ${refText(ref)}`, makeDue, ofGit) : undefined;
	}

	function repository(ref: RepositoryRef): HintedThing | undefined {
		const isWanted = repositoryWatch.isWatched(ref) || repositories.metadata.known(ref) !== undefined;
		const all = ifMine(ref.owner, { kind: 'ownRepositories' });
		const read = renew((signal) => repositories.metadata.read(ref, signal), all);
		return isWanted ? thing(`repository ${refText(ref)}`, read, ofGit) : undefined;
	}

	return (hint) => {
		switch (hint.kind) {
			case 'ticket':
				return [ticket(hint.ref)];
			case 'tickets':
				return [newestTickets(hint.tracker)];
			case 'tracker':
				return [tracker(hint.ref)];
			case 'labels': {
				const of = hint.tracker;
				const all = ifMine(of.owner, { kind: 'ownTrackers' });
				const read = renew((signal) => tickets.trackers.readLabels(of, signal), all);
				return [tickets.trackers.hasLabels(of) ? thing(`labels ${trackerKey(of)}`, read) : undefined];
			}
			case 'ownTrackers':
				return [poll('own trackers', () => index.ownTrackersDue())];
			case 'list':
				return [list(hint.ref)];
			case 'mails':
			case 'patchsets':
				return [rows(hint.list)];
			case 'mail':
				return [(hint.list && rows(hint.list)) ?? ownMails];
			case 'patchset': {
				const { ref } = hint;
				const read = renew((signal) => lists.renewPatchset(ref, signal));
				// An older patchset is missing from the newest rows.
				const older = lists.knownPatchset(ref) && thing(`patchset ${listKey(ref.list)} ${ref.id}`, read, ofLists);
				return [older, rows(ref.list)];
			}
			case 'ownMails':
				return [ownMails];
			case 'ownLists':
				return [allOf('own lists', lists.own)];
			case 'subscriptions':
				return [allOf('subscriptions', lists.subscriptions)];
			case 'ownRepositories':
				return [allOf('own repositories', repositories.own)];
			case 'repository':
				return [repository(hint.ref)];
			case 'references':
				return [references(hint.repository)];
		}
	};
}

/** Rate limit of hinted reads: on average the fastest poll interval. A quiet thing saves up a few reads. */
export function readingPace(clock: Clock) {
	/** Reads left at a time. */
	const spent = new Map<string, { readonly readings: number; readonly atMs: number }>();
	const first = { readings: 1, atMs: clock.nowMs() };

	function left(thing: string, everyMs: number): number {
		const { readings, atMs } = spent.get(thing) ?? first;
		return Math.min(mostSaved, readings + Math.max(0, clock.nowMs() - atMs) / everyMs);
	}

	return {
		/** Time of the next allowed read, in milliseconds since 1970. `everyMs`: fastest poll interval. */
		readyAtMs(thing: string, everyMs: number) {
			const missing = Math.max(0, 1 - left(thing, everyMs));
			return clock.nowMs() + Math.ceil(missing * everyMs);
		},
		/** Call before a read. */
		spend(thing: string, everyMs: number) {
			spent.set(thing, { readings: left(thing, everyMs) - 1, atMs: clock.nowMs() });
			if (spent.size > mostThings) {
				// The first one has saved the most since.
				const [oldest] = spent.keys();
				spent.delete(oldest ?? thing);
			}
		},
	};
}
