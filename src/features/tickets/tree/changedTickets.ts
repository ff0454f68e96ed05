import type { Clock } from '../../../base/clock.ts';
import type { Disposable } from '../../../base/lifecycle.ts';
import { ticketRefText, type TicketRef } from '../../../forge/ticket.ts';
import type { Connection } from '../../../state/connection.ts';

/** Tickets whose rows are to be drawn anew. */
export interface ChangedTickets extends Disposable {
	add(connection: Connection, ref: TicketRef): void;
}

/**
 * Draws each changed ticket once, when everybody had their turn: a write, the events of its answer, and the mark that it
 * was seen are told one after the other, and a row that was drawn in between would show a dot for a moment.
 */
export function changedTickets(clock: Clock, draw: (connection: Connection, ref: TicketRef) => void): ChangedTickets {
	const waiting = new Map<string, { readonly connection: Connection; readonly ref: TicketRef }>();
	let turn: Disposable | undefined;

	function drawAll(): void {
		turn = undefined;
		const all = [...waiting.values()];
		waiting.clear();
		all.forEach(({ connection, ref }) => draw(connection, ref));
	}

	return {
		add(connection, ref) {
			waiting.set(`${connection.key} ${ticketRefText(ref)}`, { connection, ref });
			turn ??= clock.after(0, drawAll);
		},
		dispose() {
			turn?.dispose();
		},
	};
}
