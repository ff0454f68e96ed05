import type { Clock } from '../../../base/clock.ts';
import { untilSliceEnds } from '../../../base/timeSlice.ts';
import { pagePieces } from '../../../editor/pages/pagePieces.ts';
import type { TellingSlice } from '../../../editor/pages/pageTelling.ts';
import type { TicketEvent, TicketRef } from '../../../forge/ticket.ts';
import type { HeadView, PageChange, TimelineChange } from '../../../protocol/ticketView.ts';
import type { Connection } from '../../../state/connection.ts';
import { headView, labelLooks } from './pageState.ts';
import type { Refusals } from '../subjects/permissions.ts';
import { entryView, timelineCounts } from './timelineView.ts';
import { editPlace } from './commentEditing.ts';
import type { PlacedComment } from './pageDrafts.ts';
import { TimelineSender, type TimelineShown } from './timelineSender.ts';

/** Current data of a ticket page. */
export interface Tellable {
	readonly connection: Connection;
	readonly ref: TicketRef;
	readonly html: (markdown: string) => string;
	/** As the renderer's `warm`. */
	readonly warm: (markdown: string) => boolean;
	readonly refusals: Refusals;
	/** Timeline error as a sentence. */
	readonly timelineFailure: string | undefined;
	readonly isOldestFirst: boolean;
	readonly newFrom: number | undefined;
	readonly hasEditDraft: (of: PlacedComment) => boolean;
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
		const head = this.#head(what);
		if (head && isTimeUp()) {
			return { change: { head, timeline: undefined }, goesOn: true };
		}
		const { change: timeline, goesOn } = this.#timelineSlice(what, isTimeUp);
		return { change: head || timeline ? { head, timeline } : undefined, goesOn };
	}

	#head({ connection, ref, html, refusals }: Tellable): HeadView | undefined {
		const ticket = connection.tickets.knownTicket(ref);
		if (!ticket) {
			return undefined;
		}
		const labels = labelLooks(connection.tickets.knownLabels(ref.tracker));
		const nowMs = (): number => this.#clock.nowMs();
		return this.#pieces.ifNew('head', headView({ connection, ref, ticket, html, refusals, labels, nowMs }));
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
	const known = connection.tickets.knownLabels(ref.tracker);
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
