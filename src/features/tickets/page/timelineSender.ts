import type { TellingSlice } from '../../../editor/pages/pageTelling.ts';
import type { TicketEvent } from '../../../forge/ticket.ts';
import type { EntryView, TimelineChange } from '../../../protocol/ticketView.ts';
import type { Listing } from '../../../state/shared/listing.ts';

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

interface Sent {
	readonly event: TicketEvent;
	readonly look: unknown;
	readonly said: string;
}

/**
 * Tracks the entries that a page shows and sends the differences in slices: rendering a thousand comments at once would
 * block the extension host.
 */
export class TimelineSender {
	readonly #sent = new Map<number, Sent>();
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
			const view = this.#changedView(event, shown);
			if (view) {
				put.push(view);
			}
			isUp = isTimeUp();
		}
		this.#looked.clear();
		return { put, goesOn: false };
	}

	#changedView(event: TicketEvent, { view, look }: TimelineShown): EntryView | undefined {
		const before = this.#sent.get(event.id)?.said;
		const made = view(event);
		const said = JSON.stringify(made);
		this.#sent.set(event.id, { event, look, said });
		return before === said ? undefined : made;
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
