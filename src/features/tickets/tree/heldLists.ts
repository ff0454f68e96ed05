import type { Steps } from '../../../base/timeSlice.ts';
import type { SelectedTogether } from './selectedTogether.ts';
import { shortNames } from './ticketOrder.ts';
import type { SeenTracker, Shelf, ShownTicket, FilteredList, HeldOrder } from './shelf.ts';

/** Lists with a frozen order, because the user works in them. */
export type HeldLists = ReturnType<typeof heldLists>;

export function heldLists(together: SelectedTogether) {
	const held = new Map<string, { readonly text: string; readonly order: HeldOrder }>();
	const order = ({ id, text }: FilteredList): HeldOrder | undefined => {
		const entry = held.get(id);
		return entry?.text === text ? entry.order : undefined;
	};
	return {
		/** Frozen order of a list. `undefined` if the list is collapsed, or was frozen under another filter. */
		order,
		/** Tickets by number as they were when the user selected them together. Grouping uses these versions. */
		standings: (trackerId: string) => together.of(trackerId),
		/** Freezes the list in the shelf's order. Returns false if the list is frozen already or empty. */
		hold(list: FilteredList, { groups }: Shelf) {
			if (groups.every(({ tickets }) => tickets.length === 0) || order(list)) {
				return false;
			}
			held.set(list.id, { text: list.text, order: groups.flatMap(({ tickets }) => tickets) });
			return true;
		},
		/** Unfreezes the matching lists. Returns the ids of lists that were frozen, wholly or in part. */
		letGo(isMeant: (id: string) => boolean): readonly string[] {
			const gone = [...held.keys()].filter(isMeant);
			gone.forEach((id) => held.delete(id));
			return [...gone, ...together.letGo(isMeant)];
		},
		/** Unfreezes lists whose filter or tickets changed. `lists`: all filtered lists now. */
		keepOnly(lists: readonly FilteredList[]) {
			const texts = new Map(lists.map(({ id, text }) => [id, text]));
			for (const [id, { text }] of held) {
				if (texts.get(id) !== text) {
					held.delete(id);
				}
			}
			together.keepSameLists();
		},
	};
}

/** Tickets of a frozen list, and the number of new matches that it hides. */
export interface HeldTickets {
	readonly tickets: readonly ShownTicket[];
	readonly waiting: number;
}

/** Tickets processed per time slice. */
const stride = 256;

/**
 * Puts the current tickets into the frozen order, including tickets that no longer match the filter. Skips tickets that
 * left the index.
 */
export function* heldSteps(
	order: HeldOrder,
	found: readonly ShownTicket[],
	trackers: readonly SeenTracker[],
): Steps<HeldTickets> {
	const names = shortNames();
	const wanted = new Set<string>();
	const now = new Map<string, ShownTicket>();
	let looked = 0;
	for (const shown of order) {
		wanted.add(names(shown));
		looked += 1;
		if (looked % stride === 0) {
			yield;
		}
	}
	const note = (shown: ShownTicket): boolean => {
		const name = names(shown);
		if (wanted.has(name)) {
			now.set(name, shown);
		}
		looked += 1;
		return looked % stride === 0;
	};
	for (const shown of found) {
		if (note(shown)) {
			yield;
		}
	}
	const waiting = found.length - now.size;
	for (const from of now.size === wanted.size ? [] : trackers) {
		for (const entry of from.connection.index.tickets(from.ref)) {
			if (note({ entry, from })) {
				yield;
			}
		}
	}
	const tickets: ShownTicket[] = [];
	for (const name of wanted) {
		const shown = now.get(name);
		if (shown) {
			tickets.push(shown);
		}
		looked += 1;
		if (looked % stride === 0) {
			yield;
		}
	}
	return { tickets, waiting };
}
