import type { LRUCache } from 'lru-cache';
import type { Clock } from '../../base/clock.ts';
import type { TrackerApi } from '../../forge/forge.ts';
import { isRefused } from '../../forge/isAway.ts';
import { ticketRefText, type Ticket, type TicketEvent, type TicketRef } from '../../forge/ticket.ts';
import type { TrackerRef } from '../../forge/tracker.ts';
import { commentsOf, type CommentRoom } from './commentTexts.ts';
import type { KeptTimelines } from './keptTimelines.ts';
import { isBeingRead, type Listing, type ReadBefore, type ReadOnce } from '../shared/listing.ts';
import { PagedList } from '../shared/pagedList.ts';
import { SharedReads } from '../../base/sharedFlights.ts';
import type { RememberedTickets } from './rememberedTickets.ts';
import { TicketList } from './ticketList.ts';
import type { ReadingOfTracker, TicketsRead } from './ticketChange.ts';
import { TicketReads } from './ticketReads.ts';

/** What reading one tracker's tickets needs and tells. */
export interface TrackerTicketsParts {
	readonly ref: TrackerRef;
	readonly api: TrackerApi;
	readonly clock: Clock;
	readonly room: CommentRoom;
	/** Limits timelines that only the background reads. */
	readonly timelineRoom: TimelineRoom;
	/** Where tickets and their timelines outlive the window; absent where they are not to. */
	readonly disk: KeptTimelines | undefined;
	/** Called before every request for a page of tickets. */
	readonly asks: () => void;
	/** Takes in what was read, by `take` of these. */
	readonly arrived: (reading: ReadingOfTracker) => void;
}

/** Releases the least recently used timelines, by a name for each ticket. */
export type TimelineRoom = Pick<LRUCache<string, () => void>, 'set' | 'delete'>;

/** What is different of one tracker's tickets; of nothing, where what is known was only confirmed. */
export interface TicketsChange {
	/** Tickets that are different, or whose timelines are. */
	readonly tickets: readonly number[];
	/** True when tickets came to the list or went, or it reaches further. */
	readonly isList: boolean;
}

/** One tracker's tickets and their timelines, as far as they are known. */
export class TrackerTickets {
	readonly list = new TicketList();
	readonly reads: TicketReads;
	readonly #parts: TrackerTicketsParts;
	readonly #timelines = new Map<number, PagedList<TicketEvent>>();
	/** Timelines that a page or a tool asked for. They stay. */
	readonly #held = new Set<number>();
	readonly #ticketReads = new SharedReads<Ticket>();
	/** Why tickets could not be read anew that are known from another window; `undefined` while they are being read. */
	readonly #unanswered = new Map<number, unknown>();
	/** What views show of tickets beside the tickets themselves, as it was when a change of them was last told. */
	readonly #told = new Map<number, readonly unknown[]>();
	/** The list is different from what was told of it. */
	#isListUntold = false;
	#listToldMs = 0;
	/** The parts of a page so far have made it another one. */
	#isOtherByLook = false;

	constructor(parts: TrackerTicketsParts) {
		this.#parts = parts;
		this.reads = new TicketReads({ ...parts, list: this.list });
	}

	get ref(): TrackerRef {
		return this.#parts.ref;
	}

	/** Takes in what was known when the window was closed. */
	remember(remembered: Omit<RememberedTickets, 'tracker'>): void {
		this.list.remember(remembered);
		for (const { ticket, comments } of remembered.tickets) {
			if (comments !== undefined) {
				this.#takeRoom(ticket.id, comments.size);
			}
		}
	}

