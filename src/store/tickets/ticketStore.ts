import { LRUCache } from 'lru-cache';
import { Emitter, type Event } from '@forge-desk/base/event.ts';
import { Disposables, type Disposable } from '@forge-desk/base/lifecycle.ts';
import { refOfTicket, type NewTicket, type Ticket, type TicketEvent, type TicketRef } from 'sourcehut/port/ticket.ts';
import { isNothing, type Leaving, type TicketOutcome, type TicketRequest } from 'sourcehut/port/ticketRequest.ts';
import type { TrackerApi } from 'sourcehut/port/forge.ts';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import type { TicketNews } from 'sourcehut/port/news.ts';
import type { Tracker, TrackerRef } from 'sourcehut/port/tracker.ts';
import { isAbort } from '@forge-desk/base/abort.ts';
import { leavesKnown } from 'sourcehut/port/isAway.ts';
import type { Listing, ReadBefore } from '../shared/listing.ts';
import { refOfTracker, trackerKey } from './trackerRefs.ts';
import type { KeptCursor } from './ticketCursors.ts';
import type { TicketList } from './ticketList.ts';
import type { TicketReads } from './ticketReads.ts';
import type { ReadingOfTracker, RememberedNews, TicketReading, TicketStoreChange, SentText } from './ticketChange.ts';
import { Trackers, type TicketAccess } from './trackers.ts';
import { TrackerTickets, type TicketsChange, type TimelineRoom } from './trackerTickets.ts';
import { commentRoom } from './commentTexts.ts';

/** Number of timelines kept for background reads. */
const mostTimelines = 100;

/**
 * Trackers and tickets of one account: cache, writes and change events. References contain the owner; the server's
 * internal ids never appear.
 */
