import type { TicketWriting } from './ticketWriting.ts';
import type { Ticket, TicketRef } from '../../../forge/port/ticket.ts';
import { refOfTicket, ticketRefText } from '../../../forge/port/ticket.ts';
import { isNothing, type TicketRequest } from '../../../forge/port/ticketRequest.ts';
import { isGone } from '../../shared/sentOnce.ts';
import type { JournaledWrite, Verdict, WriteJournal } from '../../shared/writeJournal.ts';
import { factsOf, type TicketFacts, type WriteOf, type WriteRecord } from '../../shared/writeRecord.ts';
import { findLostWrite, type LostWrite } from './findLostWrite.ts';
import { lookForTicket, lostTicket, type LostTicket } from './submitOnce.ts';
import { doneAllTheSame, type WriteOutcome } from './writeOutcome.ts';

/** A write to a ticket and its journal entry. */
interface JournaledTicketWrite {
	readonly ref: TicketRef;
	readonly wish: TicketRequest;
	readonly entry: JournaledWrite;
}

/** A write in doubt and its journal entry. */
export interface LeftWrite extends LostWrite {
	readonly entry: JournaledWrite;
}

/** `isMissing`: a lookup did not find it. Otherwise the outcome is unknown. */
export interface OpenTicketWrite {
	readonly lost: LeftWrite;
	readonly isMissing: boolean;
}

export interface OpenNewTicket {
	readonly lost: LostTicket;
	readonly write: WriteOf<'newTicket'>;
	readonly isMissing: boolean;
}

/** Registers the lookups for ticket writes and new tickets. */
export function lookForTickets(parts: TicketWriting): void {
	const { journal } = parts;
	journal.registerLookup('ticket', async ({ ref, wish }, { newestEventId }, looking): Promise<Verdict> => {
		const found = await findLostWrite(parts, { ref, wish, newestBefore: newestEventId }, looking);
		if (!found) {
			const isMissing = await isGone(async () => Boolean(await parts.store.renewTicket(ref, looking)));
			return { kind: isMissing ? 'notThere' : 'unknown' };
		}
		const there = arrivedPart(wish, found.left);
		return isNothing(found.left)
			? { kind: 'there', after: factsOf(found.ticket) }
			: { kind: 'notThere', ...(isNothing(there) ? {} : { arrived: { kind: 'ticket', ref, wish: there } }) };
	});
	journal.registerLookup(
		'newTicket',
		async ({ tracker, ticket, newestBefore }, { sentMs }, looking): Promise<Verdict> => {
			const found = await lookForTicket(parts, { tracker, ticket, looking }, { sentMs, newestBefore });
			switch (found.kind) {
				case 'found':
					return { kind: 'there', made: refOfTicket(found.ticket) };
				case 'notThere':
					return { kind: 'notThere' };
				case 'notSeen':
					return { kind: 'unknown' };
			}
		},
	);
}

/** Unresolved comments and status changes of a ticket, newest last. */
export function openWrites(journal: WriteJournal, ref: TicketRef): readonly OpenTicketWrite[] {
	const key = ticketRefText(ref).toLowerCase();
	return journal.open().flatMap(({ entry, isMissing }) => {
		const { write, newestEventId: newestBefore } = entry;
		if (
			write.kind !== 'ticket' ||
			ticketRefText(write.ref).toLowerCase() !== key ||
			write.wish.labels !== undefined ||
			write.wish.assignees !== undefined
		) {
			return [];
		}
		return [{ lost: { ref, wish: write.wish, newestBefore, entry: journal.handle(entry) }, isMissing }];
	});
}

/** Unresolved submissions of a draft, newest last. */
export function openNewTickets(journal: WriteJournal, draft: string): readonly OpenNewTicket[] {
	return journal.open().flatMap(({ entry, isMissing }) => {
		const { write } = entry;
		return write.kind === 'newTicket' && write.draft?.name === draft
			? [{ lost: lostTicket(journal, write, entry), write, isMissing }]
			: [];
	});
}

/** Records a rejected write that may have taken partial effect. */
export async function noteRefused({ ref, entry }: JournaledTicketWrite, error: unknown): Promise<void> {
	const part = doneAllTheSame(error);
	if (!part) {
		return entry.failed();
	}
	const { done, before, now } = part;
	return entry.arrived({ write: { kind: 'ticket', ref, wish: done }, ...changeOf(before, now) });
}

export async function noteEnd({ ref, wish, entry }: JournaledTicketWrite, outcome: WriteOutcome): Promise<void> {
	switch (outcome.kind) {
		case 'done':
		case 'arrived': {
			const { comment: _, ...others } = wish;
			const isUnsaid = outcome.deviations?.some(({ kind }) => kind === 'comment') === true;
			const write: WriteRecord = { kind: 'ticket', ref, wish: isUnsaid ? others : wish };
			return entry.arrived({ write, ...changeOf(outcome.before, outcome.ticket) });
		}
		case 'missing':
			return noteLook({ ref, wish, entry }, outcome.left);
		case 'unclear':
			return entry.inDoubt();
	}
}

/** Records a write after a lookup. */
export async function noteLook({ ref, wish, entry }: JournaledTicketWrite, left: TicketRequest): Promise<void> {
	const there = arrivedPart(wish, left);
	await (isNothing(there) ? entry.failed() : entry.arrived({ write: { kind: 'ticket', ref, wish: there } }));
}

function changeOf(
	before: Ticket | undefined,
	after: Ticket,
): { readonly before?: TicketFacts; readonly after: TicketFacts } {
	return { ...(before ? { before: factsOf(before) } : {}), after: factsOf(after) };
}

/** The delivered part of a request. */
function arrivedPart({ comment, move, labels, assignees }: TicketRequest, left: TicketRequest): TicketRequest {
	return {
		...(comment === undefined || left.comment !== undefined ? {} : { comment }),
		...(move && !left.move ? { move } : {}),
		...(labels && !left.labels ? { labels } : {}),
		...(assignees && !left.assignees ? { assignees } : {}),
	};
}
