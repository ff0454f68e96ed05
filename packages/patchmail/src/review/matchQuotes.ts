import type { Steps } from '@forge-desk/base/timeSlice.ts';
import { pushAll } from '@forge-desk/base/longArrays.ts';
import {
	candidatesOf,
	continuation,
	mostCommon,
	readingsOf,
	type Candidate,
	type LineReading,
} from './quoteCandidates.ts';
import type { ReplyLine } from './replyLines.ts';
import type { SourceIndex } from './sourceIndex.ts';
import type { LineOrigin } from './sourceLines.ts';

/** The source lines that a reply line quotes. */
export interface QuoteMatch {
	readonly first: number;
	readonly last: number;
	readonly depth: number;
}

/** Distance of a mail from the reply in the thread: 1 for the answered mail. */
export type Distances = ReadonlyMap<number, number>;

/** Context of a reply. */
export interface Expected {
	readonly distances: Distances;
	/** For each line, the last mail named above it, if the reply names patches. */
	readonly named: readonly (number | undefined)[];
}

/** A partial assignment of reply lines to source lines. */
interface Path extends Candidate {
	readonly score: number;
	/** The matched reply line. */
	readonly line: number;
	/** Last matched lines of the series and of the comments. */
	readonly patchAt: number;
	readonly proseAt: number;
	readonly before: Path | undefined;
}

/** Beam width. */
const mostPaths = 8;
/** Distance to look ahead for a rare line. */
const lookAhead = 8;
const linesPerStep = 50;

/**
 * Beam search for the source lines of a reply's quotations. Scores line similarity, order, and the distance of the
 * quoted mail. Linear in the number of lines.
 */
export function* matchQuotes(
	lines: readonly ReplyLine[],
	index: SourceIndex,
	{ distances, named }: Expected,
): Steps<readonly (QuoteMatch | undefined)[]> {
	const readings: (readonly LineReading[])[] = [];
	const rare: (readonly number[])[] = [];
	for (const [at, line] of lines.entries()) {
		const own = readingsOf(line);
		readings.push(own);
		const found = own
			.flatMap(({ key }) => (key.length < 4 ? [] : [index.exact(key)]))
			.filter((each) => each.length > 0);
		rare.push((line.kind === 'own' ? undefined : found.find((each) => each.length <= mostCommon)) ?? []);
		if (at % linesPerStep === 0) {
			yield;
		}
	}
	let paths: readonly Path[] = [];
	for (const [at, line] of lines.entries()) {
		const own = readings[at]!;
		if (own.length > 0) {
			const known = paths;
			// A line directly below the match may be the rest of a wrapped line, with or without a mark.
			const found = paths.flatMap((path) =>
				path.line !== at - 1 || path.endWord >= index.wordEnd(path.last)
					? []
					: own.flatMap((reading) => continuation(reading, index, path.endWord) ?? []),
			);
			if (line.kind !== 'own') {
				pushAll(
					found,
					candidatesOf(own, index, () => ({
						after: [...new Set(known.flatMap(({ patchAt, proseAt }) => [patchAt, proseAt]))].filter(
							(each) => each >= 0,
						),
						before: rare.slice(at + 1, at + 1 + lookAhead).find((each) => each.length > 0) ?? [],
					})),
				);
			}
			const before = lines[at - 1]?.kind;
			paths = extended(paths, found, {
				at,
				index,
				distances,
				named: named[at],
				isBroken: before !== 'quoted' && before !== 'unmarked',
			});
		}
		if (at % linesPerStep === 0) {
			yield;
		}
	}
	const matches = Array.from<QuoteMatch | undefined>({ length: lines.length });
	for (let path = paths[0]; path !== undefined; path = path.before) {
		matches[path.line] = { first: path.first, last: path.last, depth: path.depth };
	}
	return matches;
}

interface Extension {
	readonly at: number;
	readonly index: SourceIndex;
	readonly distances: Distances;
	readonly named: number | undefined;
	readonly isBroken: boolean;
}

/** The best extensions, including those that leave the line unmatched. */
function extended(paths: readonly Path[], found: readonly Candidate[], extension: Extension): readonly Path[] {
	const byEnd = new Map<string, Path>();
	for (const candidate of found) {
		const best = bestBefore(paths, candidate, extension);
		const key = `${best.endWord} ${best.patchAt} ${best.proseAt}`;
		if ((byEnd.get(key)?.score ?? -Infinity) < best.score) {
			byEnd.set(key, best);
		}
	}
	return [...byEnd.values(), ...paths].toSorted((a, b) => b.score - a.score).slice(0, mostPaths);
}

function bestBefore(paths: readonly Path[], candidate: Candidate, extension: Extension): Path {
	const { at, index } = extension;
	const origin = index.originOf(candidate.first)!;
	const isProse = origin.kind === 'comment';
	let before: Path | undefined;
	let score = 0;
	for (const path of paths) {
		const from = isProse ? path.proseAt : path.patchAt;
		const by = path.score + step(from, candidate, path, extension) + agreement(origin, index.originOf(path.patchAt));
		if (before === undefined || by > score) {
			before = path;
			score = by;
		}
	}
	const { patchAt, proseAt } = before ?? nothing;
	// At depth 2, a quotation is from the mail two levels up, and so on.
	const distance = extension.distances.get(origin.mailId);
	const nearness =
		(extension.named === origin.mailId ? 3.5 : 0) +
		(distance === undefined ? 0 : distance === candidate.depth ? 1.5 : 0.2);
	return {
		...candidate,
		score: score + candidate.weight + nearness,
		line: at,
		patchAt: isProse ? patchAt : candidate.last,
		proseAt: isProse ? candidate.last : proseAt,
		before,
	};
}

/** A quoted comment often has its code line quoted above. */
function agreement(quoted: LineOrigin | undefined, above: LineOrigin | undefined): number {
	if (quoted?.kind !== 'comment' || above?.kind !== 'line') {
		return 0;
	}
	const { place } = quoted.comment;
	return place.kind === 'line' && place.mailId === above.mailId && place.start <= above.start && above.end <= place.end
		? 1
		: 0;
}

const nothing: Pick<Path, 'patchAt' | 'proseAt'> = { patchAt: -1, proseAt: -1 };

/** Score for a candidate's position relative to the previous match. */
function step(from: number, candidate: Candidate, path: Path, { at, index, isBroken }: Extension): number {
	if (from < 0) {
		return 0;
	}
	const kinship = index.kinship(from, candidate.first);
	if (candidate.first <= from) {
		const isRest = candidate.first === from && path.line === at - 1 && candidate.endWord > path.endWord;
		return isRest ? 3 : backward[kinship]!;
	}
	const between = index.linesBetween(from, candidate.first, farthest);
	if (between === 0 && kinship === 3) {
		return isBroken ? 1.8 : 3;
	}
	return forward[kinship]! - between / (10 * farthest);
}

/** Beyond this distance, the exact distance doesn't matter. */
const farthest = 50;
/** Indexed by kinship. */
const forward: readonly number[] = [-1.5, 0.4, 0.8, 1.3];
const backward: readonly number[] = [-1.5, -0.8, -0.8, -1];
