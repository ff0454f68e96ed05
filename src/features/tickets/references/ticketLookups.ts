import { LRUCache } from 'lru-cache';
import { delay } from '@forge-desk/base/abort.ts';
import type { Clock } from '@forge-desk/base/clock.ts';
import { isForgeError } from 'sourcehut/port/forgeError.ts';
import { ticketRefText, type Ticket } from 'sourcehut/port/ticket.ts';
import type { Connection, Connections } from '../../../store/connection.ts';
import type { TicketSubject } from '../subjects/subjects.ts';

/** State of a referenced ticket. */
export type TicketState =
	| { readonly kind: 'known'; readonly ticket: Ticket; readonly checkedAtMs: number | undefined }
	/** The forge has no such ticket, or shows it not to this account. */
	| { readonly kind: 'missing' };

/** Nobody points at anything on purpose for a shorter time. */
const pauseMs = 150;

/** A missing ticket rarely appears soon; other failures are often short. */
const missingLifeMs = 5 * 60_000;
const failedLifeMs = 30_000;
const mostKept = 1000;

/** Lookup results by reference. */
interface Memory {
	readonly failed: LRUCache<string, { readonly untilMs: number; readonly look: TicketState | undefined }>;
	readonly checked: LRUCache<string, number>;
}

/** Looks up tickets for cards. `undefined` when the state is unknown. */
export type TicketLookups = ReturnType<typeof ticketLookups>;

/** Looks up tickets for cards, loaded data first. */
export function ticketLookups(connections: Connections, clock: Clock) {
	/** Held by the connection, so that nothing outlives a sign-out. */
	const memories = new WeakMap<Connection, Memory>();

	function memoryOf(connection: Connection): Memory {
		const memory = memories.get(connection) ?? {
			failed: new LRUCache({ max: mostKept }),
			checked: new LRUCache({ max: mostKept }),
		};
		memories.set(connection, memory);
		return memory;
	}

	function known(connection: Connection, subject: TicketSubject): TicketState | undefined {
		const { ref } = subject;
		const ticket =
			connection.index.tickets(ref.tracker).find((each) => each.ticket.id === ref.id)?.ticket ??
			connection.tickets.knownTicket(ref);
		const checkedAtMs = connection.index.checkedAtMs(ref) ?? memoryOf(connection).checked.get(ticketRefText(ref));
		return ticket && { kind: 'known', ticket, checkedAtMs };
	}

	return {
		/** From loaded data, without a request. */
		known(subject: TicketSubject) {
			const connection = connections.byKey(subject.connectionKey);
			return connection && known(connection, subject);
		},
		/** Otherwise one request, after a delay that skips a passing pointer. */
		async look(subject: TicketSubject, signal: AbortSignal): Promise<TicketState | undefined> {
			const connection = connections.byKey(subject.connectionKey);
			const found = connection && known(connection, subject);
			if (!connection || found) {
				return found;
			}
			const name = ticketRefText(subject.ref);
			const failed = memoryOf(connection).failed.get(name);
			if (failed && clock.nowMs() < failed.untilMs) {
				return failed.look;
			}
			await delay(clock, pauseMs, signal);
			try {
				const ticket = await connection.tickets.renewTicket(subject.ref, signal);
				const checkedAtMs = clock.nowMs();
				memoryOf(connection).checked.set(name, checkedAtMs);
				return { kind: 'known', ticket, checkedAtMs };
			} catch (error) {
				if (!isForgeError(error)) {
					throw error;
				}
				const isMissing = error.problem.kind === 'notFound' || error.problem.kind === 'notAllowed';
				const look: TicketState | undefined = isMissing ? { kind: 'missing' } : undefined;
				const untilMs = clock.nowMs() + (isMissing ? missingLifeMs : failedLifeMs);
				memoryOf(connection).failed.set(name, { untilMs, look });
				return look;
			}
		},
	};
}
