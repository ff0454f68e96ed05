import type { TicketEvent } from '../../../forge/ticket.ts';
import type { EntryView, TimelineChange } from '../../../protocol/ticketView.ts';
import type { Listing } from '../../../state/listing.ts';

/** What the page is to show of a timeline. */
export interface TimelineShown {
	readonly listing: Listing<TicketEvent>;
	readonly counts: string;
	readonly newFrom: number | undefined;
	/** The entries that are seen first are sent first. */
	readonly isOldestFirst: boolean;
	readonly view: (event: TicketEvent) => EntryView;
	/** Anything else that the entries' look depends on; when it is the same, an event that is the same looks the same. */
	readonly look: unknown;
}

interface Sent {
	readonly event: TicketEvent;
	readonly look: unknown;
	readonly said: string;
}

/**
 * Knows what a page has been told of its timeline, and makes of what it is to show the difference, in slices: rendering
 * a thousand comments at once would hold up everything else.
 */
export class TimelineSender {
	readonly #sent = new Map<number, Sent>();
	#isWhole = true;
	#said = '';

	/** The page has forgotten everything. */
	reset(): void {
		this.#sent.clear();
		this.#isWhole = true;
		this.#said = '';
	}

	/** The next slice of the difference, `undefined` when there is none. `isTimeUp` is asked after each entry. */
	next(shown: TimelineShown, isTimeUp: () => boolean): TimelineChange | undefined {
		const { listing, counts, newFrom, isOldestFirst } = shown;
		const gone = this.#gone(listing.items);
		const put: EntryView[] = [];
		let goesOn = false;
		for (const event of isOldestFirst ? listing.items.toReversed() : listing.items) {
			if (goesOn) {
				break;
			}
			const view = this.#changedView(event, shown);
			if (view) {
				put.push(view);
				goesOn = isTimeUp();
			}
		}
		const rest = { hasOlder: listing.completeness.kind === 'more', counts, newFrom };
		const said = JSON.stringify(rest);
		const isSame = said === this.#said && put.length === 0 && gone.length === 0 && !this.#isWhole;
		const change: TimelineChange = { kind: 'entries', isWhole: this.#isWhole, put, gone, ...rest, goesOn };
		this.#isWhole = false;
		this.#said = said;
		return isSame ? undefined : change;
	}

	#changedView(event: TicketEvent, { view, look }: TimelineShown): EntryView | undefined {
		const sent = this.#sent.get(event.id);
		if (sent?.event === event && sent.look === look) {
			return undefined;
		}
		const made = view(event);
		const said = JSON.stringify(made);
		this.#sent.set(event.id, { event, look, said });
		return sent?.said === said ? undefined : made;
	}

	#gone(items: readonly TicketEvent[]): readonly number[] {
		if (items.length >= this.#sent.size) {
			return [];
		}
		const present = new Set(items.map(({ id }) => id));
		const gone = Array.from(this.#sent.keys()).filter((id) => !present.has(id));
		gone.forEach((id) => this.#sent.delete(id));
		return gone;
	}
}
