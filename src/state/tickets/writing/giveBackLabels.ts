import { isForgeError } from '../../../forge/forgeError.ts';
import type { Ticket, TicketRef } from '../../../forge/ticket.ts';
import { undoneOfOthers } from './compareAnswer.ts';
import type { TicketStore } from '../ticketStore.ts';
import type { LabelWish } from './ticketWish.ts';
import { wishedChanges } from './wishedChanges.ts';

/** Others may write as fast as we do; whoever still loses after so many turns is told. */
const mostTurns = 12;

/** What our write took from others, and the ticket as the answer showed it. */
export interface LabelDamage {
	readonly ref: TicketRef;
	readonly damage: LabelWish;
	readonly ticket: Ticket;
}

/** How giving back ended. */
export interface GivenBack {
	readonly ticket: Ticket;
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
	store: Pick<TicketStore, 'renewTicket' | 'update'>,
	{ ref, damage, ticket }: LabelDamage,
	signal: AbortSignal,
): Promise<GivenBack> {
	const setAgain = new Set(damage.remove);
	let now = ticket;
	let add = damage.add;
	try {
		for (let turn = 0; turn < mostTurns && add.length > 0; turn += 1) {
			now = await store.renewTicket(ref, signal);
			const wish = { add, remove: [] };
			const changes = wishedChanges({ labels: wish }, now);
			if (changes.labels === undefined) {
				add = [];
				break;
			}
			const update = await store.update(ref, changes, signal);
			now = update.ticket;
			const again = undoneOfOthers(wish, update.events);
			again.remove.forEach((name) => setAgain.add(name));
			add = again.add;
		}
	} catch (error) {
		if (!isForgeError(error)) {
			throw error;
		}
		now = await store.renewTicket(ref, signal).catch(() => now);
	}
	// Told even where the label is gone again: with many writers it may be on its way back.
	return { ticket: now, missing: add.filter((name) => !now.labels.includes(name)), setAgain: [...setAgain] };
}
