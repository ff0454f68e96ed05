import type { TicketsInBulk, TrackerApi } from 'sourcehut/port/forge.ts';
import { isForgeError } from 'sourcehut/port/forgeError.ts';
import { isUnreachable, unlessMissing } from 'sourcehut/port/isAway.ts';
import type { Cursor, Page, Pages } from 'sourcehut/port/page.ts';
import type { Ticket, TicketEvent } from 'sourcehut/port/ticket.ts';
import type { TrackerRef } from 'sourcehut/port/tracker.ts';
import type { Listing } from '../shared/listing.ts';
import { SharedReads } from '@forge-desk/base/sharedFlights.ts';
import { resting, runResting, type Steps } from '@forge-desk/base/timeSlice.ts';
import { maxOf } from '@forge-desk/base/longArrays.ts';
import type { TicketAccess } from './trackers.ts';
import type { TicketList } from './ticketList.ts';
import { type ReadingOfTracker, type TicketsRead, partsOf, type TicketPage } from './ticketChange.ts';

/** Reads pages of one tracker's tickets into its list. Concurrent callers share a page request. */
export class TicketReads {
	readonly #list: TicketList;
	readonly #ref: TrackerRef;
	readonly #access: TicketAccess;
	readonly #arrived: (reading: ReadingOfTracker) => void;
	readonly #pages = new SharedReads<boolean>();
	readonly #walks = new SharedReads<void>();
	/** Page requests in progress. A caller that needs an event may join a first read, which would not fire one. */
	readonly #underWay = new Map<string, { isForAll: boolean }>();
	/** True after `reset` until the next page request. */
	#mustAsk = false;
	#epoch = 0;

	/** `arrived`: called with each reading before the reader's promise resolves. */
	constructor(list: TicketList, ref: TrackerRef, access: TicketAccess, arrived: (reading: ReadingOfTracker) => void) {
		this.#list = list;
		this.#ref = ref;
		this.#access = access;
		this.#arrived = arrived;
	}

	/** `undefined` when the newest page must be read first. */
	known(): Listing<Ticket> | undefined {
		return this.#mustAsk ? undefined : this.#list.listing();
	}

	/** Pages read so far; reads the first one if there is none. Falls back to known data when the forge fails. */
	async first(signal: AbortSignal): Promise<Listing<Ticket>> {
		const known = this.known();
		if (known !== undefined) {
			return known;
		}
		try {
			await this.#read(undefined, 'look', signal);
		} catch (error) {
			if (!isUnreachable(error) || this.#list.listing() === undefined) {
				throw error;
			}
			this.#mustAsk = false;
		}
		return this.#now();
	}

	/** Reads the page at the first gap. */
	async more(signal: AbortSignal): Promise<Listing<Ticket>> {
		if (this.known() === undefined) {
			return await this.first(signal);
		}
		const list = this.#list;
		const gap = list.gap();
		for (let isNearer = gap !== undefined; isNearer && list.gap() === gap;) {
			const before = list.cursors.above(gap ?? 0)?.below;
			await this.reread(gap, signal);
			// Without a cursor directly above the gap, read the pages in between first.
			isNearer = list.cursors.above(gap ?? 0)?.below !== before;
		}
		return this.#now();
	}

	/**
	 * Reads a page regardless of the cache: the newest, or the one at a number. With cursors only, it may be the next
	 * page on the way there. True when it contained news.
	 */
	reread(from: number | undefined, signal: AbortSignal): Promise<boolean> {
		return this.#read(from, 'page', signal);
	}

	/** The same for an unread page; includes descriptions if they cost no extra request. */
	fill(from: number | undefined, signal: AbortSignal): Promise<boolean> {
		const { inBulk } = this.#access.api;
		if (inBulk === undefined) {
			return this.reread(from, signal);
		}
		const read = (shared: AbortSignal): Promise<boolean> => this.#page(from, () => 'page', inBulk, shared);
		return this.#pages.read(`${this.#epoch} ${from ?? 'newest'} in full`, read, signal);
	}

