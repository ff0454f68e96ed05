import type { TicketInFull, TicketsInBulk } from '../../forge/forge.ts';
import { isForgeError } from '../../forge/forgeError.ts';
import type { RawPage } from '../../answers/pagingWay.ts';
import type { TrackerRef } from '../../forge/tracker.ts';
import { listed, orNotFound } from '../door/listed.ts';
import { unsentKey } from '../door/partial.ts';
import { askableId, byName } from '../door/variables.ts';
import { listTicketsInFull, readChangeTimes } from './bulkDocuments.ts';
import { mostNumbers } from './mostNumbers.ts';
import { listTickets, readTimeline } from './ticketDocuments.ts';
import type { TodoParts } from './todoParts.ts';
import { inTicket } from './variables.ts';

/** Bulk reads of a tracker's tickets over GraphQL. */
export function graphqlBulk({ caller, ids }: TodoParts): TicketsInBulk {
	const { ask } = caller;

	/** If the server times out on the timelines, reads the page without them. */
	async function page(
		ref: TrackerRef,
		cursor: string | undefined,
		signal: AbortSignal,
	): Promise<RawPage<TicketInFull> | undefined> {
		const variables = { ...byName(ref), cursor };
		try {
			const found = await ask(listTicketsInFull, variables, signal);
			ids.told(ref, found ?? {});
			return found?.page;
		} catch (error) {
			if (!isTooMuch(error)) {
				throw error;
			}
			// Fallback; no further retry follows.
			const found = await ask({ ...listTickets, isSlow: true }, variables, signal);
			ids.told(ref, found ?? {});
			return found && { ...found.page, items: found.page.items.map((ticket) => ({ ticket, timeline: undefined })) };
		}
	}

	return {
		mostNumbers,
		pages: (ref, after, signal) =>
			listed(
				{
					fetch: (cursor, pageSignal) => page(ref, cursor ?? after, pageSignal),
					key: ({ ticket }) => ticket.id,
				},
				signal,
			),
		async ticket(ref, signal) {
			const found = orNotFound(await ask(readTimeline, { ...inTicket(ref), cursor: undefined }, signal));
			ids.told(ref.tracker, found);
			const { items, next, isPart } = found.page;
			const isWhole = next === undefined && !isPart;
			return {
				ticket: found.ticket,
				timeline: { items, completeness: isWhole ? { kind: 'complete' } : { kind: 'more', total: undefined } },
			};
		},
		async changedMs(ref, numbers, signal) {
			const wanted = numbers.slice(0, mostNumbers).map(askableId);
			const [first] = wanted;
			if (first === undefined) {
				return new Map();
			}
			// The query requires a number in every variable.
			const asked = Array.from({ length: mostNumbers }, (_, at) => [`n${at}`, wanted[at] ?? first] as const);
			const variables = { ...byName(ref), ...Object.fromEntries(asked) };
			const found = orNotFound(await ask(readChangeTimes, variables, signal));
			return new Map(
				wanted.flatMap((number, at): (readonly [number, number])[] => {
					const name: `t${number}` = `t${at}`;
					if (found[unsentKey].includes(name)) {
						return [[number, Number.POSITIVE_INFINITY]];
					}
					const told = found[name];
					return told ? [[number, told.updated]] : [];
				}),
			);
		},
	};
}

/** Servers time out after some seconds, with different errors (docs/protocol.md#many-things-in-one-question). */
function isTooMuch(error: unknown): boolean {
	return isForgeError(error) && (error.problem.kind === 'serverError' || error.problem.kind === 'unreachable');
}
