import { actingTrailer } from 'patchmail/series/commitTrailers.ts';
import { referencesIn, type FoundReference } from '../../engine/text/references.ts';
import { ownLines } from 'patchmail/series/ownLines.ts';
import type { NamedTicket } from 'patchmail/series/seriesReading.ts';

/** Limit per mail. */
const most = 100;

/**
 * Tickets in the mail's own lines, outside diffs and quotations. Each ticket once, by its trailer if it has one.
 * `todoOrigins`: the exact origins of the ticket areas, such as `https://todo.forge.example`.
 */
export function ticketsNamed(text: string, todoOrigins: readonly string[], mailId: number): readonly NamedTicket[] {
	const found = new Map<string, NamedTicket>();
	for (const { reference, trailer } of ownLines(text).flatMap((line) => referencesOf(line, todoOrigins))) {
		const ticket = ticketOf(reference);
		const key = JSON.stringify([ticket?.owner, ticket?.name, ticket?.id]);
		if (ticket !== undefined && found.get(key)?.trailer === undefined && found.size < most) {
			found.set(key, { ...ticket, trailer, mailId });
		}
	}
	return Array.from(found.values());
}

/** The references in a line, and its trailer. */
function referencesOf(
	line: string | undefined,
	todoOrigins: readonly string[],
): readonly { readonly reference: FoundReference; readonly trailer: string | undefined }[] {
	if (line === undefined || !(line.includes('#') || line.includes('://'))) {
		return [];
	}
	const trailer = trailerOf(line);
	return referencesIn(line, todoOrigins).map((reference) => ({ reference, trailer }));
}

function trailerOf(line: string): string | undefined {
	const key = /^([A-Za-z-]{1,40})[ \t]{0,4}:/.exec(line)?.[1];
	return key === undefined ? undefined : actingTrailer(key);
}

function ticketOf(found: FoundReference): Pick<NamedTicket, 'owner' | 'name' | 'id'> | undefined {
	const named = 'written' in found ? found.written : found.address;
	return named.kind === 'ticket' ? { owner: named.owner, name: named.name, id: named.id } : undefined;
}
