import type { Ticket } from '../../../forge/ticket.ts';
import type { Steps } from '../../../base/timeSlice.ts';
import type { SelectedTogether } from './selectedTogether.ts';
import { shortNames } from './ticketOrder.ts';
import type { SeenTracker, Shelf, ShownTicket, FilteredList, HeldOrder } from './shelf.ts';

/** Lists that stand still because somebody works on them. */
export interface HeldLists {
	/** How a list stands; `undefined` when nobody has unfolded it, or it was for another filter. */
	order(list: FilteredList): HeldOrder | undefined;
	/** From now on the list stands as it does on this shelf, unless it stands still already or is empty. Says so. */
	hold(list: FilteredList, shelf: Shelf): boolean;
	/** How tickets of a tracker stood that are to be grouped as they did, by their numbers. */
	standings(trackerId: string): ReadonlyMap<number, Ticket> | undefined;
	/** Lists whose rows are meant may stand otherwise again. Answers the ids of those that stood still, or in part. */
	letGo(isMeant: (id: string) => boolean): readonly string[];
	/**
	 * The filters are these now, or trackers open with other tickets; a list that shows others by that may stand otherwise
	 * again.
	 */
	keepOnly(lists: readonly FilteredList[]): void;
}

export function heldLists(together: SelectedTogether): HeldLists {
	const held = new Map<string, { readonly text: string; readonly order: HeldOrder }>();
	const order = ({ id, text }: FilteredList): HeldOrder | undefined => {
		const entry = held.get(id);
		return entry?.text === text ? entry.order : undefined;
	};
	return {
		order,
		standings: (trackerId) => together.of(trackerId),
		hold(list, { groups }) {
			if (groups.every(({ tickets }) => tickets.length === 0) || order(list)) {
				return false;
			}
			held.set(list.id, { text: list.text, order: groups.flatMap(({ tickets }) => tickets) });
			return true;
		},
		letGo(isMeant) {
			const gone = [...held.keys()].filter(isMeant);
			gone.forEach((id) => held.delete(id));
			return [...gone, ...together.letGo(isMeant)];
		},
		keepOnly(lists) {
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

/** What a list that stands still shows, and what would stand in it by now but for that. */
export interface HeldTickets {
	readonly tickets: readonly ShownTicket[];
	readonly waiting: number;
}

/** How many tickets are looked at between two chances to rest. */
const stride = 256;

/**
 * Puts tickets where they stood, as they are now, those too that do not meet the filter any more. What nobody knows any
 * more is left out.
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