	/**
	 * Checks tickets for changes, in one request where the server has a bulk query. Reads changed tickets again; uses
	 * their page if many changed or some are missing. True when there was news.
	 */
	async recheck(numbers: readonly number[], signal: AbortSignal): Promise<boolean> {
		const list = this.#list;
		const { clock, asks, api } = this.#access;
		const { inBulk } = api;
		const tracker = this.#ref;
		const stamp = list.tick();
		const epoch = this.#epoch;
		asks?.();
		// In a bulk query, one missing ticket may fail the whole request.
		const changedMs = await (inBulk && unlessMissing(inBulk.changedMs(tracker, numbers, signal)));
		if (epoch !== this.#epoch) {
			return false;
		}
		if (changedMs) {
			this.#arrived({ kind: 'ticketsConfirmed', tracker, changedMs, stamp, atMs: clock.nowMs() });
		}
		const others = numbers.filter((id) => list.item(id) && changedMs?.get(id) !== list.item(id)?.updatedMs);
		if (!inBulk || others.length > mostByThemselves || others.some((id) => !changedMs?.has(id))) {
			return await this.reread(maxOf(others), signal);
		}
		for (const id of others) {
			const ticket = { tracker, id };
			const readStamp = list.tick();
			asks?.();
			const { ticket: value, timeline } = await inBulk.ticket(ticket, signal);
			this.#arrived({ kind: 'ticketRead', ticket, value, stamp: readStamp, timeline });
		}
		return others.length > 0;
	}

