import { Emitter, type Event } from '../../base/event.ts';
import { Disposables, type Disposable } from '../../base/lifecycle.ts';
import { refOfTicket, type NewTicket, type Ticket, type TicketEvent, type TicketRef } from '../../forge/ticket.ts';
import type { Leaving, TicketOutcome, TicketRequest } from '../../forge/ticketRequest.ts';
import type { TicketNews } from '../../forge/news.ts';
import type { Pages } from '../../forge/page.ts';
import type { Label, Tracker, TrackerRef } from '../../forge/tracker.ts';
import type { OwnerName } from '../../forge/user.ts';
import { isAbort } from '../../base/abort.ts';
import { isAway } from '../../forge/isAway.ts';
import type { Listing, ReadBefore } from '../shared/listing.ts';
import { refOfTracker } from './trackerRefs.ts';
import type { TicketList } from './ticketList.ts';
import type { RememberedNews, TicketReading, TicketStoreChange, SentText } from './ticketChange.ts';
import type { TicketsChange } from './trackerTickets.ts';
import type { RememberedTrackers } from './rememberedTickets.ts';
import { sendRequest } from './sendRequest.ts';
import { TrackerShelf, type TrackerShelfParts } from './trackerShelf.ts';
import { TicketsByTracker, type TicketsByTrackerParts } from './ticketsByTracker.ts';

export interface TicketStoreParts extends TicketsByTrackerParts, Pick<TrackerShelfParts, 'me' | 'followed'> {
	/** Settles once what was kept of a tracker, or of the list of trackers, is known. Never rejects. */
	readonly remembered?: (tracker: TrackerRef | undefined) => Promise<void>;
}

/**
 * What we know of one account's trackers and tickets. Reads come from here, changes go through here, everyone hears of
 * them. Trackers, tickets and events are named by references that carry the owner, never by the server's own numbers.
 */
export class TicketStore implements Disposable {
	readonly #parts: TicketStoreParts;
	readonly #trackers: TrackerShelf;
	readonly #tickets: TicketsByTracker;
	readonly #owned = new Disposables();
	readonly #changed = this.#owned.add(new Emitter<TicketStoreChange>());
	readonly #learnt = this.#owned.add(new Emitter<TrackerRef>());
	readonly #looked = this.#owned.add(new Emitter<TrackerRef>());
	readonly #sent = this.#owned.add(new Emitter<SentText>());
	readonly onDidChange: Event<TicketStoreChange> = this.#changed.event;
	/** Something was learnt of a tracker's tickets, be it only that they are still as they were, or their comments. */
	readonly onDidLearn: Event<TrackerRef> = this.#learnt.event;
	/** Somebody reads a ticket of this tracker: its timeline was asked for. */
	readonly onDidLook: Event<TrackerRef> = this.#looked.event;

	/** Text was sent, in a ticket or as a new one. */
	readonly onDidSend: Event<SentText> = this.#sent.event;

	constructor(parts: TicketStoreParts) {
		this.#parts = parts;
		this.#trackers = new TrackerShelf(parts, (reading) => this.apply(reading));
		this.#tickets = new TicketsByTracker(parts, (reading) => this.apply(reading));
	}

	/** One's own trackers, by name. */
	ownTrackers(signal: AbortSignal): Promise<Listing<Tracker>> {
		const isKnown = this.#trackers.knownOwn() !== undefined;
		return this.#onceRemembered(isKnown, undefined, () => this.#trackers.own(signal));
	}

	/** Reads on in one's own trackers. */
	moreOwnTrackers(signal: AbortSignal): Promise<Listing<Tracker>> {
		return this.#trackers.moreOwn(signal);
	}

	/** Reads all of one's own trackers, whatever is known. */
	renewOwnTrackers(signal: AbortSignal): Promise<void> {
		return this.#trackers.renewOwn(signal);
	}

	/** The same for the background, which waits for a view that reads them just now. */
	pollOwnTrackers(signal: AbortSignal): Promise<void> {
		return this.#trackers.pollOwn(signal);
	}

	/** When all own trackers were last read, by whomever; `undefined` before. Milliseconds since 1970. */
	ownTrackersReadMs(): number | undefined {
		return this.#trackers.ownReadMs();
	}

