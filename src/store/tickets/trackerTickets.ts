import type { LRUCache } from 'lru-cache';
import { isRefused } from 'sourcehut/port/isAway.ts';
import { ticketRefText, type Ticket, type TicketEvent, type TicketRef } from 'sourcehut/port/ticket.ts';
import type { TrackerRef } from 'sourcehut/port/tracker.ts';
import { commentsOf, type CommentRoom } from './commentTexts.ts';
import type { TicketAccess } from './trackers.ts';
import { isBeingRead, type Listing, type ReadBefore } from '../shared/listing.ts';
import { PagedList } from '../shared/pagedList.ts';
import { SharedReads } from '@forge-desk/base/sharedFlights.ts';
import type { RememberedTickets } from './savedTickets.ts';
import { TicketList } from './ticketList.ts';
import type { ReadingOfTracker, TicketsRead } from './ticketChange.ts';
import { TicketReads } from './ticketReads.ts';

/** Evicts the least recently used timelines; key: ticket. */
export type TimelineRoom = LRUCache<string, () => void>;

/** Changes to report for one tracker; empty after mere confirmations. */
export interface TicketsChange {
	/** Changed tickets, or tickets with changed timelines. */
	readonly tickets: readonly number[];
	/** True when the list gained or lost tickets, or covers more numbers. */
	readonly isList: boolean;
}

/** Cached tickets and timelines of one tracker. */
export class TrackerTickets {
	readonly list = new TicketList();
	readonly reads: TicketReads;
	readonly ref: TrackerRef;
	readonly #access: TicketAccess;
	readonly #arrived: (reading: ReadingOfTracker) => void;
	readonly #room: CommentRoom;
	readonly #timelineRoom: TimelineRoom;
	readonly #timelines = new Map<number, PagedList<TicketEvent>>();
	/** Timelines requested by a page or tool; never evicted. */
	readonly #held = new Set<number>();
	readonly #ticketReads = new SharedReads<Ticket>();
	/** Errors of failed refreshes of tickets from the disk cache; `undefined` during a refresh. */
	readonly #unanswered = new Map<number, unknown>();
	/** Parts of the last reported change of each ticket, to detect real changes. */
	readonly #told = new Map<number, readonly unknown[]>();
	/** The list changed since its last event. */
	#isListUntold = false;
	#listToldMs = 0;
	/** An earlier part of the current page changed the list. */
	#isOtherByLook = false;

	/** `timelineRoom` evicts timelines that only background reads requested. */
	constructor(
		ref: TrackerRef,
		access: TicketAccess,
		arrived: (reading: ReadingOfTracker) => void,
		room: CommentRoom,
		timelineRoom: TimelineRoom,
	) {
		this.ref = ref;
		this.#access = access;
		this.#arrived = arrived;
		this.#room = room;
		this.#timelineRoom = timelineRoom;
		this.reads = new TicketReads(this.list, ref, access, arrived);
	}

	/** Adds tickets from the disk cache. */
	remember(remembered: Omit<RememberedTickets, 'tracker'>): void {
		this.list.remember(remembered);
		for (const { ticket, comments } of remembered.tickets) {
			if (comments !== undefined) {
				this.#takeRoom(ticket.id, comments.size);
			}
		}
	}

