import type { Clock } from '../../base/clock.ts';
import type { TrackerApi } from '../../forge/forge.ts';
import { isForgeError } from '../../forge/forgeError.ts';
import { ticketRefText, type Ticket, type TicketEvent, type TicketRef } from '../../forge/ticket.ts';
import type { TrackerRef } from '../../forge/tracker.ts';
import { commentsOf, type CommentRoom } from './commentTexts.ts';
import type { KeptTimelines } from './keptTimelines.ts';
import type { Listing, ReadBefore } from '../shared/listing.ts';
import { PagedList } from '../shared/pagedList.ts';
import { SharedReads } from '../shared/sharedRead.ts';
import type { RememberedTickets } from './rememberedTickets.ts';
import { TicketList } from './ticketList.ts';
import type { PageGain } from './ticketPage.ts';
import { TicketReads } from './ticketReads.ts';

/** What reading one tracker's tickets needs and tells. */
export interface TrackerTicketsParts {
	readonly ref: TrackerRef;
	readonly api: TrackerApi;
	readonly clock: Clock;
	readonly room: CommentRoom;
	/** Where tickets and their timelines outlive the window; absent where they are not to. */
	readonly disk: KeptTimelines | undefined;
	/** Called before every request for a page of tickets. */
	readonly asks: () => void;
	/** Called with what each page brought, and after anything else that was learnt of a ticket. */
	readonly learnt: (gain: PageGain | undefined) => void;
}

/** One tracker's tickets and their timelines, as far as they are known. */
export class TrackerTickets {
	readonly list = new TicketList();
	readonly reads: TicketReads;
	readonly #parts: TrackerTicketsParts;
	readonly #timelines = new Map<number, PagedList<TicketEvent>>();
	readonly #ticketReads = new SharedReads<Ticket>();
	/** Why tickets could not be read anew that are known from another window. */
	readonly #unanswered = new Map<number, unknown>();

	constructor(parts: TrackerTicketsParts) {
		this.#parts = parts;
		this.reads = new TicketReads({ ...parts, list: this.list, gained: parts.learnt });
	}

	get ref(): TrackerRef {
		return this.#parts.ref;
	}

	/** Takes in what was known when the window was closed. */
	remember({ tickets, covered, isUnstated }: Omit<RememberedTickets, 'tracker'>): void {
		this.list.remember(tickets, covered, isUnstated);
		for (const { ticket, comments } of tickets) {
			if (comments !== undefined) {
				this.#takeRoom(ticket.id, comments.size);
			}
		}
		this.#parts.learnt(undefined);
	}

	put(ticket: Ticket, stamp: number = this.list.tick()): void {
		this.list.put(ticket, stamp, this.#parts.clock.nowMs());
		this.#unanswered.delete(ticket.id);
		this.#parts.disk?.keepTicket(this.#named(ticket.id), this.list.item(ticket.id) ?? ticket);
		this.#noteComments(ticket.id);
		this.#parts.learnt(undefined);
	}

	/** Asks the forge for a ticket, whatever is known. */
	renew(id: number, signal: AbortSignal): Promise<Ticket> {
		const read = async (shared: AbortSignal): Promise<Ticket> => {
			const stamp = this.list.tick();
			const ticket = await this.#unlessRefused(id, this.#parts.api.ticket(this.#named(id), shared));
			this.put(ticket, stamp);
			return this.list.item(id) ?? ticket;
		};
		return this.#ticketReads.read(String(id), read, signal);
	}

	/**
	 * The forge is away: what is on the disk stands in for a ticket of which nothing is known. True when the ticket is known
	 * from another window only.
	 */
	async standIn(id: number, error: unknown): Promise<boolean> {
		const old = this.list.item(id) ? undefined : await this.#parts.disk?.ticket(this.#named(id));
		if (old) {
			this.list.remember([{ ticket: old.value, checkedAtMs: old.readAtMs, comments: undefined }], [], false);
		}
		if (this.list.isRemembered(id)) {
			this.#unanswered.set(id, error);
		}
		return this.#unanswered.has(id);
	}

	/** Of when a ticket is, where it or its timeline is shown as another window read it; of the older one. */
	before(id: number): ReadBefore | undefined {
		const events = this.#timelines.get(id)?.before();
		const error = this.#unanswered.get(id);
		const readAtMs = this.list.isRemembered(id) ? this.list.checkedAtMs(id) : undefined;
		if (error === undefined || readAtMs === undefined) {
			return events;
		}
		return { error, readAtMs: Math.min(readAtMs, events?.readAtMs ?? readAtMs) };
	}

	knownEvents(id: number): Listing<TicketEvent> | undefined {
		return this.#timelines.get(id)?.known();
	}

	/** A timeline's events, read in one of the ways that a list can be read. */
	async events(id: number, how: 'first' | 'more' | 'renew', signal: AbortSignal): Promise<Listing<TicketEvent>> {
		const known = this.knownEvents(id);
		const listing = await this.#unlessRefused(id, this.#timeline(id)[how](signal));
		if (listing !== known) {
			this.#noteComments(id);
			this.#parts.learnt(undefined);
		}
		return listing;
	}

	/** Takes in events that did not come by a page. */
	putEvents(id: number, events: readonly TicketEvent[]): void {
		const timeline = this.#timeline(id);
		for (const event of events) {
			timeline.put(event);
		}
		timeline.store();
		this.#noteComments(id);
		this.#parts.learnt(undefined);
	}

	/** Nobody follows the tracker any more: only tickets whose timelines were read, which may be open, stay known. */
	shed(): void {
		this.reads.reset();
		this.list.keepOnly(this.#timelines);
	}

	close(): void {
		this.reads.close();
		this.#ticketReads.abortAll();
		for (const timeline of this.#timelines.values()) {
			timeline.close();
		}
	}

	#timeline(id: number): PagedList<TicketEvent> {
		let timeline = this.#timelines.get(id);
		if (timeline === undefined) {
			const { api, disk } = this.#parts;
			timeline = new PagedList({
				open: (signal) => api.events(this.#named(id), signal),
				idOf: (event) => event.id,
				compare: (a, b) => b.id - a.id,
				disk: disk?.events(this.#named(id)),
			});
			this.#timelines.set(id, timeline);
		}
		return timeline;
	}

	#named(id: number): TicketRef {
		return { tracker: this.#parts.ref, id };
	}

	/**
	 * What the forge refuses is forgotten where only another window has read it, and kept no longer: the forge may be away
	 * the next time.
	 */
	async #unlessRefused<T>(id: number, reading: Promise<T>): Promise<T> {
		try {
			return await reading;
		} catch (error) {
			if (isForgeError(error) && ['notFound', 'notAllowed'].includes(error.problem.kind)) {
				this.#parts.disk?.drop(this.#named(id));
				this.list.forgetRemembered(id);
				if (this.#timelines.get(id)?.before()) {
					this.#timelines.get(id)?.reset();
				}
			}
			throw error;
		}
	}

	#noteComments(id: number): void {
		const listing = this.knownEvents(id);
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
