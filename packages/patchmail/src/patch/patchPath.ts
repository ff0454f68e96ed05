import { lineEnd } from './textLines.ts';

/** Number of leading folders to remove from a path, such as `a/` and `b/`. */
export type Strip = 0 | 1;

const quote = 0x22;
const backslash = 0x5c;
const escapes: ReadonlyMap<string, number> = new Map([
	['a', 7],
	['b', 8],
	['t', 9],
	['n', 10],
	['v', 11],
	['f', 12],
	['r', 13],
	['"', quote],
	['\\', backslash],
]);

/** An unquoted path. */
export interface QuotedPath {
	readonly path: string;
	/** Offset after the closing quote. */
	readonly end: number;
}

/**
 * Unquotes the name at `at`: git escapes unusual names with backslashes, and UTF-8 bytes in octal. `undefined` without
 * a valid quoted name.
 */
export function quotedPath(line: string, at: number): QuotedPath | undefined {
	const end = quoteEnd(line, at);
	if (end === -1) {
		return undefined;
	}
	const bytes = new Uint8Array((end - at) * 3);
	const encoder = new TextEncoder();
	let size = 0;
	let plainFrom = at + 1;
	for (let place = at + 1; place < end; place++) {
		const code = line.charCodeAt(place);
		if (code !== quote && code !== backslash) {
			continue;
		}
		size += encoder.encodeInto(line.slice(plainFrom, place), bytes.subarray(size)).written;
		const escape = code === backslash ? escapeAt(line, place + 1) : undefined;
		if (escape) {
			bytes[size++] = escape.byte;
			place += escape.length;
			plainFrom = place + 1;
		}
	}
	return { path: new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(0, size)), end };
}

/** True for a quoted name that continues on the next line. */
export function isOpenQuote(text: string, at: number): boolean {
	return quoteEnd(text, at) > lineEnd(text, at);
}

/** Offset after the closing quote of the name at `at`; -1 without a valid quoted name. */
function quoteEnd(text: string, at: number): number {
	if (text.charCodeAt(at) !== quote) {
		return -1;
	}
	for (let place = at + 1; place < text.length; place++) {
		const code = text.charCodeAt(place);
		if (code === quote) {
			return place + 1;
		}
		const escape = code === backslash ? escapeAt(text, place + 1) : undefined;
		if (code === backslash && !escape) {
			return -1;
		}
		place += escape?.length ?? 0;
	}
	return -1;
}

function escapeAt(line: string, at: number): { readonly byte: number; readonly length: number } | undefined {
	const byte = escapes.get(line.charAt(at));
	if (byte !== undefined) {
		return { byte, length: 1 };
	}
	const octal = line.slice(at, at + 3);
	return /^[0-3][0-7]{2}$/.test(octal) ? { byte: Number.parseInt(octal, 8), length: 3 } : undefined;
}

/** Removes leading folders. Keeps a path without any, and one that would become empty. */
export function strippedPath(path: string, strip: Strip): string {
	const slash = strip === 0 ? -1 : path.indexOf('/');
	const rest = path.slice(slash + 1);
	return withoutEmptyFolders(rest === '' ? path : rest);
}

/** The path in a line such as `--- a/x`, from offset `at`: quoted, or up to a tab. `undefined` if empty. */
export function pathInLine(line: string, at: number, strip: Strip): string | undefined {
	const quoted = quotedPath(line, at);
	const path = quoted?.path ?? line.slice(at, nameEnd(line, at));
	return path === '' ? undefined : strippedPath(path, strip);
}

/** Like {@link pathInLine}, but as strict as git: `undefined` for a path without a folder to strip. */
export function namedPath(line: string, at: number, strip: Strip): string | undefined {
	const quoted = quotedPath(line, at)?.path;
	if (quoted !== undefined && (strip === 0 || quoted.includes('/'))) {
		return pathBehind(quoted, strip);
	}
	return pathBehind(line.slice(at, nameEnd(line, at)), strip);
}

function pathBehind(path: string, strip: Strip): string | undefined {
	const slash = strip === 0 ? -1 : path.indexOf('/');
	const rest = strip === 1 && slash === -1 ? '' : path.slice(slash + 1);
	return rest === '' ? undefined : withoutEmptyFolders(rest);
}

/** The path in a line such as `rename from x`. It has no prefix, and extends to the end of the line. */
export function movedPath(line: string, at: number): string | undefined {
	const path = quotedPath(line, at)?.path ?? line.slice(at);
	return path === '' ? undefined : withoutEmptyFolders(path);
}

function withoutEmptyFolders(path: string): string {
	return path.includes('//') ? path.replaceAll(/\/{2,}/g, '/') : path;
}

/** A timestamp may follow after a tab. A CR comes from the transport. */
function nameEnd(line: string, at: number): number {
	const tab = line.indexOf('\t', at);
	const carriage = line.indexOf('\r', at);
	return Math.min(tab === -1 ? line.length : tab, carriage === -1 ? line.length : carriage);
}

/** Whether a line has `/dev/null` at offset `at`. */
export function isDevNull(line: string, at: number): boolean {
	return line.startsWith('/dev/null', at) && (line.length === at + 9 || /\s/.test(line.charAt(at + 9)));
}

const hfsIgnored = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/gu;

/**
 * Whether git refuses a path: absolute, with a trailing slash, with a part `.` or `..`, or with `.git` on some file
 * system.
 */
export function isUnsafePath(path: string): boolean {
	return (
		/^\/|\/$|(?:^|\/)\.{1,2}(?:\/|$)/.test(path) ||
		/(?:^|[/\\])(?:\.git|git~1)[ .]*(?:[/\\:]|$)/i.test(path.replaceAll(hfsIgnored, ''))
	);
}
