import { isForgeError } from '../forge/forgeError.ts';
import type { Ticket, TicketEvent, TicketRef } from '../forge/ticket.ts';
import type { LabelRequest } from '../forge/ticketRequest.ts';
import { undoneOfOthers } from './labelDamage.ts';
import { ticketBody, type TicketWire } from './ticketWire.ts';

/** Others may write as fast as we do; whoever still loses after so many turns is told. */
const mostTurns = 12;

/** What our write took from others, and the ticket as the answer showed it. */
export interface LabelDamage {
	readonly ref: TicketRef;
	readonly damage: LabelRequest;
	readonly ticket: Ticket;
}

/** How giving back ended. */
export interface GivenBack {
	readonly ticket: Ticket;
	/** What giving back did. */
	readonly events: readonly TicketEvent[];
	/** Labels that others had set and that could not be given back. */
	readonly missing: readonly string[];
	/** Labels that others had taken away and that our write has set again. */
	readonly setAgain: readonly string[];
}

/**
 * Gives back the labels that others had set and our write took: reads, merges and writes anew, as long as such a write
 * again meets somebody. It asks for nothing that is there, so it cannot do harm twice. A label that others had taken away
 * and our write set again is only told, for nobody can tell whether they meant it or were about to give it back
 * themselves. Answers what is not as others left it.
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
	// Told even where the label is gone again: with many writers it may be on its way back.
	return { ticket: now, events, missing: add.filter((name) => !now.labels.includes(name)), setAgain: [...setAgain] };
}
