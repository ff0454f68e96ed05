import type { Clock } from '@forge-desk/base/clock.ts';
import { untilSliceEnds } from '@forge-desk/base/timeSlice.ts';
import { pagePieces, type TellingSlice } from '../../../editor/pages/livePage.ts';
import type { TicketEvent } from 'sourcehut/port/ticket.ts';
import type { PageChange, TimelineChange, EntryView } from '../../../pages/protocol/ticketProtocol.ts';
import type { Listing } from '../../../store/shared/listing.ts';
import { editPlace } from './commentEditing.ts';
import { headView, labelLooks, type Tellable } from './pageState.ts';
import { entryView, timelineCounts } from './timelineView.ts';

/**
 * Tracks the entries that a page shows and sends the differences in slices: rendering a thousand comments at once would
 * block the extension host.
 */
export class TimelineSender {
	readonly #sent = new Map<number, { readonly event: TicketEvent; readonly look: unknown; readonly said: string }>();
	/** Entries compared since the first slice of this change. */
	readonly #looked = new Set<number>();
	#items: readonly TicketEvent[] = [];
	#isWhole = true;
	/** The page expects a further slice. */
	#isOpen = false;
	#said = '';

	/** The page has forgotten everything. */
	reset(): void {
		this.#sent.clear();
		this.#looked.clear();
		this.#items = [];
		this.#isWhole = true;
		this.#isOpen = false;
		this.#said = '';
	}

	/** Starts a new change: compares every entry again. */
	begin(): void {
		this.#looked.clear();
	}

	/**
	 * The next slice. No entry is compared twice within a run, so the run ends even if the look keeps changing. Calls
	 * `isTimeUp` after each compared entry.
	 */
	next(shown: TimelineShown, isTimeUp: () => boolean): TellingSlice<TimelineChange> {
		const { listing, counts, newFrom } = shown;
		const gone = this.#gone(listing.items);
		const { put, goesOn } = this.#put(shown, isTimeUp);
		if (this.#isWhole && goesOn && put.length === 0) {
			// No entry fitted into this slice.
			return { change: undefined, goesOn };
		}
		const rest = { hasOlder: listing.completeness.kind === 'more', counts, newFrom };
		const said = JSON.stringify(rest);
		const isSame = said === this.#said && put.length === 0 && gone.length === 0 && !this.#isWhole;
		if (isSame && (goesOn || !this.#isOpen)) {
			return { change: undefined, goesOn };
		}
		const change: TimelineChange = { kind: 'entries', isWhole: this.#isWhole, put, gone, ...rest, goesOn };
		this.#isWhole = false;
		this.#isOpen = goesOn;
		this.#said = said;
		return { change, goesOn };
	}

	/** Entries with a changed rendering, until the time is up. */
	#put(
		shown: TimelineShown,
		isTimeUp: () => boolean,
	): { readonly put: readonly EntryView[]; readonly goesOn: boolean } {
		const { listing, look, isOldestFirst } = shown;
		const put: EntryView[] = [];
		let isUp = false;
		for (const event of isOldestFirst ? listing.items.toReversed() : listing.items) {
			const sent = this.#sent.get(event.id);
			if (this.#looked.has(event.id) || (sent?.event === event && sent.look === look)) {
				continue;
			}
			if (isUp || shown.prepare?.(event) === true) {
				return { put, goesOn: true };
			}
			this.#looked.add(event.id);
			const view = shown.view(event);
			const said = JSON.stringify(view);
			this.#sent.set(event.id, { event, look, said });
			if (said !== sent?.said) {
				put.push(view);
			}
			isUp = isTimeUp();
		}
		this.#looked.clear();
		return { put, goesOn: false };
	}

	/** Looked for once for each list: it is the same one in all slices of a change. */
	#gone(items: readonly TicketEvent[]): readonly number[] {
		if (items === this.#items) {
			return [];
		}
		this.#items = items;
		const present = new Set(items.map(({ id }) => id));
		const gone = Array.from(this.#sent.keys()).filter((id) => !present.has(id));
		gone.forEach((id) => this.#sent.delete(id));
		return gone;
	}
}

/** Sends differences to a page: the head at once, the rest in slices. */
export class ChangePublisher {
	readonly #clock: Clock;
	readonly #timeline = new TimelineSender();
	readonly #pieces = pagePieces();

	constructor(clock: Clock) {
		this.#clock = clock;
	}

	/** The page has forgotten everything. */
	reset(): void {
		this.#timeline.reset();
		this.#pieces.forgetAll();
	}

	/** Something may have changed since the slice before: the next one is the first of a new row. */
	begin(): void {
		this.#timeline.begin();
	}

	/** The next slice. A run of slices always ends; changes during the run wait for the next one. */
	next(what: Tellable): TellingSlice<PageChange> {
		// The next entry alone may take as long again.
		const isTimeUp = untilSliceEnds(this.#clock);
		const ticket = what.connection.tickets.knownTicket(what.ref);
		const head = ticket && this.#pieces.ifNew('head', headView(what, ticket, this.#clock.nowMs()));
		if (head && isTimeUp()) {
			return { change: { head, timeline: undefined }, goesOn: true };
		}
		const { change: timeline, goesOn } = this.#timelineSlice(what, isTimeUp);
		return { change: head || timeline ? { head, timeline } : undefined, goesOn };
	}

	#timelineSlice(what: Tellable, isTimeUp: () => boolean): TellingSlice<TimelineChange> {
		const shown = shownTimeline(what);
		if (shown) {
			this.#pieces.forget('timeline');
			return this.#timeline.next(shown, isTimeUp);
		}
		const { timelineFailure: reason } = what;
		const state: TimelineChange = reason === undefined ? { kind: 'loading' } : { kind: 'failed', reason };
		const change = this.#pieces.ifNew('timeline', state);
		if (change) {
			this.#timeline.reset();
		}
		return { change, goesOn: false };
	}
}

function shownTimeline({ connection, ref, html, ...what }: Tellable): TimelineShown | undefined {
	const listing = connection.tickets.knownEvents(ref);
	const known = connection.tickets.trackers.knownLabels(ref.tracker);
	const context = {
		instance: connection.instance,
		ref,
		labels: labelLooks(known),
		html,
		edit: (comment: NonNullable<TicketEvent['comment']>) => editPlace(connection, ref, comment),
	};
	return (
		listing && {
			listing,
			counts: timelineCounts(listing),
			newFrom: what.newFrom,
			isOldestFirst: what.isOldestFirst,
			view: (event) =>
				entryView(event, { ...context, hasDraft: (comment) => what.hasEditDraft({ id: event.id, comment }) }),
			prepare: ({ comment }) => comment !== undefined && what.warm(comment.text),
			look: known,
		}
	);
}

/** Timeline data for a page. */
export interface TimelineShown {
	readonly listing: Listing<TicketEvent>;
	readonly counts: string;
	readonly newFrom: number | undefined;
	/** Sends the entries at the visible end first. */
	readonly isOldestFirst: boolean;
	readonly view: (event: TicketEvent) => EntryView;
	/** Runs one slow preparation step for `view`; false when none is left. */
	readonly prepare?: (event: TicketEvent) => boolean;
	/** Anything else that the entries' look depends on; when it is the same, an event that is the same looks the same. */
	readonly look: unknown;
}
