import type { Clock } from '../../../base/clock.ts';
import type { Disposable } from '../../../base/lifecycle.ts';
import { ticketRefText, type TicketRef } from '../../../forge/ticket.ts';
import type { Connection } from '../../../state/connection.ts';

/** Tickets with pending redraws. */
export interface ChangedTickets extends Disposable {
	add(connection: Connection, ref: TicketRef): void;
}

/**
 * Redraws each changed ticket once per turn of the event loop. A write, its events and its "seen" mark arrive one by
 * one, and a redraw between two would flash a dot.
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
