import type { Steps } from '../../../search/restingSteps.ts';
import type { Queue } from './queues.ts';
import { shortNames } from './ticketOrder.ts';
import type { SeenTracker, Shelf, ShownTicket } from './ticketShelf.ts';

/** The names of a queue's tickets in the order in which they stood when somebody unfolded it. */
export type HeldOrder = readonly string[];

/** Queues that stand still because somebody works on them. */
export interface HeldQueues {
	/** How a queue stands; `undefined` when nobody has unfolded it, or it was for another filter. */
	order(queue: Queue): HeldOrder | undefined;
	/** From now on the queue stands as it does on this shelf, unless it stands still already or is empty. Says so. */
	hold(queue: Queue, shelf: Shelf): boolean;
	/** A queue, or all of them, may stand otherwise again. False when none stood still. */
	letGo(id: string | undefined): boolean;
}

export function heldQueues(): HeldQueues {
	const held = new Map<string, { readonly text: string; readonly order: HeldOrder }>();
	const order = ({ id, text }: Queue): HeldOrder | undefined => {
		const entry = held.get(id);
		return entry?.text === text ? entry.order : undefined;
	};
	return {
		order,
		hold(queue, { groups }) {
			const tickets = groups.flatMap((group) => group.tickets);
			if (tickets.length === 0 || order(queue)) {
				return false;
			}
			held.set(queue.id, { text: queue.text, order: tickets.map(shortNames()) });
			return true;
		},
		letGo(id) {
			if (id !== undefined) {
				return held.delete(id);
			}
			const hadAny = held.size > 0;
			held.clear();
			return hadAny;
		},
	};
}

/** What a queue that stands still shows, and what would stand in it by now but for that. */
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
	const wanted = new Set(order);
	const now = new Map<string, ShownTicket>();
	let looked = 0;
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
	return { tickets: order.flatMap((name) => now.get(name) ?? []), waiting };
}
