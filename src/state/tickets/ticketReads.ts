import type { Clock } from '../../base/clock.ts';
import type { TicketsInBulk, TrackerApi } from '../../forge/forge.ts';
import { isForgeError } from '../../forge/forgeError.ts';
import { isUnreachable } from '../../forge/isAway.ts';
import type { Cursor, Page, Pages } from '../../forge/page.ts';
import type { Ticket, TicketEvent } from '../../forge/ticket.ts';
import type { TrackerRef } from '../../forge/tracker.ts';
import type { Listing } from '../shared/listing.ts';
import { SharedReads } from '../../base/sharedFlights.ts';
import { resting, runResting, type Steps } from '../../base/timeSlice.ts';
import type { TicketList } from './ticketList.ts';
import type { ReadingOfTracker, TicketsRead } from './ticketChange.ts';
import { partsOf, type TicketPage } from './ticketPage.ts';

/** How one tracker's tickets are read. */
export interface TicketReadsParts {
	readonly list: TicketList;
	readonly ref: TrackerRef;
	readonly api: TrackerApi;
	readonly clock: Clock;
	/** Called before every request. */
	readonly asks: () => void;
	/** Takes in what was read, before the reader gets it. */
	readonly arrived: (reading: ReadingOfTracker) => void;
}

/** Reads pages of one tracker's tickets into its list. Each page is asked for once, however many want it. */
export class TicketReads {
	readonly #parts: TicketReadsParts;
	readonly #pages = new SharedReads<boolean>();
	readonly #walks = new SharedReads<void>();
	/** Pages under way. One that somebody wants to be told to everybody may have been asked for by a first look. */
	readonly #underWay = new Map<string, { isForAll: boolean }>();
	/** True until the first page was asked for, and again after everything was forgotten. */
	#mustAsk = false;
	#epoch = 0;

	constructor(parts: TicketReadsParts) {
		this.#parts = parts;
	}

	/** What is known, `undefined` when the newest page has to be asked for first. */
	known(): Listing<Ticket> | undefined {
		return this.#mustAsk ? undefined : this.#parts.list.listing();
	}

	/** The pages read so far, the first one read now if there is none. What is known already is shown when nobody answers. */
	async first(signal: AbortSignal): Promise<Listing<Ticket>> {
		const known = this.known();
		if (known !== undefined) {
			return known;
		}
		try {
			await this.#read(undefined, 'look', signal);
		} catch (error) {
			if (!isUnreachable(error) || this.#parts.list.listing() === undefined) {
				throw error;
			}
			this.#mustAsk = false;
		}
		return this.#now();
	}

	/** Reads the page where the first gap begins. */
	async more(signal: AbortSignal): Promise<Listing<Ticket>> {
		if (this.known() === undefined) {
			return await this.first(signal);
		}
		const { list } = this.#parts;
		const gap = list.gap();
		for (let isNearer = gap !== undefined; isNearer && list.gap() === gap;) {
			const before = list.cursors.above(gap ?? 0)?.below;
			await this.reread(gap, signal);
			// Without a cursor right above the gap, the pages between are read first.
			isNearer = list.cursors.above(gap ?? 0)?.below !== before;
		}
		return this.#now();
	}

	/**
	 * Reads a page, whatever is known: the newest, or the one that begins at a number, or the next one on the way there
	 * where the server leads there by cursors alone. True when it said something that was not known.
	 */
	reread(from: number | undefined, signal: AbortSignal): Promise<boolean> {
		return this.#read(from, 'page', signal);
	}

	/** The same of a page that was never read, with the texts of its tickets where they take no request of their own. */
	fill(from: number | undefined, signal: AbortSignal): Promise<boolean> {
		const { inBulk } = this.#parts.api;
		if (inBulk === undefined) {
			return this.reread(from, signal);
		}
		const read = (shared: AbortSignal): Promise<boolean> => this.#page(from, { wanted: () => 'page', inBulk }, shared);
		return this.#pages.read(`${this.#epoch} ${from ?? 'newest'} in full`, read, signal);
	}

	/**
	 * Looks whether tickets are still as they are known: in one request, where the server tells so in bulk. What is not is
	 * read again, by the page where that is many or where some are gone. True when something was new.
	 */
	async recheck(numbers: readonly number[], signal: AbortSignal): Promise<boolean> {
		const { list, ref, api, clock, asks, arrived } = this.#parts;
		const { inBulk } = api;
		const stamp = list.tick();
		const epoch = this.#epoch;
		asks();
		const changedMs = await inBulk?.changedMs(ref, numbers, signal).catch(unlessMissing);
		if (epoch !== this.#epoch) {
			return false;
		}
		if (changedMs) {
			arrived({ kind: 'ticketsConfirmed', tracker: ref, changedMs, stamp, atMs: clock.nowMs() });
		}
		const others = numbers.filter((id) => list.item(id) && changedMs?.get(id) !== list.item(id)?.updatedMs);
		if (!inBulk || others.length > mostByThemselves || others.some((id) => !changedMs?.has(id))) {
			return await this.reread(Math.max(...others), signal);
		}
		for (const id of others) {
			await this.#readInFull(inBulk, id, signal);
		}
		return others.length > 0;
	}

