import { isForgeError } from '../forge/forgeError.ts';
import type { Ticket, TicketEvent, TicketRef } from '../forge/ticket.ts';
import type { LabelRequest } from '../forge/ticketRequest.ts';
import { undoneOfOthers } from './labelDamage.ts';
import { ticketBody, type TicketWire } from './ticketWire.ts';

/** Retry limit: other writers may be as fast as this one. The caller reports the remaining losses. */
const mostTurns = 12;

/** Labels of others that our write overwrote, and the ticket in its answer. */
export interface LabelDamage {
	readonly ref: TicketRef;
	readonly damage: LabelRequest;
	readonly ticket: Ticket;
}

/** Result of restoring labels. */
export interface GivenBack {
	readonly ticket: Ticket;
	/** Events of the restoring writes. */
	readonly events: readonly TicketEvent[];
	/** Lost labels of others. */
	readonly missing: readonly string[];
	/** Labels that others removed and our write added again. */
	readonly setAgain: readonly string[];
}

/**
 * Restores the labels that our write removed from others: reads, merges and writes again until no write conflicts.
 * Requests only missing labels, so a retry does no harm. Only reports labels that our write added again: another writer
 * may want them or be about to restore them. Returns the remaining differences.
 */
export async function giveBackLabels(
	wire: Pick<TicketWire, 'ticket' | 'update'>,
	{ ref, damage, ticket }: LabelDamage,
	signal: AbortSignal,
): Promise<GivenBack> {
	const setAgain = new Set(damage.remove);
	const events: TicketEvent[] = [];
	let now = ticket;
	let add = damage.add;
	try {
		for (let turn = 0; turn < mostTurns && add.length > 0; turn += 1) {
			now = await wire.ticket(ref, signal);
			const asked = { add, remove: [] };
			const body = ticketBody({ labels: asked }, now);
			if (body.labels === undefined) {
				add = [];
				break;
			}
			const update = await wire.update(ref, body, signal);
			now = update.ticket;
			events.push(...update.events);
			const again = undoneOfOthers(asked, update.events);
			again.remove.forEach((name) => setAgain.add(name));
			add = again.add;
		}
	} catch (error) {
		if (!isForgeError(error)) {
			throw error;
		}
		now = await wire.ticket(ref, signal).catch(() => now);
	}
	// Reports the label even if it is gone again: another writer may be restoring it.
	return { ticket: now, events, missing: add.filter((name) => !now.labels.includes(name)), setAgain: [...setAgain] };
}
