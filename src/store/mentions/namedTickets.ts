import { actingTrailer } from 'patchmail/series/commitTrailers.ts';
import { referencesIn } from '../../engine/text/references.ts';
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
	for (const line of ownLines(text)) {
		if (line === undefined || !(line.includes('#') || line.includes('://'))) {
			continue;
		}
		const word = /^([A-Za-z-]{1,40})[ \t]{0,4}:/.exec(line)?.[1];
		const trailer = word === undefined ? undefined : actingTrailer(word);
		for (const reference of referencesIn(line, todoOrigins)) {
			const ticket = 'written' in reference ? reference.written : reference.address;
			if (ticket.kind === 'ticket') {
				const { owner, name, id } = ticket;
				const key = JSON.stringify([owner, name, id]);
				if (found.get(key)?.trailer === undefined && found.size < most) {
					found.set(key, { owner, name, id, trailer, mailId });
				}
			}
		}
	}
	return Array.from(found.values());
}
