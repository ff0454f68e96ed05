import { Emitter, type Event } from '../base/event.ts';
import type { Disposable } from '../base/lifecycle.ts';
import type { TrackerApi } from '../forge/forge.ts';
import {
	refOfTicket,
	ticketRefText,
	type NewTicket,
	type Ticket,
	type TicketChanges,
	type TicketEvent,
	type TicketRef,
	type TicketUpdate,
} from '../forge/ticket.ts';
import { trackerRefText, type Label, type Tracker, type TrackerRef } from '../forge/tracker.ts';
import type { OwnerName } from '../forge/user.ts';
import type { Listing } from './listing.ts';
import { PagedList } from './pagedList.ts';
import { SharedReads } from './sharedRead.ts';

/** Names that outlive the window, such as the trackers that somebody follows. */
export interface KeptNames {
	all(): readonly string[];
	keep(names: readonly string[]): Promise<void>;
}

export interface TicketStoreParts {
	readonly api: TrackerApi;
	/** `~name` of the account. */
	readonly me: OwnerName;
	/** Others' trackers that the account follows, each `~owner/name`. */
	readonly followed: KeptNames;
}

/** Something that is newer than what is known, whoever tells it: an answer to a command, a poll, a delivery. */
export type TicketNews =
	| { readonly kind: 'trackerChanged'; readonly tracker: Tracker }
	| { readonly kind: 'trackerDeleted'; readonly tracker: TrackerRef }
	| { readonly kind: 'ticketChanged'; readonly ticket: Ticket }
	| { readonly kind: 'eventsAdded'; readonly ticket: TicketRef; readonly events: readonly TicketEvent[] };

/** What changed, as narrowly as it is known. */
export type TicketStoreChange =
	/** Trackers came or went. */
	| { readonly kind: 'trackers' }
	/** A tracker itself or the list of its tickets. */
	| { readonly kind: 'tracker'; readonly tracker: TrackerRef }
	/** A ticket or its timeline. */
	| { readonly kind: 'ticket'; readonly ticket: TicketRef };

