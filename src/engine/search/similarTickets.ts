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
	const words = wordsOf(title);
	const wanted = partsOf(words);
	if (wanted.size < shortestTitle) {
		return [];
	}
	const similar: SimilarTicket[] = [];
	for (const [at, { ticket }] of tickets.entries()) {
		const others = wordsOf(ticket.title);
		const likeness = likenessOf(wanted, partsOf(others));
		if (likeness >= leastLikeness && !haveTailOnly(words, others)) {
			similar.push({ ticket, likeness });
		}
		if (at % stride === 0) {
			yield;
		}
	}
	return similar.sort((a, b) => b.likeness - a.likeness || b.ticket.id - a.ticket.id).slice(0, limit);
}

/** Dice's coefficient of trigrams; independent of word order. */
function likenessOf(wanted: ReadonlySet<number>, parts: ReadonlySet<number>): number {
	const all = wanted.size + parts.size;
	let shared = 0;
	for (const part of parts) {
		shared += wanted.has(part) ? 1 : 0;
	}
	return all === 0 ? 0 : (2 * shared) / all;
}

/** True for titles with the same last words, such as "over a slow connection", and different words before. */
function haveTailOnly(one: readonly string[], other: readonly string[]): boolean {
	let tail = 0;
	while (tail < Math.min(one.length, other.length) && one.at(-1 - tail) === other.at(-1 - tail)) {
		tail += 1;
	}
	const [first, second] = [one, other].map((words) => partsOf(words.slice(0, words.length - tail)));
	return first && second && tail >= 3 && first.size > 0 && second.size > 0
		? likenessOf(first, second) < leastLikeness / 2
		: false;
}

function wordsOf(title: string): readonly string[] {
	return foldText(title.slice(0, longestTitle)).match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** All trigrams of the words, padded with a blank on both sides, as numbers. Ignores word order. */
function partsOf(words: readonly string[]): ReadonlySet<number> {
	const parts = new Set<number>();
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