	async #readInFull(inBulk: TicketsInBulk, id: number, signal: AbortSignal): Promise<void> {
		const { list, ref, asks, arrived } = this.#parts;
		const named = { tracker: ref, id };
		const stamp = list.tick();
		asks();
		const { ticket: value, timeline } = await inBulk.ticket(named, signal);
		arrived({ kind: 'ticketRead', ticket: named, value, stamp, timeline });
	}

	#read(from: number | undefined, wanted: 'look' | 'page', signal: AbortSignal): Promise<boolean> {
		const key = `${this.#epoch} ${from ?? 'newest'}`;
		const read = async (shared: AbortSignal): Promise<boolean> => {
			const page = { isForAll: false };
			this.#underWay.set(key, page);
			try {
				return await this.#page(from, { wanted: () => (page.isForAll ? 'page' : 'look') }, shared);
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

	/** Reads everything, newest first, whatever is known. */
	readAll(signal: AbortSignal): Promise<void> {
		return this.#walks.read(`${this.#epoch} all`, (shared) => this.#allPages(shared), signal);
	}

	/** The next look asks again. What is known stays until the forge says otherwise. */
	reset(): void {
		this.#epoch += 1;
		this.#mustAsk = true;
		this.#pages.abortAll();
		this.#walks.abortAll();
	}

	/** Gives up what is under way. */
	close(): void {
		this.#pages.abortAll();
		this.#walks.abortAll();
	}

	async #page(from: number | undefined, how: HowToRead, signal: AbortSignal): Promise<boolean> {
		const { list, clock, asks } = this.#parts;
		const { wanted } = how;
		const epoch = this.#epoch;
		const stamp = list.tick();
		const timelines = new Map<number, Listing<TicketEvent>>();
		const start = startAt(this.#parts, from, how.inBulk && noting(how.inBulk, timelines));
		asks();
		const pages = start.open(signal);
		let read: IteratorResult<Page<Ticket>, void>;
		try {
			read = await pages.next();
			await pages.return();
		} catch (error) {
			if (start.below === undefined || !isInvalid(error)) {
				throw error;
			}
			// The server takes its cursors no more: the newest page gives new ones.
			list.cursors.forget();
			return await this.#page(from, how, signal);
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
			// It leads no nearer to the gap: what is there is not to be had.
			await this.#take({ ...page, from }, wanted, signal);
		}
		return list.growths > growths;
	}

	async #allPages(signal: AbortSignal): Promise<void> {
		const { list, ref, api, clock, asks } = this.#parts;
		const epoch = this.#epoch;
		// A page may be on its way while the one before it is taken in: what counts is when that one came.
		let stamp = list.tick();
		let nextStamp = stamp;
		let from: number | undefined;
		for await (const page of api.allTickets ? api.allTickets(ref, signal) : api.tickets(ref, signal)) {
			asks();
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

	/** A whole list in one answer is taken in with rests between. */
	#take(page: TicketPage, wanted: () => TicketsRead['wanted'], signal: AbortSignal): Promise<void> {
		const { arrived, clock, ref } = this.#parts;
		function* steps(): Steps<void> {
			for (const part of partsOf(page)) {
				arrived({ kind: 'ticketsRead', tracker: ref, ...part, wanted: wanted() });
				yield;
			}
		}
		return runResting(steps(), resting(clock), signal);
	}

	#now(): Listing<Ticket> {
		return this.#parts.list.listing() ?? nothing;
	}
}

/** Where there was no page at all. */
const nothing: Pick<Page<never>, 'items' | 'completeness' | 'next'> = {
	items: [],
	completeness: { kind: 'unstated' },
};

function isInvalid(error: unknown): boolean {
	return isForgeError(error) && error.problem.kind === 'invalid';
}

/** One that is not there among many may be all that the server says. */
function unlessMissing(error: unknown): undefined {
	if (!isForgeError(error) || error.problem.kind !== 'notFound') {
		throw error;
	}
	return undefined;
}

/** Changed tickets that are read each by itself; more of them are read by their page. */
const mostByThemselves = 5;

/** How a page is read: for whom, and with the texts of its tickets where it is in bulk. */
interface HowToRead {
	readonly wanted: () => 'look' | 'page';
	readonly inBulk?: TicketsInBulk;
}

/** Where a page is read. */
interface Start {
	readonly open: (signal: AbortSignal) => Pages<Ticket>;
	/** As `TicketPage` has it. */
	readonly from: number | undefined;
	/** The end of the page whose cursor is followed. */
	readonly below?: number;
}

type ReadAfter = (ref: TrackerRef, after: Cursor | undefined, signal: AbortSignal) => Pages<Ticket>;

/** At a number or on the way there, as the protocol has it; at the newest where nothing leads there. */
function startAt(
	{ api, ref, list }: TicketReadsParts,
	from: number | undefined,
	readAfter: ReadAfter | undefined,
): Start {
	const { ticketsOn } = api;
	if (from !== undefined && ticketsOn.kind === 'fromNumber') {
		return { open: (signal) => ticketsOn.read(ref, from, signal), from };
	}
	const on = from === undefined ? undefined : list.cursors.above(from);
	if (on !== undefined && ticketsOn.kind === 'afterCursor') {
		const read = readAfter ?? ticketsOn.read;
		return { open: (signal) => read(ref, on.cursor, signal), from: on.below - 1, below: on.below };
	}
	return {
		open: (signal) => (readAfter ? readAfter(ref, undefined, signal) : api.tickets(ref, signal)),
		from: undefined,
	};
}

/** Reads tickets in bulk, and puts what comes along of their timelines where it is looked for. */
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
