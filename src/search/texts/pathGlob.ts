/** Says which paths are meant. */
export type PathFilter = (path: string) => boolean;

/** As many alternatives may come of the braces of one pattern, and so many characters of all of them. */
const mostAlternatives = 256;
const mostCharacters = 20_000;

/** Characters of one step of a path or a pattern. */
type Step = readonly string[];

/** Any number of steps. */
const anySteps: Step = ['**'];

/**
 * Reads patterns that say which files are meant, with commas between: `src`, `*.ts`, `doc/**`, `{lib,src}/*.c`, `!test`.
 * As in the editor's own search, a pattern means what it names anywhere and everything below, one that begins with `./`
 * or `/` only what stands there from the root on, and one after `!` is taken away again. `*` and `?` stay within a name.
 * Without any pattern everything is meant. Takes time in proportion to the length of path and pattern.
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
	return (path) => {
		const steps = path.split('/').map((step): Step => Array.from(step));
		const fits = (pattern: readonly Step[]): boolean => matchesList(pattern, steps, anySteps, matchesName);
		return (wanted.length === 0 || wanted.some(fits)) && !unwanted.some(fits);
	};
}

/** The steps of every alternative, made to stand anywhere and to mean everything below. */
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

/** One turn of a pair of braces at a time, the first first; what is left over when there are too many stands as it is. */
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

/** Takes away pairs of braces between which there is one alternative, of which a text may have any number. */
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

/** Patterns with commas between, each of which may have commas in braces. */
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

function matchesName(pattern: Step, name: Step): boolean {
	return matchesList(pattern, name, '*', (wanted, character) => wanted === '?' || wanted === character);
}

/** When a star took too little it takes one more, so only the last star is ever turned to. */
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
