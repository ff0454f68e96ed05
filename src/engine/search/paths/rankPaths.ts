import type { Steps } from '@forge-desk/base/timeSlice.ts';
import { pathQuery, pathScore, type FoldedPath } from './fuzzyPath.ts';

export interface PathWish {
	readonly typed: string;
	readonly limit: number;
	/** Paths that rank first when they match, latest first. */
	readonly recent: readonly string[];
}

/** Paths between two chances to rest. */
const stride = 64;

interface Scored {
	readonly target: FoldedPath;
	readonly score: number;
	/** Index in `recent`; `Infinity` for others. */
	readonly age: number;
}

/**
 * The best matches: recent paths first, then by score, name length, path length, alphabet. Without input: the recent
 * paths, then all in input order.
 */
export function* rankPaths(
	{ typed, limit, recent }: PathWish,
	targets: Iterable<FoldedPath>,
): Steps<readonly FoldedPath[]> {
	const query = pathQuery(typed);
	const ages = new Map(recent.map((path, age) => [path, age]));
	const best: Scored[] = [];
	const compare = query.pieces.length === 0 ? byAge : byWorth;
	let looked = 0;
	for (const target of targets) {
		const scored = { target, score: pathScore(query, target), age: ages.get(target.path) ?? Infinity };
		const last = best.at(-1);
		if (scored.score > 0 && (best.length < limit || (last && compare(scored, last) < 0))) {
			// Before the first worse one, so that equal paths stay in input order.
			let low = 0;
			let high = best.length;
			while (low < high) {
				const middle = (low + high) >>> 1;
				const other = best[middle];
				if (other && compare(scored, other) < 0) {
					high = middle;
				} else {
					low = middle + 1;
				}
			}
			best.splice(low, 0, scored);
			if (best.length > limit) {
				best.pop();
			}
		}
		looked += 1;
		if (looked % stride === 0) {
			yield;
		}
	}
	return best.map(({ target }) => target);
}

function byAge(a: Scored, b: Scored): number {
	return a.age === b.age ? 0 : a.age - b.age;
}

function byWorth(a: Scored, b: Scored): number {
	return (
		Number(a.age === Infinity) - Number(b.age === Infinity) ||
		b.score - a.score ||
		byAge(a, b) ||
		a.target.path.length - a.target.nameStart - (b.target.path.length - b.target.nameStart) ||
		a.target.path.length - b.target.path.length ||
		(a.target.path < b.target.path ? -1 : Number(a.target.path > b.target.path))
	);
}
