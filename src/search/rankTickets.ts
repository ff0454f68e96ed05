import { foldText } from './foldText.ts';
import type { IndexedTicket } from './indexedTicket.ts';
import { mergeSorting } from './mergeSorting.ts';
import { runResting, type Resting, type Steps } from '../base/timeSlice.ts';

/** Longer queries than this are not what people type into a box; the rest is not looked at. */
const longestQuery = 200;

/** How many tickets are looked at between two chances to rest. */
const stride = 256;

const partOfWord = /[\p{L}\p{N}]/u;
const number = /^#?(\d{1,9})$/;

/** How well a word fits a title; more is better, 0 is not at all. */
type Fit = 0 | 1 | 2 | 3 | 4;

/** A ticket found, and whose it is. */
export interface RankedTicket<T> {
	readonly entry: IndexedTicket;
	readonly from: T;
}

/** Tickets to look through, and whose they are. */
export interface RankedSource<T> {
	readonly tickets: readonly IndexedTicket[];
	readonly from: T;
}

type Ranking<T> = readonly RankedTicket<T>[];

interface Ranked<T> extends RankedTicket<T> {
	readonly score: number;
}

/**
 * Tickets by number or by words in their titles, best first, at most `limit`. Every word has to be there; whole words
 * count more than beginnings of words, those more than parts. What is equal: open before closed, then the latest change.
 * A query without words finds all of them. Rests between; throws the signal's reason when aborted.
 */
export function rankTicketsResting<T>(
	{ query, limit }: { readonly query: string; readonly limit: number },
	sources: readonly RankedSource<T>[],
	resting: Resting,
	signal: AbortSignal,
): Promise<Ranking<T>> {
	return runResting(rankingSteps(query, sources, limit), resting, signal);
}

function* rankingSteps<T>(query: string, sources: readonly RankedSource<T>[], limit: number): Steps<Ranking<T>> {
	const words = foldText(query.slice(0, longestQuery))
		.split(/\s+/)
		.filter((word) => word !== '');
	const [only = ''] = words;
	const wantedId = words.length === 1 ? Number(number.exec(only)?.[1] ?? Number.NaN) : Number.NaN;
	const ranked: Ranked<T>[] = [];
	let looked = 0;
	for (const { tickets, from } of sources) {
		for (const entry of tickets) {
			const score = entry.ticket.id === wantedId ? Infinity : scoreOf(entry.ticket.title, words);
			if (score > 0) {
				ranked.push({ entry, from, score });
			}
			looked += 1;
			if (looked % stride === 0) {
				yield;
			}
		}
	}
	const sorted = yield* mergeSorting(ranked, compare);
	return sorted.slice(0, limit);
}

function scoreOf(title: string, words: readonly string[]): number {
	if (words.length === 0) {
		return 1;
	}
	const folded = foldText(title);
	let score = 0;
	for (const word of words) {
		const fit = fitOf(folded, word);
		if (fit === 0) {
			return 0;
		}
		score += fit;
	}
	return folded.startsWith(words.join(' ')) ? score + 1 : score;
}

/** The best of all places where a word stands in a text. */
function fitOf(text: string, word: string): Fit {
	let best: Fit = 0;
	for (let at = text.indexOf(word); at !== -1 && best < 4; at = text.indexOf(word, at + word.length)) {
		const begins = at === 0 || !partOfWord.test(text.charAt(at - 1));
		const ends = !partOfWord.test(text.charAt(at + word.length));
		const fit = begins ? (ends ? 4 : 3) : 1;
		best = fit > best ? fit : best;
	}
	return best;
}

function compare<T>(a: Ranked<T>, b: Ranked<T>): number {
	return (
		(a.score === b.score ? 0 : b.score - a.score) ||
		Number(a.entry.ticket.status === 'resolved') - Number(b.entry.ticket.status === 'resolved') ||
		b.entry.ticket.updatedMs - a.entry.ticket.updatedMs ||
		b.entry.ticket.id - a.entry.ticket.id
	);
}