	#read(from: number | undefined, wanted: 'look' | 'page', signal: AbortSignal): Promise<boolean> {
		const key = `${this.#epoch} ${from ?? 'newest'}`;
		const read = async (shared: AbortSignal): Promise<boolean> => {
			const page = { isForAll: false };
			this.#underWay.set(key, page);
			try {
				return await this.#page(from, () => (page.isForAll ? 'page' : 'look'), undefined, shared);
			} finally {
				if (this.#underWay.get(key) === page) {
					this.#underWay.delete(key);
				}
			}
		};
		const reading = this.#pages.read(key, read, signal);
		const page = this.#underWay.get(key);
		if (page) {
			page.isForAll ||= wanted === 'page';
		}
		return reading;
	}

	/** Reads the complete list again, newest first. */
	readAll(signal: AbortSignal): Promise<void> {
		return this.#walks.read(`${this.#epoch} all`, (shared) => this.#allPages(shared), signal);
	}

	/** The next caller reads again. Known data remains until then. */
	reset(): void {
		this.#epoch += 1;
		this.#mustAsk = true;
		this.#pages.abortAll();
		this.#walks.abortAll();
	}

	/** Aborts requests in progress. */
	close(): void {
		this.#pages.abortAll();
		this.#walks.abortAll();
	}

	async #page(
		from: number | undefined,
		wanted: () => 'look' | 'page',
		inBulk: TicketsInBulk | undefined,
		signal: AbortSignal,
	): Promise<boolean> {
		const list = this.#list;
		const { api, clock, asks } = this.#access;
		const epoch = this.#epoch;
		const stamp = list.tick();
		const timelines = new Map<number, Listing<TicketEvent>>();
		const start = startAt(api, this.#ref, list, from, inBulk && noting(inBulk, timelines));
		asks?.();
		const pages = start.open(signal);
		let read: IteratorResult<Page<Ticket>, void>;
		try {
			read = await pages.next();
			await pages.return();
		} catch (error) {
			if (start.below === undefined || !isForgeError(error) || error.problem.kind !== 'invalid') {
				throw error;
			}
			// The server rejects its cursor: start again from the newest page.
			list.cursors.forget();
			return await this.#page(from, wanted, inBulk, signal);
		}
		if (epoch !== this.#epoch) {
			return false;
		}
		this.#mustAsk = false;
		const { items, completeness, next } = read.done ? nothing : read.value;
		const { growths } = list;
		const page: TicketPage = { items, completeness, from: start.from, next, stamp, atMs: clock.nowMs(), timelines };
		await this.#take(page, wanted, signal);
		const isOnTheWay = from !== undefined && start.from !== from && list.gap() === from;
		if (isOnTheWay && list.cursors.above(from)?.below === start.below) {
			// The page got no closer to the gap, so the gap is unreachable.
			await this.#take({ ...page, from }, wanted, signal);
		}
		return list.growths > growths;
	}

	async #allPages(signal: AbortSignal): Promise<void> {
		const list = this.#list;
		const { api, clock, asks } = this.#access;
		const epoch = this.#epoch;
		// The server may have produced the next page before this one was processed. Its stamp is therefore the arrival
		// of the previous page.
		let stamp = list.tick();
		let nextStamp = stamp;
		let from: number | undefined;
		for await (const page of api.tickets(this.#ref, signal)) {
			asks?.();
			if (epoch !== this.#epoch) {
				return;
			}
			this.#mustAsk = false;
			const { items, completeness, next } = page;
			await this.#take({ items, completeness, from, next, stamp, atMs: clock.nowMs() }, () => 'all', signal);
			stamp = nextStamp;
			nextStamp = list.tick();
			const last = page.items.at(-1)?.id;
			from = last === undefined ? from : last - 1;
		}
	}

	/** Processes a long list in steps that yield to the event loop. */
	#take(page: TicketPage, wanted: () => TicketsRead['wanted'], signal: AbortSignal): Promise<void> {
		const [arrived, tracker] = [this.#arrived, this.#ref];
		function* steps(): Steps<void> {
			for (const part of partsOf(page)) {
				arrived({ kind: 'ticketsRead', tracker, ...part, wanted: wanted() });
				yield;
			}
		}
		return runResting(steps(), resting(this.#access.clock), signal);
	}

	#now(): Listing<Ticket> {
		return this.#list.listing() ?? nothing;
	}
}

/** Empty page for a list that ended. */
const nothing: Pick<Page<never>, 'items' | 'completeness' | 'next'> = {
	items: [],
	completeness: { kind: 'unstated' },
};

/** Up to this number, changed tickets are read one by one; beyond it, by page. */
const mostByThemselves = 5;

type ReadAfter = (ref: TrackerRef, after: Cursor | undefined, signal: AbortSignal) => Pages<Ticket>;

/**
 * Starts at a number, or at the nearest cursor above it, or at the newest ticket. `from`: see `TicketPage.from`. `below`:
 * the end of the page with the followed cursor.
 */
function startAt(
	api: TrackerApi,
	ref: TrackerRef,
	list: TicketList,
	from: number | undefined,
	readAfter: ReadAfter | undefined,
) {
	const { ticketsOn } = api;
	if (from !== undefined && ticketsOn.kind === 'fromNumber') {
		return { open: (signal: AbortSignal) => ticketsOn.read(ref, from, signal), from, below: undefined };
	}
	const on = from === undefined ? undefined : list.cursors.above(from);
	if (on !== undefined && ticketsOn.kind === 'afterCursor') {
		const read = readAfter ?? ticketsOn.read;
		return { open: (signal: AbortSignal) => read(ref, on.cursor, signal), from: on.below - 1, below: on.below };
	}
	return {
		open: (signal: AbortSignal) => (readAfter ? readAfter(ref, undefined, signal) : api.tickets(ref, signal)),
		from: undefined,
		below: undefined,
	};
}

/** Reads tickets in bulk and collects the timelines in the response. */
function noting(inBulk: TicketsInBulk, timelines: Map<number, Listing<TicketEvent>>): ReadAfter {
	return async function* (ref, after, signal) {
		for await (const { items, ...page } of inBulk.pages(ref, after, signal)) {
			for (const { ticket, timeline } of items) {
				if (timeline) {
					timelines.set(ticket.id, timeline);
				}
			}
			yield { ...page, items: items.map(({ ticket }) => ticket) };
		}
	};
}
