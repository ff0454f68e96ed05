import type { Ticket } from '../forge/ticket.ts';
import { foldText } from './foldText.ts';
import type { IndexedTicket } from './indexedTicket.ts';
import { runResting, type Resting, type Steps } from '../base/timeSlice.ts';

/** An open ticket whose title says nearly the same. */
export interface SimilarTicket {
	readonly ticket: Ticket;
	/** From 0, nothing in common, to 1, the same words. */
	readonly likeness: number;
}

/** Less likeness than this is chance: English titles share that much by their small words. */
const leastLikeness = 0.4;

/** Titles have no more that matters; longer ones are compared by their beginning. */
const longestTitle = 200;

/** How many tickets are looked at between two chances to rest. */
const stride = 64;

/** Shorter titles say too little to be compared. */
const shortestTitle = 4;

/**
 * Open tickets with a title like this one, the likest first, at most `limit`. For hints while a title is being typed.
 * Rests between; throws the signal's reason when aborted.
 */
export function similarTicketsResting(
	{ title, limit }: { readonly title: string; readonly limit: number },
	tickets: readonly IndexedTicket[],
	resting: Resting,
	signal: AbortSignal,
): Promise<readonly SimilarTicket[]> {
	return runResting(similaritySteps(title, tickets, limit), resting, signal);
}

/** The same in steps. */
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
		if (ticket.status !== 'resolved') {
			const likeness = likenessTo(wanted, ticket.title);
			if (likeness >= leastLikeness) {
				similar.push({ ticket, likeness });
			}
		}
		if (at % stride === 0) {
			yield;
		}
	}
	return similar.sort((a, b) => b.likeness - a.likeness || b.ticket.id - a.ticket.id).slice(0, limit);
}

/**
 * How much two titles have in common, whatever the order of their words: shared parts to all parts, each counted twice,
 * which is Dice's measure. The same both ways; 1 for a title and itself.
 */
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

/**
 * All runs of three characters inside words, a blank on either side of each word counted in, each as one number. Punctuation
 * and the order of words make no difference.
 */
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

/** Three of these make a small whole number, which sets are quick with. Scripts agree in so many bits only by chance. */
const tenBits = 0x3ff;
