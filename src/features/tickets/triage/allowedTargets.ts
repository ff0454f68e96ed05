import { cancelled } from '../../../editor/ask/ask.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import { noRefusals, possibility } from '../subjects/permissions.ts';
import type { TicketSubject } from '../subjects/subjects.ts';
import { knownTicket } from '../subjects/ticketTarget.ts';
import type { ItemResult } from './bulk.ts';
import type { Triage } from './triage.ts';

/** Tickets that a command may change, and the others with the reason. */
export interface AllowedTargets {
	readonly tickets: readonly TicketSubject[];
	readonly refused: readonly ItemResult[];
}

/**
 * Splits tickets by known permissions. If all are forbidden, shows the reason before any question and throws
 * `cancelled()`.
 */
export function allowedTargets(
	triage: Triage,
	subjects: readonly TicketSubject[],
	wanted: 'triage' | 'edit',
): AllowedTargets {
	const judged = subjects.map((subject) => ({ subject, reason: refusal(triage, subject, wanted) }));
	const tickets = judged.flatMap(({ subject, reason }) => (reason === undefined ? [subject] : []));
	const refused = judged.flatMap(({ subject, reason }) => (reason === undefined ? [] : [{ subject, reason }]));
	const [first] = refused;
	if (first && tickets.length === 0) {
		triage.tellTrouble(first.subject, first.reason, 'warning');
		throw cancelled();
	}
	return {
		tickets,
		refused: refused.map(({ subject, reason }) => ({
			item: { subject, wish: {} },
			outcome: { kind: 'needless', reason },
		})),
	};
}

function refusal(triage: Triage, subject: TicketSubject, wanted: 'triage' | 'edit'): string | undefined {
	const ticket = knownTicket(triage.parts, subject);
	const connection = connectionOf(triage.parts.connections, subject);
	const can = ticket && possibility(wanted, { connection, ticket, refusals: noRefusals });
	return can?.kind === 'impossible' ? can.reason : undefined;
}
