import { ForgeError } from '../../forge/forgeError.ts';
import type { TicketRef } from '../../forge/ticket.ts';
import type { TrackerRef } from '../../forge/tracker.ts';
import { largestId } from './todoAnswers.ts';

/** People are asked for without the tilde: with it they are unknown. */
export function bareName(owner: string): string {
	return owner.replace(/^~/, '');
}

/** What names a tracker. */
export function inTracker({ owner, name }: TrackerRef): { readonly owner: string; readonly name: string } {
	return { owner: bareName(owner), name };
}

/** What names a ticket. A larger number ends the server's process (docs/protocol.md#graphql-values). */
export function inTicket({ tracker, id }: TicketRef): ReturnType<typeof inTracker> & { readonly id: number } {
	if (!Number.isSafeInteger(id) || id < 1 || id > largestId) {
		throw new ForgeError({ kind: 'notFound' }, { isUnsent: true });
	}
	return { ...inTracker(tracker), id };
}
