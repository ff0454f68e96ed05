import type { Ticket } from 'sourcehut/port/ticket.ts';
import { foldText } from './foldText.ts';
import type { IndexedTicket } from './indexedTicket.ts';
import { runResting, type Resting, type Steps } from '@forge-desk/base/timeSlice.ts';

export interface SimilarTicket {
	readonly ticket: Ticket;
	/** From 0 (nothing in common) to 1 (same words). */
	readonly likeness: number;
}

/** Below this, similarity is chance: English titles share that much through short words. */
const leastLikeness = 0.4;

/** Longer titles are truncated. */
const longestTitle = 200;

/** Tickets between two chances to rest. */
const stride = 64;

/** Shorter titles are too short to compare. */
const shortestTitle = 4;

/** Tickets with a similar title, best match first. Yields to the event loop; rejects with the signal's reason. */
export function similarTicketsResting(
	{ title, limit }: { readonly title: string; readonly limit: number },
	tickets: readonly IndexedTicket[],
	resting: Resting,
	signal: AbortSignal,
): Promise<readonly SimilarTicket[]> {
	return runResting(similaritySteps(title, tickets, limit), resting, signal);
}

/** The same as steps. */
export function* similaritySteps(
	title: string,
	tickets: readonly IndexedTicket[],
	limit: number,
): Steps<readonly SimilarTicket[]> {
	const wanted = partsOf(title);
	if (wanted.size < shortestTitle) {
		return [];
	}
	const similar: SimilarTicket[] = [];
	for (const [at, { ticket }] of tickets.entries()) {
		const likeness = likenessTo(wanted, ticket.title);
		if (likeness >= leastLikeness) {
			similar.push({ ticket, likeness });
		}
		if (at % stride === 0) {
			yield;
		}
	}
	return similar.sort((a, b) => b.likeness - a.likeness || b.ticket.id - a.ticket.id).slice(0, limit);
}

/** Dice's coefficient of the titles' trigrams; independent of word order. */
function likenessTo(wanted: ReadonlySet<number>, title: string): number {
	const parts = partsOf(title);
	const all = wanted.size + parts.size;
	if (all === 0) {
		return 0;
	}
	let shared = 0;
	for (const part of parts) {
		shared += wanted.has(part) ? 1 : 0;
	}
	return (2 * shared) / all;
}

/** All trigrams of the words, padded with a blank on both sides, as numbers. Ignores punctuation and word order. */
function partsOf(title: string): ReadonlySet<number> {
	const parts = new Set<number>();
	const words = foldText(title.slice(0, longestTitle)).match(/[\p{L}\p{N}]+/gu) ?? [];
	for (const word of words) {
		let last = space;
		let current = word.charCodeAt(0);
		for (let at = 1; at <= word.length; at++) {
			const next = at < word.length ? word.charCodeAt(at) : space;
			parts.add(((last & tenBits) << 20) | ((current & tenBits) << 10) | (next & tenBits));
			last = current;
			current = next;
		}
	}
	return parts;
}

const space = 32;

/** Three of these fit a small integer, which sets handle fast. Collisions between scripts are rare. */
const tenBits = 0x3ff;
