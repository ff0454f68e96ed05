import { actingTrailer } from '../text/commitTrailers.ts';
import { referencesIn, type FoundReference } from '../text/references.ts';
import { ownLines } from './ownLines.ts';
import type { NamedTicket } from './seriesReading.ts';

/** More of one mail are no help to anybody. */
const most = 100;

/**
 * The tickets that a mail names in lines of its own, diffs and quotations left out; each once, by its trailer where one
 * names it. `todoOrigins` are the exact origins of the ticket areas, as `https://todo.forge.example`.
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

/** What a line names, and the trailer that it is. */
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
