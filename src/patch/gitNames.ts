import { quotedPath, strippedPath, type Strip } from './patchPath.ts';

const blank = 0x20;
const tab = 0x09;

/**
 * The one path that `a/x b/x` names twice, as in `diff --git a/x b/x`; `undefined` when the two differ or cannot be told
 * apart, which is so for renames only: those name their paths elsewhere.
 */
export function nameStatedTwice(names: string, strip: Strip): string | undefined {
	const name = statedTwice(names, strip);
	return name === '' ? undefined : name;
}

function statedTwice(names: string, strip: Strip): string | undefined {
	const first = quotedPath(names, 0);
	if (first !== undefined) {
		const second = restOf(names, first.end);
		const path = bare(first.path, strip);
		return path !== undefined && path === bare(second, strip) ? strippedPath(first.path, strip) : undefined;
	}
	const quote = names.indexOf('"');
	if (quote > 0) {
		return quotedSecond(names, quote, strip);
	}
	return strip === 0 ? halved(names) : behindFolders(names);
}

/** The name that stands twice without any folder before it, which {@link nameStatedTwice} cannot take off. */
export function bareNameStatedTwice(names: string): string | undefined {
	return halved(names);
}

/** The second name behind a quoted first one. */
function restOf(names: string, at: number): string {
	const rest = names.slice(at).trimStart();
	return quotedPath(rest, 0)?.path ?? rest;
}

function quotedSecond(names: string, quote: number, strip: Strip): string | undefined {
	const second = quotedPath(names, quote);
	const before = names.charCodeAt(quote - 1);
	if (second === undefined || (before !== blank && before !== tab)) {
		return undefined;
	}
	const path = bare(second.path, strip);
	return path !== undefined && path === bare(names.slice(0, quote - 1), strip) ? path : undefined;
}

function bare(path: string, strip: Strip): string | undefined {
	const slash = strip === 0 ? -1 : path.indexOf('/');
	return slash === 0 || (strip === 1 && slash === -1) ? undefined : path.slice(slash + 1);
}

/**
 * Finds where the first name ends. As the second must be as long as the first, only one place can be right: the names'
 * blanks are walked once, and text is compared once.
 */
function behindFolders(names: string): string | undefined {
	const start = names.indexOf('/') + 1;
	if (start <= 1) {
		return undefined;
	}
	let before = start - 1;
	for (let slash = names.indexOf('/', start); slash !== -1; slash = names.indexOf('/', slash + 1)) {
		const end = start + names.length - slash - 1;
		const separator = names.charCodeAt(end);
		if (before <= end && end + 1 < slash && (separator === blank || separator === tab)) {
			return names.slice(start, end) === names.slice(slash + 1) ? names.slice(start, end) : undefined;
		}
		before = slash;
	}
	return undefined;
}

function halved(names: string): string | undefined {
	const length = (names.length - 1) / 2;
	const separator = names.charCodeAt(length);
	if (!Number.isInteger(length) || length < 1 || (separator !== blank && separator !== tab)) {
		return undefined;
	}
	const name = names.slice(0, length);
	return names.endsWith(name) ? name : undefined;
}