export class TicketStore implements Disposable {
	readonly #access: TicketAccess;
	/** Change it by `apply` only. */
	readonly trackers: Trackers;
	readonly #byTracker = new Map<string, TrackerTickets>();
	/** One comment quota for the whole account. */
	readonly #room = commentRoom();
	readonly #timelineRoom: TimelineRoom = new LRUCache<string, () => void>({
		max: mostTimelines,
		dispose: (release, _, reason) => (reason === 'evict' ? release() : undefined),
	});
	readonly #owned = new Disposables();
	readonly #changed = this.#owned.add(new Emitter<TicketStoreChange>());
	readonly #learnt = this.#owned.add(new Emitter<TrackerRef>());
	readonly #answered = this.#owned.add(new Emitter<void>());
	readonly #looked = this.#owned.add(new Emitter<TrackerRef>());
	readonly #sent = this.#owned.add(new Emitter<SentText>());
	readonly onDidChange: Event<TicketStoreChange> = this.#changed.event;
	/** Fires also for mere confirmations of tickets or comments. */
	readonly onDidLearn: Event<TrackerRef> = this.#learnt.event;
	/** Fires for each answer of the forge, not for data from the disk cache. */
	readonly onDidAnswer: Event<void> = this.#answered.event;
	/** Fires when a ticket of the tracker becomes visible. */
	readonly onDidLook: Event<TrackerRef> = this.#looked.event;

	/** Fires when the user sent a comment or a new ticket. */
	readonly onDidSend: Event<SentText> = this.#sent.event;

	constructor(access: TicketAccess) {
		this.#access = access;
		this.trackers = new Trackers(access, (reading) => this.apply(reading));
	}

	/** Own trackers, sorted by name. */
	ownTrackers(signal: AbortSignal): Promise<Listing<Tracker>> {
		const isKnown = this.trackers.own.known() !== undefined;
		return this.#onceRemembered(isKnown, undefined, () => this.trackers.firstOwn(signal));
	}

	/** Own and followed trackers on loaded pages. No request. */
	knownTrackers(): readonly TrackerRef[] {
		const own = (this.trackers.own.known()?.items ?? []).map((tracker) => refOfTracker(tracker));
		return [...own, ...this.trackers.followed.all()];
	}

	/** For reads that nobody repeats. */
	get uncached(): Pick<TrackerApi, 'trackers' | 'events'> {
		return this.#access.api;
	}

	/** Checks first that the tracker exists. */
	async follow(ref: TrackerRef, signal: AbortSignal): Promise<Tracker> {
		const tracker = await this.trackers.read(ref, signal);
		if (await this.trackers.followed.add(refOfTracker(tracker))) {
			this.#changed.fire({ kind: 'trackers' });
		}
		return tracker;
	}

	async unfollow(ref: TrackerRef): Promise<void> {
		const wasFollowed = await this.trackers.followed.remove(ref);
		this.#known(ref)?.shed();
		if (wasFollowed) {
			this.#changed.fire({ kind: 'trackers' });
		}
	}

	/** Picks up follows and unfollows of other windows. No request. */
	lookAtFollowed(): void {
		const news = this.trackers.followed.newsElsewhere();
		news?.gone.forEach((ref) => this.#known(ref)?.shed());
		if (news) {
			this.#changed.fire({ kind: 'trackers' });
		}
	}

	/** True when `knownTrackers` is complete, so a missing tracker was deleted. */
	knowsAllTrackers(): boolean {
		const own = this.trackers.own.known();
		return own !== undefined && own.completeness.kind !== 'more';
	}

	async tracker(ref: TrackerRef, signal: AbortSignal): Promise<Tracker> {
		return this.trackers.known(ref) ?? (await this.trackers.read(ref, signal));
	}

	/** Known tickets, newest number first; from the disk cache immediately. */
	tickets(ref: TrackerRef, signal: AbortSignal): Promise<Listing<Ticket>> {
		const isKnown = this.reads(ref).known() !== undefined;
		return this.#onceRemembered(isKnown, ref, () => this.reads(ref).first(signal));
	}

	/** Maximum for `recheckTickets`; 0 when the server has no bulk query. */
	get mostRechecked(): number {
		return this.#access.api.inBulk?.mostNumbers ?? 0;
	}

	/** Maximum for `confirmPages`; 0 when the server has no query for many trackers. */
	get mostConfirmed(): number {
		return this.#access.api.inBulk?.mostPages ?? 0;
	}

	/**
	 * Checks pages of several trackers with one request: newest pages, or those after cursors. Reads no ticket. An empty
	 * tracker counts as read. `failed`: the server failed to send this page.
	 */
	async confirmPages(
		pages: readonly { readonly ref: TrackerRef; readonly after: KeptCursor | undefined }[],
		signal: AbortSignal,
	): Promise<readonly ('same' | 'moved' | 'failed')[]> {
		const { api, asks, clock } = this.#access;
		const stamps = pages.map(({ ref }) => this.ticketList(ref).tick());
		asks?.();
		const asked = pages.map(({ ref, after }) => ({ ref, after: after?.cursor }));
		const found = (await api.inBulk?.changedOn(asked, signal)) ?? [];
		return pages.map(({ ref: tracker, after }, at) => {
			const [changedMs, stamp = 0] = [found[at], stamps[at]];
			if (!changedMs) {
				return 'failed';
			}
			const list = this.ticketList(tracker);
			const atMs = clock.nowMs();
			if (list.covered.length === 0 && after === undefined && changedMs.size === 0) {
				const empty = { items: [], completeness: { kind: 'complete' }, from: undefined, stamp, atMs } as const;
				this.apply({ kind: 'ticketsRead', tracker, page: empty, wanted: 'page', isLast: true });
				return 'same';
			}
			const isSame = list.hasSameOn(after?.below, changedMs);
			this.apply({ kind: 'ticketsConfirmed', tracker, changedMs, stamp, atMs });
			return isSame ? 'same' : 'moved';
		});
	}

	/** Reads all tickets of a tracker again; fires throttled change events. */
	async readAllTickets(ref: TrackerRef, signal: AbortSignal): Promise<void> {
		const tickets = this.#of(ref);
		try {
			await tickets.reads.readAll(signal);
		} finally {
			if (tickets.takeListUntold()) {
				this.#tell(ref, { tickets: [], isList: true });
			}
		}
	}

	/** Reads of pages of a tracker's tickets. */
	reads(ref: TrackerRef): TicketReads {
		return this.#of(ref).reads;
	}

	/** The cached list, for the index and the disk cache. */
	ticketList(ref: TrackerRef): TicketList {
		return this.#of(ref).list;
	}

	/** No request. */
	knownTicket({ tracker, id }: TicketRef): Ticket | undefined {
		return this.#of(tracker).list.item(id);
	}

	/**
	 * A known ticket, or asks the forge. Falls back to the disk cache while the forge is unreachable; `ticketBefore`
	 * reports its age.
	 */
	ticket(ref: TicketRef, signal: AbortSignal): Promise<Ticket> {
		const isKnown = this.knownTicket(ref) !== undefined;
		return this.#onceRemembered(isKnown, ref.tracker, async () => {
			const known = this.knownTicket(ref);
			try {
				return known ?? (await this.renewTicket(ref, signal));
			} catch (error) {
				const before = leavesKnown(error) ? this.knownTicket(ref) : undefined;
				if (!before) {
					throw error;
				}
				return before;
			}
		});
	}

	/**
	 * Loads a ticket and its timeline from the disk cache unless known. For views that render at once and refresh next.
	 * No request.
	 */
	recall({ tracker, id }: TicketRef): Promise<void> {
		return this.#of(tracker).recall(id);
	}

	/**
	 * Always asks the forge. Falls back to the disk cache while the forge is unreachable; drops the cache when the
	 * forge refuses the ticket.
	 */
	async renewTicket(ref: TicketRef, signal: AbortSignal): Promise<Ticket> {
		const tickets = this.#of(ref.tracker);
		try {
			return await tickets.renew(ref.id, signal);
		} catch (error) {
			if (leavesKnown(error)) {
				await this.#access.remembered?.(ref.tracker);
			}
			if (leavesKnown(error) || (tickets.isRecalled(ref.id) && !isAbort(error))) {
				await tickets.standIn(ref.id, error);
			}
			throw error;
		}
	}

	/** Age of the cached ticket or timeline; `undefined` for fresh data. */
	ticketBefore({ tracker, id }: TicketRef): ReadBefore | undefined {
		return this.#of(tracker).before(id);
	}

	/** No request. */
	knownEvents(ref: TicketRef): Listing<TicketEvent> | undefined {
		return this.#of(ref.tracker).knownEvents(ref.id);
	}

	/** Events on loaded pages, newest first. Falls back to the disk cache while the forge is unreachable. */
	events(ref: TicketRef, signal: AbortSignal): Promise<Listing<TicketEvent>> {
		this.#looked.fire(ref.tracker);
		return this.#of(ref.tracker).shownEvents(ref.id, 'first', signal);
	}

	/** Reads the next page of older events. */
	moreEvents(ref: TicketRef, signal: AbortSignal): Promise<Listing<TicketEvent>> {
		return this.#of(ref.tracker).shownEvents(ref.id, 'more', signal);
	}

	/** Reads the newest page regardless of the cache. */
	renewEvents(ref: TicketRef, signal: AbortSignal): Promise<Listing<TicketEvent>> {
		this.#looked.fire(ref.tracker);
		return this.#of(ref.tracker).shownEvents(ref.id, 'renew', signal);
	}

	/** Background variant. `renew`: the newest page; `more`: the next older page. */
	rereadEvents(ref: TicketRef, how: 'renew' | 'more', signal: AbortSignal): Promise<Listing<TicketEvent>> {
		return this.#of(ref.tracker).events(ref.id, how, signal);
	}

	/** Sends a request once and applies the response before returning. */
	async update(ref: TicketRef, asked: TicketRequest & Leaving, signal: AbortSignal): Promise<TicketOutcome> {
		const tickets = this.#of(ref.tracker);
		const stamp = tickets.list.tick();
		const outcome = await sendRequest(this.#access.api, ref, asked, signal);
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
		const submitted = await this.#access.api.submit(tracker, ticket, signal);
		this.apply({ kind: 'ticketChanged', ticket: submitted });
		this.#sent.fire({ tracker, ticketId: undefined, text: ticket.description });
		return submitted;
	}

	/** The only entry for changes: commands, reads, polls and webhook deliveries. */
	apply(news: TicketNews | TicketReading | RememberedNews): void {
		if (!ofDisk.has(news.kind)) {
			this.#answered.fire();
		}
		switch (news.kind) {
			case 'ticketsRead':
			case 'ticketsConfirmed':
				return this.#tell(news.tracker, this.#of(news.tracker).take(news));
			case 'ticketRead':
			case 'eventsRead':
			case 'ticketRefused':
				return this.#tell(news.ticket.tracker, this.#of(news.ticket.tracker).take(news));
			case 'ticketRecalled':
				// Not a confirmation by the forge, so no `onDidLearn`.
				return this.#changeOf(news.ticket.tracker, this.#of(news.ticket.tracker).take(news));
			case 'ownTrackersRead':
			case 'allOwnTrackersRead':
			case 'trackerRead':
				return this.trackers.take(news) ? this.#changed.fire({ kind: 'trackers' }) : undefined;
			case 'labelsRead':
				return this.trackers.take(news)
					? this.#changed.fire({ kind: 'tracker', tracker: news.known.tracker })
					: undefined;
			case 'trackerChanged':
				if (this.trackers.keep(refOfTracker(news.tracker), news.tracker) !== 'same') {
					this.#changed.fire({ kind: 'trackers' });
				}
				return;
			case 'trackerDeleted':
				this.#known(news.tracker)?.close();
				this.#byTracker.delete(trackerKey(news.tracker));
				this.trackers.remove(news.tracker);
				return this.#changed.fire({ kind: 'trackers' });
			case 'ticketChanged': {
				const { tracker } = refOfTicket(news.ticket);
				return this.#tell(tracker, this.#of(tracker).put(news.ticket, news.events));
			}
			case 'labelRenamed':
				return this.#tell(news.tracker, this.#of(news.tracker).relabel(news.name, news.to));
			case 'ticketDeleted':
				return this.#tell(news.ticket.tracker, this.#of(news.ticket.tracker).drop(news.ticket.id));
			case 'eventsAdded': {
				const { tracker, id } = news.ticket;
				return this.#tell(tracker, this.#of(tracker).putEvents(id, news.events));
			}
			case 'rememberedTrackers':
				this.trackers.remember(news);
				return this.#changed.fire({ kind: 'trackers' });
			case 'rememberedTickets':
				this.#of(news.tracker).remember(news);
				return this.#tell(news.tracker, { tickets: [], isList: true });
		}
	}

	/** The next read asks the forge again, for one tracker or all. Known data remains until then. */
	forget(ref?: TrackerRef): void {
		if (ref) {
			this.#of(ref).reads.reset();
			this.trackers.forgetLabels(ref);
			return this.#changed.fire({ kind: 'tracker', tracker: ref });
		}
		this.trackers.forget();
		this.#byTracker.forEach(({ reads }) => reads.reset());
		this.#changed.fire({ kind: 'trackers' });
	}

	dispose(): void {
		this.trackers.close();
		this.#byTracker.forEach((tickets) => tickets.close());
		this.#owned.dispose();
	}

	#known(ref: TrackerRef): TrackerTickets | undefined {
		return this.#byTracker.get(trackerKey(ref));
	}

	/** Creates an empty entry for an unknown tracker. */
	#of(ref: TrackerRef): TrackerTickets {
		const known = this.#known(ref);
		if (known) {
			return known;
		}
		const key = trackerKey(ref);
		// Drops late responses for a removed tracker.
		const arrived = (reading: ReadingOfTracker): void => {
			if (this.#byTracker.get(key) === made) {
				this.apply(reading);
			}
		};
		const made: TrackerTickets = new TrackerTickets(ref, this.#access, arrived, this.#room, this.#timelineRoom);
		this.#byTracker.set(key, made);
		return made;
	}

	/** Unknown data may still be loading from the disk cache. */
	#onceRemembered<T>(isKnown: boolean, ref: TrackerRef | undefined, read: () => Promise<T>): Promise<T> {
		const { remembered } = this.#access;
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

const ofDisk: ReadonlySet<string> = new Set<(RememberedNews | TicketReading)['kind']>([
	'ticketRecalled',
	'rememberedTrackers',
	'rememberedTickets',
]);

/** Chooses the API call for a request. */
async function sendRequest(
	api: TrackerApi,
	ref: TicketRef,
	{ assignees, ...asked }: TicketRequest & Leaving,
	signal: AbortSignal,
): Promise<TicketOutcome> {
	if (assignees === undefined) {
		return api.updateTicket(ref, asked, signal);
	}
	if (!isNothing(asked)) {
		throw new Error('Assignees were to be changed together with something else');
	}
	if (!api.assign) {
		throw new ForgeError({ kind: 'notOffered' });
	}
	return api.assign(ref, { ...assignees, ...(asked.leaving ? { leaving: asked.leaving } : {}) }, signal);
}