const ownerAndName = /^(~[^/\s]+)\/([^/\s#]+)$/;

/** Reads `~owner/name`. */
export function trackerRefOf(text: string): TrackerRef | undefined {
	const [, owner, name] = ownerAndName.exec(text) ?? [];
	return owner === undefined || name === undefined ? undefined : { owner, name };
}

/**
 * What we know of one account's trackers and tickets. Reads come from here, changes go through here, everyone hears of
 * them. Trackers, tickets and events are named by references that carry the owner, never by the server's own numbers.
 */
export class TicketStore implements Disposable {
	readonly #api: TrackerApi;
	readonly #followed: KeptNames;
	readonly #me: OwnerName;
	readonly #own: PagedList<Tracker>;
	readonly #others = new Map<string, Tracker>();
	readonly #tickets = new Map<string, PagedList<Ticket>>();
	readonly #events = new Map<string, PagedList<TicketEvent>>();
	readonly #labels = new Map<string, readonly Label[]>();
	readonly #trackerReads = new SharedReads<Tracker>();
	readonly #ticketReads = new SharedReads<Ticket>();
	readonly #labelReads = new SharedReads<readonly Label[]>();
	readonly #changed = new Emitter<TicketStoreChange>();
	readonly onDidChange: Event<TicketStoreChange> = this.#changed.event;

	constructor({ api, me, followed }: TicketStoreParts) {
		this.#api = api;
		this.#me = me;
		this.#followed = followed;
		this.#own = new PagedList({
			open: (signal) => api.trackers(undefined, signal),
			idOf: ({ name }) => name.toLowerCase(),
			compare: (a, b) => a.name.localeCompare(b.name, 'en'),
		});
	}

	/** One's own trackers, by name. */
	ownTrackers(signal: AbortSignal): Promise<Listing<Tracker>> {
		return this.#own.first(signal);
	}

	/** Reads on in one's own trackers. */
	async moreOwnTrackers(signal: AbortSignal): Promise<Listing<Tracker>> {
		const listing = await this.#own.more(signal);
		this.#changed.fire({ kind: 'trackers' });
		return listing;
	}

	/** Others' trackers that are followed, in the order in which they were added. Needs no request. */
	followedTrackers(): readonly TrackerRef[] {
		return this.#followed
			.all()
			.map(trackerRefOf)
			.filter((ref) => ref !== undefined);
	}

	/** Follows a tracker once the forge has shown that it exists. */
	async follow(ref: TrackerRef, signal: AbortSignal): Promise<Tracker> {
		const tracker = await this.#readTracker(ref, signal);
		const name = trackerRefText({ owner: tracker.owner.canonicalName, name: tracker.name });
		const names = this.#followed.all();
		if (tracker.owner.canonicalName !== this.#me && !names.includes(name)) {
			await this.#followed.keep([...names, name]);
			this.#changed.fire({ kind: 'trackers' });
		}
		return tracker;
	}

	async unfollow(ref: TrackerRef): Promise<void> {
		const unwanted = trackerRefText(ref);
		await this.#followed.keep(this.#followed.all().filter((name) => name !== unwanted));
		this.#changed.fire({ kind: 'trackers' });
	}

	/** A tracker as last seen, without asking. */
	knownTracker(ref: TrackerRef): Tracker | undefined {
		return this.#isMine(ref)
			? (this.#own.item(ref.name.toLowerCase()) ?? this.#others.get(trackerRefText(ref)))
			: this.#others.get(trackerRefText(ref));
	}

	async tracker(ref: TrackerRef, signal: AbortSignal): Promise<Tracker> {
		return this.knownTracker(ref) ?? (await this.#readTracker(ref, signal));
	}

	/** A tracker's tickets as far as they were read, newest number first. */
	tickets(ref: TrackerRef, signal: AbortSignal): Promise<Listing<Ticket>> {
		return this.#ticketsOf(ref).first(signal);
	}

	/** What is known of a tracker's tickets without asking. */
	knownTickets(ref: TrackerRef): Listing<Ticket> | undefined {
		return this.#ticketsOf(ref).known();
	}

	/** Reads on in a tracker's tickets. */
	async moreTickets(ref: TrackerRef, signal: AbortSignal): Promise<Listing<Ticket>> {
		const listing = await this.#ticketsOf(ref).more(signal);
		this.#changed.fire({ kind: 'tracker', tracker: ref });
		return listing;
	}

	/** A ticket as last seen, without asking. */
	knownTicket({ tracker, id }: TicketRef): Ticket | undefined {
		return this.#ticketsOf(tracker).item(id);
	}

	async ticket(ref: TicketRef, signal: AbortSignal): Promise<Ticket> {
		return this.knownTicket(ref) ?? (await this.renewTicket(ref, signal));
	}

	/** Asks the forge for the ticket, whatever is known. */
	renewTicket(ref: TicketRef, signal: AbortSignal): Promise<Ticket> {
		const read = async (shared: AbortSignal): Promise<Ticket> => {
			const tickets = this.#ticketsOf(ref.tracker);
			const stamp = tickets.tick();
			const ticket = await this.#api.ticket(ref, shared);
			tickets.put(ticket, stamp);
			this.#changed.fire({ kind: 'ticket', ticket: ref });
			return tickets.item(ref.id) ?? ticket;
		};
		return this.#ticketReads.read(ticketRefText(ref), read, signal);
	}

	/** What is known of a ticket's timeline without asking. */
	knownEvents(ref: TicketRef): Listing<TicketEvent> | undefined {
		return this.#eventsOf(ref).known();
	}

	/** A ticket's timeline as far as it was read, newest first. */
	events(ref: TicketRef, signal: AbortSignal): Promise<Listing<TicketEvent>> {
		return this.#eventsOf(ref).first(signal);
	}

	/** Reads on towards older events. */
	async moreEvents(ref: TicketRef, signal: AbortSignal): Promise<Listing<TicketEvent>> {
		const listing = await this.#eventsOf(ref).more(signal);
		this.#changed.fire({ kind: 'ticket', ticket: ref });
		return listing;
	}

	/** Asks for the newest events, whatever is known. */
	async renewEvents(ref: TicketRef, signal: AbortSignal): Promise<Listing<TicketEvent>> {
		const listing = await this.#eventsOf(ref).renew(signal);
		this.#changed.fire({ kind: 'ticket', ticket: ref });
		return listing;
	}

	/** All labels of a tracker: their colours are told nowhere else. */
	labels(ref: TrackerRef, signal: AbortSignal): Promise<readonly Label[]> {
		const key = keyOf(ref);
		const known = this.#labels.get(key);
		const read = async (shared: AbortSignal): Promise<readonly Label[]> => {
			const labels: Label[] = [];
			for await (const page of this.#api.labels(ref, shared)) {
				labels.push(...page.items);
			}
			this.#labels.set(key, labels);
			return labels;
		};
		return known ? Promise.resolve(known) : this.#labelReads.read(key, read, signal);
	}

	/** Labels as last seen, without asking. */
	knownLabels(ref: TrackerRef): readonly Label[] {
		return this.#labels.get(keyOf(ref)) ?? [];
	}

	/** Sends a change once. The answer is taken over before this returns. */
	async update(ref: TicketRef, changes: TicketChanges, signal: AbortSignal): Promise<TicketUpdate> {
		const update = await this.#api.updateTicket(ref, changes, signal);
		this.apply({ kind: 'eventsAdded', ticket: ref, events: update.events });
		this.apply({ kind: 'ticketChanged', ticket: update.ticket });
		return update;
	}

	/** Sends a new ticket once. */
	async submit(tracker: TrackerRef, ticket: NewTicket, signal: AbortSignal): Promise<Ticket> {
		const submitted = await this.#api.submit(tracker, ticket, signal);
		this.apply({ kind: 'ticketChanged', ticket: submitted });
		return submitted;
	}

	/** Every change enters here, whether a command, a poll or a delivery brought it. */
	apply(news: TicketNews): void {
		switch (news.kind) {
			case 'trackerChanged':
				this.#keepTracker(news.tracker);
				return this.#changed.fire({ kind: 'trackers' });
			case 'trackerDeleted':
				this.#forgetTracker(news.tracker);
				return this.#changed.fire({ kind: 'trackers' });
			case 'ticketChanged': {
				const ref = refOfTicket(news.ticket);
				this.#ticketsOf(ref.tracker).put(news.ticket);
				this.#changed.fire({ kind: 'ticket', ticket: ref });
				return this.#changed.fire({ kind: 'tracker', tracker: ref.tracker });
			}
			case 'eventsAdded': {
				const events = this.#eventsOf(news.ticket);
				for (const event of news.events) {
					events.put(event);
				}
				return this.#changed.fire({ kind: 'ticket', ticket: news.ticket });
			}
		}
	}

	/** Forgets the lists, all of them or those of one tracker, so that the next look asks again. */
	forget(ref?: TrackerRef): void {
		if (ref) {
			this.#ticketsOf(ref).reset();
			this.#labels.delete(keyOf(ref));
			return this.#changed.fire({ kind: 'tracker', tracker: ref });
		}
		for (const list of [this.#own, ...this.#tickets.values()]) {
			list.reset();
		}
		this.#others.clear();
		this.#labels.clear();
		this.#changed.fire({ kind: 'trackers' });
	}

	dispose(): void {
		for (const list of [this.#own, ...this.#tickets.values(), ...this.#events.values()]) {
			list.close();
		}
		this.#trackerReads.abortAll();
		this.#ticketReads.abortAll();
		this.#labelReads.abortAll();
		this.#changed.dispose();
	}

	#readTracker(ref: TrackerRef, signal: AbortSignal): Promise<Tracker> {
		const read = async (shared: AbortSignal): Promise<Tracker> => {
			const tracker = await this.#api.tracker(ref, shared);
			this.#keepTracker(tracker);
			return tracker;
		};
		return this.#trackerReads.read(keyOf(ref), read, signal);
	}

	#keepTracker(tracker: Tracker): void {
		const ref = { owner: tracker.owner.canonicalName, name: tracker.name };
		if (this.#isMine(ref)) {
			this.#own.put(tracker);
		} else {
			this.#others.set(trackerRefText(ref), tracker);
		}
	}

	#forgetTracker(ref: TrackerRef): void {
		this.#ticketsOf(ref).close();
		this.#tickets.delete(keyOf(ref));
		this.#labels.delete(keyOf(ref));
		this.#others.delete(trackerRefText(ref));
		if (this.#isMine(ref)) {
			this.#own.remove(ref.name.toLowerCase());
		}
	}

	#isMine(ref: TrackerRef): boolean {
		return ref.owner === this.#me;
	}

	#ticketsOf(ref: TrackerRef): PagedList<Ticket> {
		return madeOnce(this.#tickets, keyOf(ref), () => ({
			open: (signal) => this.#api.tickets(ref, signal),
			idOf: ({ id }) => id,
			compare: (a, b) => b.id - a.id,
		}));
	}

	#eventsOf(ref: TicketRef): PagedList<TicketEvent> {
		return madeOnce(this.#events, `${keyOf(ref.tracker)}#${ref.id}`, () => ({
			open: (signal) => this.#api.events(ref, signal),
			idOf: ({ id }) => id,
			compare: (a, b) => b.id - a.id,
		}));
	}
}

/** Servers look trackers up without regard to case (observed-behaviour 3.1). */
function keyOf(ref: TrackerRef): string {
	return trackerRefText(ref).toLowerCase();
}

function madeOnce<T>(
	lists: Map<string, PagedList<T>>,
	key: string,
	parts: () => ConstructorParameters<typeof PagedList<T>>[0],
): PagedList<T> {
	const list = lists.get(key) ?? new PagedList(parts());
	lists.set(key, list);
	return list;
}
