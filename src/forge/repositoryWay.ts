import type { LineRange, TreePath } from './repository.ts';

/**
 * What stands behind a repository's name in an address on the web (docs/protocol.md#web-addresses):
 * `tree/feature/x/item/src/main.c`. References may hold slashes, and neither they nor folders mind being called `item`.
 */
export interface RepositoryWay {
	readonly page: 'tree' | 'log' | 'blob' | 'blame' | 'refs';
	/** Decoded, at least one. */
	readonly steps: readonly string[];
	/** Marked lines of a file. */
	readonly lines: LineRange | undefined;
}

/** A way that was read: a reference and perhaps a path below it. */
export interface ReadWay {
	readonly revision: string;
	/** `undefined` for the reference itself. */
	readonly path: string | undefined;
}

/** Where git looks for a name, in its order (gitrevisions). */
const prefixes = ['', 'refs/', 'refs/tags/', 'refs/heads/', 'refs/remotes/'] as const;

/** The way as it can only be read, whatever the references are called; `undefined` when that depends on them. */
export function onlyReading({ page, steps }: RepositoryWay): ReadWay | undefined {
	const [first = '', ...below] = steps;
	if (below.length === 0) {
		return { revision: first, path: undefined };
	}
	// Git reads a whole id as nothing else, and HEAD is always there.
	return page !== 'refs' && /^(?:HEAD|[0-9a-f]{40}|[0-9a-f]{64})$/.test(first) ? readAt(page, steps, 1) : undefined;
}

/**
 * The way as the forge reads it: parts are joined until they name a reference (docs/protocol.md#revisions). `names` are
 * full names. `undefined` when no beginning of the way names one.
 */
export function readingAmong({ page, steps }: RepositoryWay, names: ReadonlySet<string>): ReadWay | undefined {
	if (page === 'refs') {
		const tag = steps.join('/');
		return names.has(`refs/tags/${tag}`) ? { revision: tag, path: undefined } : undefined;
	}
	// An address of a stranger may have any number of steps, and joining all beginnings of it would take for ever.
	const longest = longestOf(names);
	let name = '';
	for (const [last, step] of steps.entries()) {
		name = last === 0 ? step : `${name}/${step}`;
		if (name.length > longest) {
			return undefined;
		}
		const beginning = name;
		if (prefixes.some((prefix) => names.has(`${prefix}${beginning}`))) {
			return readAt(page, steps, last + 1);
		}
	}
	return undefined;
}

function longestOf(names: Iterable<string>): number {
	let longest = 0;
	for (const { length } of names) {
		longest = Math.max(longest, length);
	}
	return longest;
}

/** The likeliest reading by the way alone: what stands before `item` is the reference, or else the first step, or all. */
export function likelyReading({ page, steps }: RepositoryWay): ReadWay {
	switch (page) {
		case 'refs':
			return { revision: steps.join('/'), path: undefined };
		case 'blob':
		case 'blame':
			return readAt(page, steps, 1);
		case 'tree':
		case 'log': {
			const item = steps.indexOf('item', 1);
			const isRevision = /^[0-9a-f]{4,64}$|[~^]/.test(steps[0] ?? '');
			return readAt(page, steps, item === -1 ? (isRevision ? 1 : steps.length) : item);
		}
	}
}

/** The first `count` steps are the reference. A path begins behind `item`, or at once on old forges and as raw text. */
function readAt(page: RepositoryWay['page'], steps: readonly string[], count: number): ReadWay {
	const rest = steps.slice(count);
	const path = (page === 'tree' || page === 'log') && rest[0] === 'item' ? rest.slice(1) : rest;
	return { revision: steps.slice(0, count).join('/'), path: path.length === 0 ? undefined : path.join('/') };
}

/** Lines as they stand behind the sharp: `L10`, `L10-20`, or `L10-15,20`, of which the first ones count. */
export function linesOfFragment(fragment: string): LineRange | undefined {
	const [, first, last = first] = /^L([1-9]\d{0,8})(?:-([1-9]\d{0,8}))?(?:$|,)/.exec(fragment) ?? [];
	return first === undefined ? undefined : { first: Number(first), last: Math.max(Number(first), Number(last)) };
}

/** The way back: `L10`, `L10-20`. */
export function fragmentOfLines({ first, last }: LineRange): string {
	return last > first ? `L${first}-${last}` : `L${first}`;
}

/** The place in a tree that a reading with a path names. */
export function placeOfReading({ revision, path }: ReadWay): TreePath | undefined {
	return path === undefined ? undefined : { ref: revision, path };
}