	/** Takes in what was read, and answers what is different by that. */
	take(reading: ReadingOfTracker): TicketsChange {
		switch (reading.kind) {
			case 'ticketsRead': {
				const change = this.#takePage(reading);
				reading.page.timelines?.forEach((timeline, id) => this.#noteComments(id, timeline));
				return change;
			}
			case 'ticketsConfirmed':
				reading.changedMs.forEach((changedMs, id) => this.list.confirm(id, changedMs, reading));
				return nothing;
			case 'ticketRead': {
				const { ticket, value, timeline, stamp } = reading;
				const change = this.put(value, [], stamp);
				this.#noteComments(ticket.id, timeline);
				return change;
			}
			case 'eventsRead':
				this.#timeline(reading.ticket.id).take(reading.page);
				this.#noteComments(reading.ticket.id);
				return this.#changeOf(reading.ticket.id, 'same');
			case 'ticketRecalled':
				return this.#takeOld(reading.ticket.id, reading.old, reading.error);
			case 'ticketRefused':
				return this.#forgetRefused(reading.ticket.id);
		}
	}

	/** Of a list that is read whole it is told now and then. */
	#takePage({ page, wanted, isLast }: TicketsRead): TicketsChange {
		const { changed, reachesFurther, isOtherList } = this.list.take(page);
		changed.forEach(({ id }) => this.#timelines.get(id)?.tellNews());
		const isEnd = wanted !== 'all' && isLast && !reachesFurther && this.list.endAt(page);
		const isOther = isOtherList || isEnd;
		// Whoever looks for the first time is told by the answer; somebody else may join before its last part has come.
		this.#isOtherByLook ||= isOther;
		this.#isListUntold ||= wanted !== 'look' && this.#isOtherByLook;
		this.#isOtherByLook &&= !isLast && wanted === 'look';
		const isDue = wanted === 'all' ? this.#parts.clock.nowMs() - this.#listToldMs >= tellEveryMs : isLast;
		return { tickets: changed.map(({ id }) => id), isList: isDue && this.takeListUntold() };
	}

	/** Answers whether there is anything to tell of the list; it counts as told from here on. */
	takeListUntold(): boolean {
		const isUntold = this.#isListUntold;
		this.#isListUntold = false;
		this.#listToldMs = isUntold ? this.#parts.clock.nowMs() : this.#listToldMs;
		return isUntold;
	}

	/** Takes in a ticket that did not come by a page, and events that are told with it. */
	put(ticket: Ticket, events: readonly TicketEvent[] = [], stamp: number = this.list.tick()): TicketsChange {
		const { id } = ticket;
		const outcome = this.list.put(ticket, stamp, this.#parts.clock.nowMs());
		if (outcome === 'changed') {
			this.#timelines.get(id)?.tellNews();
		}
		const known = this.list.item(id);
		if (!known) {
			// It is gone since this was asked for.
			return nothing;
		}
		this.#unanswered.delete(id);
		this.#parts.disk?.keepTicket(this.#named(id), known);
		this.#keepEvents(id, events);
		return this.#changeOf(id, outcome);
	}

	/** Renames a label on all tickets, or removes it. */
	relabel(name: string, to: string | undefined): TicketsChange {
		const tickets = this.list.relabel(name, to);
		tickets.forEach((id) => this.#timelines.get(id)?.tellNews());
		return { tickets, isList: false };
	}

	/** The ticket is on the forge no more. */
	drop(id: number): TicketsChange {
		const isList = this.list.isListed(id);
		this.list.remove(id);
		this.#parts.disk?.drop(this.#named(id));
		this.#timelines.get(id)?.close();
		this.#release(id);
		this.#unanswered.delete(id);
		return { tickets: [id], isList };
	}

	/** Asks the forge for a ticket, whatever is known. */
	renew(id: number, signal: AbortSignal): Promise<Ticket> {
		const read = async (shared: AbortSignal): Promise<Ticket> => {
			const stamp = this.list.tick();
			const value = await this.#unlessRefused(id, this.#parts.api.ticket(this.#named(id), shared));
			this.#parts.arrived({ kind: 'ticketRead', ticket: this.#named(id), value, stamp });
			return this.list.item(id) ?? value;
		};
		return this.#ticketReads.read(String(id), read, signal);
	}

	/**
	 * Takes in what another window read of a ticket and its timeline, where nothing is known of them; whoever shows that asks
	 * for them next.
	 */
	async recall(id: number): Promise<void> {
		const ticket = this.#named(id);
		this.#hold(id);
		const ofTicket = this.list.item(id) ? undefined : this.#parts.disk?.ticket(ticket);
		const [old] = await Promise.all([ofTicket, this.#timeline(id).recall()]);
		if (old && !this.list.item(id)) {
			this.#parts.arrived({ kind: 'ticketRecalled', ticket, old, error: undefined });
		}
	}

	/** A ticket is shown as another window read it, and why it could not be read anew is not known, or not yet. */
	isRecalled(id: number): boolean {
		return this.list.isRemembered(id) && this.#unanswered.has(id);
	}

	/**
	 * The forge is away: what is on the disk stands in for a ticket of which nothing is known, and of one that is known from
	 * another window it is known why.
	 */
	async standIn(id: number, error: unknown): Promise<void> {
		const ticket = this.#named(id);
		const old = this.list.item(id) ? undefined : await this.#parts.disk?.ticket(ticket);
		this.#parts.arrived({ kind: 'ticketRecalled', ticket, old, error });
	}

	#takeOld(id: number, old: ReadOnce<Ticket> | undefined, error: unknown): TicketsChange {
		if (old) {
			const tickets = [{ ticket: old.value, checkedAtMs: old.readAtMs, comments: undefined }];
			this.list.remember({ tickets, covered: [], isUnstated: false });
		}
		const isShown = this.list.isRemembered(id);
		if (isShown) {
			this.#unanswered.set(id, error);
		}
		return this.#changeOf(id, isShown && old ? 'new' : 'same');
	}

	/** Of when a ticket is, where it or its timeline is shown as another window read it; of the older one. */
	before(id: number): ReadBefore | undefined {
		const events = this.#timelines.get(id)?.before();
		const readAtMs = this.isRecalled(id) ? this.list.checkedAtMs(id) : undefined;
		if (readAtMs === undefined) {
			return events;
		}
		const error = this.#unanswered.get(id) ?? events?.error;
		return { error, readAtMs: Math.min(readAtMs, events?.readAtMs ?? readAtMs) };
	}

	knownEvents(id: number): Listing<TicketEvent> | undefined {
		return this.#timelines.get(id)?.known();
	}

	/** A page or a tool shows the timeline. */
	#hold(id: number): void {
		this.#held.add(id);
		this.#parts.timelineRoom.delete(this.#roomName(id));
	}

	#release(id: number): void {
		this.#timelines.delete(id);
		this.#told.delete(id);
		this.#held.delete(id);
	}

	#roomName(id: number): string {
		return ticketRefText(this.#named(id));
	}

	/** The same as `events`, for a timeline that is shown. */
	shownEvents(id: number, how: 'first' | 'more' | 'renew', signal: AbortSignal): Promise<Listing<TicketEvent>> {
		this.#hold(id);
		return this.events(id, how, signal);
	}

	/** A timeline's events, read in one of the ways that a list can be read. */
	events(id: number, how: 'first' | 'more' | 'renew', signal: AbortSignal): Promise<Listing<TicketEvent>> {
		const timeline = this.#timeline(id);
		// What is shown until the forge answers is either what it answers or, while it is away, of then.
		const way = how === 'renew' && isBeingRead(timeline.before()) ? 'first' : how;
		return this.#unlessRefused(id, timeline[way](signal));
	}

	/** Takes in events that did not come by a page. */
	putEvents(id: number, events: readonly TicketEvent[]): TicketsChange {
		this.#keepEvents(id, events);
		return this.#changeOf(id, 'same');
	}

	/** Nobody follows the tracker any more. Tickets whose timelines were shown stay known, because they may be open. */
	shed(): void {
		this.reads.reset();
		for (const id of Array.from(this.#timelines.keys()).filter((each) => !this.#held.has(each))) {
			this.#parts.timelineRoom.delete(this.#roomName(id));
			this.#release(id);
		}
		this.list.keepOnly(this.#timelines);
	}

	close(): void {
		this.reads.close();
		this.#ticketReads.abortAll();
		for (const timeline of this.#timelines.values()) {
			timeline.close();
		}
		this.#timelines.forEach((_, id) => this.#parts.timelineRoom.delete(this.#roomName(id)));
	}

	#timeline(id: number): PagedList<TicketEvent> {
		let timeline = this.#timelines.get(id);
		if (timeline === undefined) {
			const { api, disk, arrived } = this.#parts;
			timeline = new PagedList({
				open: (signal) => api.events(this.#named(id), signal),
				idOf: (event) => event.id,
				compare: (a, b) => b.id - a.id,
				disk: disk?.events(this.#named(id)),
				arrived: (page) => arrived({ kind: 'eventsRead', ticket: this.#named(id), page }),
			});
			this.#timelines.set(id, timeline);
		}
		if (!this.#held.has(id)) {
			this.#parts.timelineRoom.set(this.#roomName(id), () => this.#release(id));
		}
		return timeline;
	}

	#named(id: number): TicketRef {
		return { tracker: this.#parts.ref, id };
	}

	async #unlessRefused<T>(id: number, reading: Promise<T>): Promise<T> {
		try {
			return await reading;
		} catch (error) {
			if (isRefused(error)) {
				this.#parts.arrived({ kind: 'ticketRefused', ticket: this.#named(id) });
			}
			throw error;
		}
	}

	/**
	 * What the forge refuses is forgotten where only another window has read it, and kept no longer: the forge may be away
	 * the next time.
	 */
	#forgetRefused(id: number): TicketsChange {
		this.#parts.disk?.drop(this.#named(id));
		const isForgotten = this.list.forgetRemembered(id);
		if (this.#timelines.get(id)?.before()) {
			this.#timelines.get(id)?.reset();
		}
		return this.#changeOf(id, isForgotten ? 'gone' : 'same');
	}

	#keepEvents(id: number, events: readonly TicketEvent[]): void {
		if (events.length > 0) {
			const timeline = this.#timeline(id);
			for (const event of events) {
				timeline.put(event);
			}
			timeline.store();
		}
		this.#noteComments(id);
	}

	/** One change for each ticket that is different from when it was told last, whatever was taken in since. */
	#changeOf(id: number, outcome: 'new' | 'changed' | 'same' | 'gone'): TicketsChange {
		const timeline = this.knownEvents(id);
		const before = this.before(id);
		const now = [timeline?.items, timeline?.completeness.kind, before?.error, before?.readAtMs];
		const told = this.#told.get(id) ?? [];
		const isShownOtherwise = now.some((part, at) => part !== told[at]);
		this.#told.set(id, now);
		return {
			tickets: outcome !== 'same' || isShownOtherwise ? [id] : [],
			isList: (outcome === 'new' || outcome === 'gone') && this.list.isListed(id),
		};
	}

	#noteComments(id: number, listing = this.knownEvents(id)): void {
		if (listing === undefined || this.list.item(id) === undefined) {
			return;
		}
		const comments = commentsOf(listing, this.list.comments(id));
		this.list.setComments(id, comments);
		this.#takeRoom(id, comments?.size ?? 0);
	}

	#takeRoom(id: number, size: number): void {
		this.#parts.room.take(ticketRefText(this.#named(id)), size, () => this.list.setComments(id, undefined));
	}
}

const nothing: TicketsChange = { tickets: [], isList: false };

/** How often those who listen are told of a long reading. */
const tellEveryMs = 100;