	/** One's own trackers as far as they were read, and the followed ones. Needs no request. */
	knownTrackers(): readonly TrackerRef[] {
		const own = (this.#trackers.knownOwn()?.items ?? []).map((tracker) => refOfTracker(tracker));
		return [...own, ...this.followedTrackers()];
	}

	/** Others' trackers that are followed, in the order in which they were added. Needs no request. */
	followedTrackers(): readonly TrackerRef[] {
		return this.#trackers.followed.all();
	}

	/** Those of anybody that the account may see; nothing of them is kept. */
	trackersOf(owner: OwnerName, signal: AbortSignal): Pages<Tracker> {
		return this.#parts.api.trackers(owner, signal);
	}

	/** Follows a tracker once the forge has shown that it exists. */
	async follow(ref: TrackerRef, signal: AbortSignal): Promise<Tracker> {
		const tracker = await this.#trackers.read(ref, signal);
		if (await this.#trackers.followed.add(refOfTracker(tracker))) {
			this.#changed.fire({ kind: 'trackers' });
		}
		return tracker;
	}

	async unfollow(ref: TrackerRef): Promise<void> {
		const wasFollowed = await this.#trackers.followed.remove(ref);
		this.#tickets.known(ref)?.shed();
		if (wasFollowed) {
			this.#changed.fire({ kind: 'trackers' });
		}
	}

	/** Tells of what another window follows or unfollows since the last look. Needs no request. */
	lookAtFollowed(): void {
		const news = this.#trackers.followed.newsElsewhere();
		news?.gone.forEach((ref) => this.#tickets.known(ref)?.shed());
		if (news) {
			this.#changed.fire({ kind: 'trackers' });
		}
	}

	/** Whether `knownTrackers` names all own ones, so that what it does not name is gone. */
	knowsAllTrackers(): boolean {
		const own = this.#trackers.knownOwn();
		return own !== undefined && own.completeness.kind !== 'more';
	}

	/** A tracker as last seen, without asking. */
	knownTracker(ref: TrackerRef): Tracker | undefined {
		return this.#trackers.known(ref);
	}

	/** What the tracker with this id is called, as last seen, without asking. */
	refOfRid(rid: string): TrackerRef | undefined {
		return this.#trackers.refOfRid(rid);
	}

	async tracker(ref: TrackerRef, signal: AbortSignal): Promise<Tracker> {
		return this.knownTracker(ref) ?? (await this.#trackers.read(ref, signal));
	}

	/** Asks the forge for a tracker, whatever is known. */
	renewTracker(ref: TrackerRef, signal: AbortSignal): Promise<Tracker> {
		return this.#trackers.read(ref, signal);
	}

	/** A tracker's tickets as far as they are known, newest number first; those known from before the start at once. */
	tickets(ref: TrackerRef, signal: AbortSignal): Promise<Listing<Ticket>> {
		const isKnown = this.knownTickets(ref) !== undefined;
		return this.#onceRemembered(isKnown, ref, () => this.#tickets.of(ref).reads.first(signal));
	}

	/** What is known of a tracker's tickets without asking. */
	knownTickets(ref: TrackerRef): Listing<Ticket> | undefined {
		return this.#tickets.of(ref).reads.known();
	}

	/** Reads on in a tracker's tickets. */
	moreTickets(ref: TrackerRef, signal: AbortSignal): Promise<Listing<Ticket>> {
		return this.#tickets.of(ref).reads.more(signal);
	}

	/** Reads a page of tickets, whatever is known: the newest, or the one that begins at number `from`. True when it told something new. */
	rereadTickets(ref: TrackerRef, from: number | undefined, signal: AbortSignal): Promise<boolean> {
		return this.#tickets.of(ref).reads.reread(from, signal);
	}

	/** The same of a page that was never read, with the texts of its tickets where they take no request of their own. */
	fillTickets(ref: TrackerRef, from: number | undefined, signal: AbortSignal): Promise<boolean> {
		return this.#tickets.of(ref).reads.fill(from, signal);
	}

	/** How many tickets `recheckTickets` takes at once; 0 where they are read again page by page. */
	get mostRechecked(): number {
		return this.#parts.api.inBulk?.mostNumbers ?? 0;
	}

	/** Looks whether tickets are still as they are known, and reads again what is not. True when something was new. */
	recheckTickets(ref: TrackerRef, numbers: readonly number[], signal: AbortSignal): Promise<boolean> {
		return this.#tickets.of(ref).reads.recheck(numbers, signal);
	}

	/** Reads all tickets of a tracker, whatever is known. Those who listen hear of it now and then meanwhile. */
	async readAllTickets(ref: TrackerRef, signal: AbortSignal): Promise<void> {
		const tickets = this.#tickets.of(ref);
		try {
			await tickets.reads.readAll(signal);
		} finally {
			if (tickets.takeListUntold()) {
				this.#tell(ref, { tickets: [], isList: true });
			}
		}
	}

	/** All that is known of a tracker's tickets, for the index and for keeping. */
	ticketList(ref: TrackerRef): TicketList {
		return this.#tickets.of(ref).list;
	}

	/** A ticket as last seen, without asking. */
	knownTicket({ tracker, id }: TicketRef): Ticket | undefined {
		return this.#tickets.of(tracker).list.item(id);
	}

	/** A ticket as known; while the forge is away one of another window, of which `ticketBefore` says of when it is. */
	ticket(ref: TicketRef, signal: AbortSignal): Promise<Ticket> {
		const isKnown = this.knownTicket(ref) !== undefined;
		return this.#onceRemembered(isKnown, ref.tracker, async () => {
			const known = this.knownTicket(ref);
			try {
				return known ?? (await this.renewTicket(ref, signal));
			} catch (error) {
				const before = isAway(error) ? this.knownTicket(ref) : undefined;
				if (!before) {
					throw error;
				}
				return before;
			}
		});
	}

	/**
	 * What an earlier window read of a ticket and its timeline is known after this, where nothing else is: for who shows it
	 * at once, and asks the forge next. Needs no request.
	 */
	recall({ tracker, id }: TicketRef): Promise<void> {
		return this.#tickets.of(tracker).recall(id);
	}

	/**
	 * Asks the forge for the ticket, whatever is known. What another window read is known afterwards where the forge is
	 * away, and forgotten where it refuses.
	 */
	async renewTicket(ref: TicketRef, signal: AbortSignal): Promise<Ticket> {
		const tickets = this.#tickets.of(ref.tracker);
		try {
			return await tickets.renew(ref.id, signal);
		} catch (error) {
			if (isAway(error)) {
				await this.#parts.remembered?.(ref.tracker);
			}
			if (isAway(error) || (tickets.isRecalled(ref.id) && !isAbort(error))) {
				await tickets.standIn(ref.id, error);
			}
			throw error;
		}
	}

	/** Of when a ticket is, where it or its timeline is shown as another window read it. */
	ticketBefore({ tracker, id }: TicketRef): ReadBefore | undefined {
		return this.#tickets.of(tracker).before(id);
	}

	/** What is known of a ticket's timeline without asking. */
	knownEvents(ref: TicketRef): Listing<TicketEvent> | undefined {
		return this.#tickets.of(ref.tracker).knownEvents(ref.id);
	}

	/**
	 * A ticket's timeline as far as it was read, newest first. While the forge is away it is the one that another window
	 * read, until it is read anew.
	 */
	events(ref: TicketRef, signal: AbortSignal): Promise<Listing<TicketEvent>> {
		this.#looked.fire(ref.tracker);
		return this.#tickets.of(ref.tracker).shownEvents(ref.id, 'first', signal);
	}

	/** Reads on towards older events. */
	moreEvents(ref: TicketRef, signal: AbortSignal): Promise<Listing<TicketEvent>> {
		return this.#tickets.of(ref.tracker).shownEvents(ref.id, 'more', signal);
	}

	/** Asks for the newest events, whatever is known. */
	renewEvents(ref: TicketRef, signal: AbortSignal): Promise<Listing<TicketEvent>> {
		this.#looked.fire(ref.tracker);
		return this.#tickets.of(ref.tracker).shownEvents(ref.id, 'renew', signal);
	}

	/** The same for the background, where nobody looks. `how`: once more from the newest on, or further down. */
	rereadEvents(ref: TicketRef, how: 'renew' | 'more', signal: AbortSignal): Promise<Listing<TicketEvent>> {
		return this.#tickets.of(ref.tracker).events(ref.id, how, signal);
	}

	/** All labels of a tracker: their colours are told nowhere else. */
	labels(ref: TrackerRef, signal: AbortSignal): Promise<readonly Label[]> {
		return this.#trackers.labels(ref, signal);
	}

	/** Asks for all labels of a tracker, whatever is known. */
	async renewLabels(ref: TrackerRef, signal: AbortSignal): Promise<void> {
		await this.#trackers.readLabels(ref, signal);
	}

	/** Whether the labels of a tracker were read, be it that it has none. */
	hasReadLabels(ref: TrackerRef): boolean {
		return this.#trackers.hasLabels(ref);
	}

	/** Labels as last seen, without asking. */
	knownLabels(ref: TrackerRef): readonly Label[] {
		return this.#trackers.knownLabels(ref);
	}

	/** What is known of trackers, for keeping. */
	rememberedTrackers(): RememberedTrackers {
		return this.#trackers.remembered();
	}

	/** Sends a request once. What its answer shows is taken over before this returns. */
	async update(ref: TicketRef, asked: TicketRequest & Leaving, signal: AbortSignal): Promise<TicketOutcome> {
		const tickets = this.#tickets.of(ref.tracker);
		const stamp = tickets.list.tick();
		const outcome = await sendRequest(this.#parts.api, { ref, asked }, signal);
		if (outcome.kind === 'needless') {
			this.apply({ kind: 'ticketRead', ticket: ref, value: outcome.ticket, stamp });
		} else if (outcome.kind === 'answered') {
			this.apply({ kind: 'ticketChanged', ticket: outcome.ticket, events: outcome.events });
			this.#sent.fire({ tracker: ref.tracker, ticketId: ref.id, text: asked.comment ?? '' });
		} else if (outcome.kind !== 'lost' && outcome.now) {
			this.apply({ kind: 'ticketChanged', ticket: outcome.now });
		}
		return outcome;
	}

	/** Sends a new ticket once. */
	async submit(tracker: TrackerRef, ticket: NewTicket, signal: AbortSignal): Promise<Ticket> {
		const submitted = await this.#parts.api.submit(tracker, ticket, signal);
		this.apply({ kind: 'ticketChanged', ticket: submitted });
		this.#sent.fire({ tracker, ticketId: undefined, text: ticket.description });
		return submitted;
	}

	/** Every change enters here, whether a command, a read, a poll or a delivery brought it. */
	apply(news: TicketNews | TicketReading | RememberedNews): void {
		switch (news.kind) {
			case 'ticketsRead':
			case 'ticketsConfirmed':
				return this.#tell(news.tracker, this.#tickets.of(news.tracker).take(news));
			case 'ticketRead':
			case 'eventsRead':
			case 'ticketRefused':
				return this.#tell(news.ticket.tracker, this.#tickets.of(news.ticket.tracker).take(news));
			case 'ticketRecalled':
				// Not learnt: the forge has answered nothing.
				return this.#changeOf(news.ticket.tracker, this.#tickets.of(news.ticket.tracker).take(news));
			case 'ownTrackersRead':
			case 'allOwnTrackersRead':
			case 'trackerRead':
				return this.#trackers.take(news) ? this.#changed.fire({ kind: 'trackers' }) : undefined;
			case 'labelsRead':
				return this.#trackers.take(news) ? this.#changed.fire({ kind: 'tracker', tracker: news.tracker }) : undefined;
			case 'trackerChanged':
				if (this.#trackers.keep(news.tracker)) {
					this.#changed.fire({ kind: 'trackers' });
				}
				return;
			case 'trackerDeleted':
				this.#tickets.drop(news.tracker);
				this.#trackers.remove(news.tracker);
				return this.#changed.fire({ kind: 'trackers' });
			case 'ticketChanged': {
				const { tracker } = refOfTicket(news.ticket);
				return this.#tell(tracker, this.#tickets.of(tracker).put(news.ticket, news.events));
			}
			case 'labelRenamed':
				return this.#tell(news.tracker, this.#tickets.of(news.tracker).relabel(news.name, news.to));
			case 'ticketDeleted':
				return this.#tell(news.ticket.tracker, this.#tickets.of(news.ticket.tracker).drop(news.ticket.id));
			case 'eventsAdded': {
				const { tracker, id } = news.ticket;
				return this.#tell(tracker, this.#tickets.of(tracker).putEvents(id, news.events));
			}
			case 'rememberedTrackers':
				this.#trackers.remember(news);
				return this.#changed.fire({ kind: 'trackers' });
			case 'rememberedTickets':
				this.#tickets.of(news.tracker).remember(news);
				return this.#tell(news.tracker, { tickets: [], isList: true });
		}
	}

	/** Lets the next look ask again, at all lists or at those of one tracker. What is known stays until then. */
	forget(ref?: TrackerRef): void {
		if (ref) {
			this.#tickets.of(ref).reads.reset();
			this.#trackers.forgetLabels(ref);
			return this.#changed.fire({ kind: 'tracker', tracker: ref });
		}
		this.#trackers.forget();
		this.#tickets.resetAll();
		this.#changed.fire({ kind: 'trackers' });
	}

	dispose(): void {
		this.#trackers.close();
		this.#tickets.close();
		this.#owned.dispose();
	}

	/** What is not known may stand on the disk, and that is read within a moment of the start. */
	#onceRemembered<T>(isKnown: boolean, ref: TrackerRef | undefined, read: () => Promise<T>): Promise<T> {
		const { remembered } = this.#parts;
		return isKnown || remembered === undefined ? read() : remembered(ref).then(read);
	}

	#tell(tracker: TrackerRef, change: TicketsChange): void {
		this.#learnt.fire(tracker);
		this.#changeOf(tracker, change);
	}

	#changeOf(tracker: TrackerRef, { tickets, isList }: TicketsChange): void {
		for (const id of tickets) {
			this.#changed.fire({ kind: 'ticket', ticket: { tracker, id } });
		}
		if (isList) {
			this.#changed.fire({ kind: 'tracker', tracker });
		}
	}
}
