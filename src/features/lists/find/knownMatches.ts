import type { Match } from '../../../search/mails/searchedMail.ts';

/** What came of looking at `what`; looks again when anything of `from` is another object or text than the last time. */
export type KnownMatches = (what: object, from: readonly (object | string | undefined)[], look: () => Match) => Match;

/**
 * Rows are drawn often, mails never change, and their texts are long: what was looked through is remembered. Nothing of
 * `from` is kept alive by that.
 */
export function knownMatches(): KnownMatches {
	const known = new WeakMap<object, { readonly from: string; readonly match: Match }>();
	const numbers = new WeakMap<object, number>();
	let last = 0;

	function nameOf(part: object | string | undefined): string | number {
		if (typeof part !== 'object') {
			return part ?? '';
		}
		const before = numbers.get(part);
		if (before !== undefined) {
			return before;
		}
		last += 1;
		numbers.set(part, last);
		return last;
	}

	return (what, parts, look) => {
		const from = JSON.stringify(parts.map(nameOf));
		const before = known.get(what);
		const now = before?.from === from ? before : { from, match: look() };
		known.set(what, now);
		return now.match;
	};
}