	/** Applies a reading and returns the changes to report. */
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
			case 'ticketRecalled': {
				const { ticket, old, error } = reading;
				if (old) {
					const tickets = [{ ticket: old.value, checkedAtMs: old.readAtMs, comments: undefined }];
					this.list.remember({ tickets, covered: [], isUnstated: false });
				}
				const isShown = this.list.isRemembered(ticket.id);
				if (isShown) {
					this.#unanswered.set(ticket.id, error);
				}
				return this.#changeOf(ticket.id, isShown && old ? 'new' : 'same');
			}
			case 'ticketRefused': {
				// A forbidden or deleted ticket would reappear when the forge is unreachable.
				const { id } = reading.ticket;
				this.#access.disk?.drop(this.#named(id));
				const isForgotten = this.list.forgetRemembered(id);
				if (this.#timelines.get(id)?.before()) {
					this.#timelines.get(id)?.reset();
				}
				return this.#changeOf(id, isForgotten ? 'gone' : 'same');
			}
		}
	}

	/** Throttles list events during a complete read. */
	#takePage({ page, wanted, isLast }: TicketsRead): TicketsChange {
		const { changed, reachesFurther, isOtherList } = this.list.take(page);
		changed.forEach(({ id }) => this.#timelines.get(id)?.tellNews());
		const isEnd = wanted !== 'all' && isLast && !reachesFurther && this.list.endAt(page);
		const isOther = isOtherList || isEnd;
		// A first read needs no event, but another caller may join before its last part arrives.
		this.#isOtherByLook ||= isOther;
		this.#isListUntold ||= wanted !== 'look' && this.#isOtherByLook;
		this.#isOtherByLook &&= !isLast && wanted === 'look';
		const isDue = wanted === 'all' ? this.#access.clock.nowMs() - this.#listToldMs >= tellEveryMs : isLast;
		return { tickets: changed.map(({ id }) => id), isList: isDue && this.takeListUntold() };
	}

	/** True when a list event is due; resets the flag. */
	takeListUntold(): boolean {
		const isUntold = this.#isListUntold;
		this.#isListUntold = false;
		this.#listToldMs = isUntold ? this.#access.clock.nowMs() : this.#listToldMs;
		return isUntold;
	}

	/** Applies a ticket that did not arrive on a page, and its events. */
	put(ticket: Ticket, events: readonly TicketEvent[] = [], stamp: number = this.list.tick()): TicketsChange {
		const { id } = ticket;
		const outcome = this.list.put(ticket, stamp, this.#access.clock.nowMs());
		if (outcome === 'changed') {
			this.#timelines.get(id)?.tellNews();
		}
		const known = this.list.item(id);
		if (!known) {
			// Deleted since the request began.
			return nothing;
		}
		this.#unanswered.delete(id);
		this.#access.disk?.keepTicket(this.#named(id), known);
		this.#keepEvents(id, events);
		return this.#changeOf(id, outcome);
	}

	/** Renames a label on all tickets, or removes it. */
	relabel(name: string, to: string | undefined): TicketsChange {
		const tickets = this.list.relabel(name, to);
		tickets.forEach((id) => this.#timelines.get(id)?.tellNews());
		return { tickets, isList: false };
	}

	/** Removes a deleted ticket. */
	drop(id: number): TicketsChange {
		const isList = this.list.isListed(id);
		this.list.remove(id);
		this.#access.disk?.drop(this.#named(id));
		this.#timelines.get(id)?.close();
		this.#release(id);
		this.#unanswered.delete(id);
		return { tickets: [id], isList };
	}

	/** Always asks the forge. */
	renew(id: number, signal: AbortSignal): Promise<Ticket> {
		const read = async (shared: AbortSignal): Promise<Ticket> => {
			const stamp = this.list.tick();
			const value = await this.#unlessRefused(id, this.#access.api.ticket(this.#named(id), shared));
			this.#arrived({ kind: 'ticketRead', ticket: this.#named(id), value, stamp });
			return this.list.item(id) ?? value;
		};
		return this.#ticketReads.read(String(id), read, signal);
	}

	/** Loads the ticket and its timeline from the disk cache unless known; the view refreshes next. */
	async recall(id: number): Promise<void> {
		const ticket = this.#named(id);
		this.#hold(id);
		const ofTicket = this.list.item(id) ? undefined : this.#access.disk?.ticket(ticket);
		const [old] = await Promise.all([ofTicket, this.#timeline(id).recall()]);
		if (old && !this.list.item(id)) {
			this.#arrived({ kind: 'ticketRecalled', ticket, old, error: undefined });
		}
	}

	/** True while a ticket from the disk cache is being refreshed or its refresh failed. */
	isRecalled(id: number): boolean {
		return this.list.isRemembered(id) && this.#unanswered.has(id);
	}

	/**
	 * Falls back to the disk cache while the forge is unreachable. For a ticket already from the cache, records the
	 * error.
	 */
	async standIn(id: number, error: unknown): Promise<void> {
		const ticket = this.#named(id);
		const old = this.list.item(id) ? undefined : await this.#access.disk?.ticket(ticket);
		this.#arrived({ kind: 'ticketRecalled', ticket, old, error });
	}

	/** Age of the cached ticket or timeline, whichever is older; `undefined` for fresh data. */
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

	/** Protects a visible timeline from eviction. */
	#hold(id: number): void {
		this.#held.add(id);
		this.#timelineRoom.delete(this.#roomName(id));
	}

	#release(id: number): void {
		this.#timelines.delete(id);
		this.#told.delete(id);
		this.#held.delete(id);
	}

	#roomName(id: number): string {
		return ticketRefText(this.#named(id));
	}

	/** Like `events`, for a visible timeline. */
	shownEvents(id: number, how: 'first' | 'more' | 'renew', signal: AbortSignal): Promise<Listing<TicketEvent>> {
		this.#hold(id);
		return this.events(id, how, signal);
	}

	events(id: number, how: 'first' | 'more' | 'renew', signal: AbortSignal): Promise<Listing<TicketEvent>> {
		const timeline = this.#timeline(id);
		// `first` joins the refresh in progress.
		const way = how === 'renew' && isBeingRead(timeline.before()) ? 'first' : how;
		return this.#unlessRefused(id, timeline[way](signal));
	}

	/** Applies events that did not arrive on a page. */
	putEvents(id: number, events: readonly TicketEvent[]): TicketsChange {
		this.#keepEvents(id, events);
		return this.#changeOf(id, 'same');
	}

	/** After an unfollow. Visible tickets keep their timelines. */
	shed(): void {
		this.reads.reset();
		for (const id of Array.from(this.#timelines.keys()).filter((each) => !this.#held.has(each))) {
			this.#timelineRoom.delete(this.#roomName(id));
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
		this.#timelines.forEach((_, id) => this.#timelineRoom.delete(this.#roomName(id)));
	}

	#timeline(id: number): PagedList<TicketEvent> {
		let timeline = this.#timelines.get(id);
		if (timeline === undefined) {
			const { api, disk } = this.#access;
			timeline = new PagedList({
				open: (signal) => api.events(this.#named(id), signal),
				idOf: (event) => event.id,
				compare: (a, b) => b.id - a.id,
				disk: disk?.events(this.#named(id)),
				arrived: (page) => this.#arrived({ kind: 'eventsRead', ticket: this.#named(id), page }),
			});
			this.#timelines.set(id, timeline);
		}
		if (!this.#held.has(id)) {
			this.#timelineRoom.set(this.#roomName(id), () => this.#release(id));
		}
		return timeline;
	}

	#named(id: number): TicketRef {
		return { tracker: this.ref, id };
	}

	async #unlessRefused<T>(id: number, reading: Promise<T>): Promise<T> {
		try {
			return await reading;
		} catch (error) {
			if (isRefused(error)) {
				this.#arrived({ kind: 'ticketRefused', ticket: this.#named(id) });
			}
			throw error;
		}
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

	/** A change for the ticket if anything visible differs from its last event. */
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
		this.#room.take(ticketRefText(this.#named(id)), size, () => this.list.setComments(id, undefined));
	}
}

const nothing: TicketsChange = { tickets: [], isList: false };

/** Throttle for list events during a complete read. */
const tellEveryMs = 100;
