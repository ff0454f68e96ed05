export type PathFilter = (path: string) => boolean;

/** Limits for brace expansion: alternatives and total characters. */
const mostAlternatives = 256;
const mostCharacters = 20_000;

/** Characters of one path segment. */
type Step = readonly string[];

/** Any number of segments. */
const anySteps: Step = ['**'];

/**
 * Comma-separated glob patterns: `src`, `*.ts`, `doc/**`, `{lib,src}/*.c`, `!test`. As in the editor's search, a
 * pattern matches anywhere, including everything below. A leading `./` or `/` anchors it at the root; `!` excludes. `*`
 * and `?` don't cross slashes. Without patterns, everything matches. Linear in the lengths of path and pattern.
 */
export function pathFilter(patterns: string): PathFilter {
	const all = splitOutsideBraces(patterns).map((pattern) => pattern.trim());
	const wanted = all.filter((pattern) => pattern !== '' && !pattern.startsWith('!')).flatMap(compiled);
	const unwanted = all
		.filter((pattern) => pattern.startsWith('!'))
		.map((pattern) => pattern.slice(1).trim())
		.filter((pattern) => pattern !== '')
		.flatMap(compiled);
	if (wanted.length === 0 && unwanted.length === 0) {
		return () => true;
	}
	const matchesName = (pattern: Step, name: Step): boolean =>
		matchesList(pattern, name, '*', (sign, character) => sign === '?' || sign === character);
	return (path) => {
		const steps = path.split('/').map((step): Step => Array.from(step));
		const fits = (pattern: readonly Step[]): boolean => matchesList(pattern, steps, anySteps, matchesName);
		return (wanted.length === 0 || wanted.some(fits)) && !unwanted.some(fits);
	};
}

/** Segments of each alternative. Unless rooted, it matches at any depth; it always includes everything below. */
function compiled(pattern: string): readonly (readonly Step[])[] {
	return alternatives(pattern).map((each) => {
		const isRooted = /^\.?\//.test(each);
		const steps = each
			.replace(/^\.?\//, '')
			.split('/')
			.filter((step) => step !== '')
			.map((step): Step => (step === '**' ? anySteps : Array.from(step)));
		return [...(isRooted ? [] : [anySteps]), ...steps, anySteps];
	});
}

/** Expands the leftmost braces first. Beyond the limit, the remaining braces are literal. */
function alternatives(pattern: string): readonly string[] {
	let all: readonly string[] = [withoutNeedlessBraces(pattern)];
	for (;;) {
		const next = all.flatMap((each) => {
			const braces = /^(.*?)\{([^{}]*)\}(.*)$/s.exec(each);
			if (!braces) {
				return [each];
			}
			const [, before = '', inner = '', after = ''] = braces;
			return inner.split(',').map((part) => before + part + after);
		});
		const characters = next.reduce((sum, { length }) => sum + length, 0);
		const isTooMuch = next.length > 1 && characters > Math.max(mostCharacters, 2 * pattern.length);
		if (isTooMuch || next.length > mostAlternatives || next.every((each, at) => each === all[at])) {
			return all;
		}
		all = next;
	}
}

/** Removes braces without a comma, because there may be any number. */
function withoutNeedlessBraces(pattern: string): string {
	const signs = pattern.split('');
	const open: { readonly at: number; hasComma: boolean }[] = [];
	for (const [at, sign] of signs.entries()) {
		const last = open.at(-1);
		if (sign === '{') {
			open.push({ at, hasComma: false });
		} else if (sign === ',' && last) {
			last.hasComma = true;
		} else if (sign === '}' && open.pop()?.hasComma === false && last) {
			signs[last.at] = '';
			signs[at] = '';
		}
	}
	return signs.join('');
}

/** Splits at commas outside braces. */
export function splitOutsideBraces(text: string): readonly string[] {
	const parts = [''];
	let depth = 0;
	for (const character of text) {
		depth = Math.max(0, depth + Number(character === '{') - Number(character === '}'));
		if (character === ',' && depth === 0) {
			parts.push('');
		} else {
			parts.push((parts.pop() ?? '') + character);
		}
	}
	return parts;
}

/** Greedy matching with backtracking only to the last star, which suffices. */
function matchesList<T>(
	pattern: readonly T[],
	items: readonly T[],
	star: T,
	matches: (wanted: T, item: T) => boolean,
): boolean {
	let at = 0;
	let wantedAt = 0;
	let starAt = -1;
	let afterStar = 0;
	while (at < items.length) {
		const wanted = pattern[wantedAt];
		const item = items[at];
		if (wanted === star) {
			starAt = wantedAt;
			afterStar = at;
			wantedAt += 1;
		} else if (wanted !== undefined && item !== undefined && matches(wanted, item)) {
			at += 1;
			wantedAt += 1;
		} else if (starAt >= 0) {
			afterStar += 1;
			at = afterStar;
			wantedAt = starAt + 1;
		} else {
			return false;
		}
	}
	while (pattern[wantedAt] === star) {
		wantedAt += 1;
	}
	return wantedAt === pattern.length;
}
