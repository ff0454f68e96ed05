import { withoutLastBlanks } from '../mail/blanks.ts';
import { wordsToGit } from '../mail/gitWords.ts';
import { isPatchBreak } from '../patch/patchBreak.ts';
import { withoutBlankEnds } from './blankEnds.ts';

/** The text of a mail, split like `git mailinfo` does. */
export interface MessageParts {
	/** Decoded headers inside the text, by lower-case name: `from`, `subject`, `date`. */
	readonly inBody: ReadonlyMap<string, string>;
	/** The commit message below its subject, without blank lines at the ends. */
	readonly message: string;
	/** End of the headers inside the text. */
	readonly messageStart: number;
	/** Offset of the line that ends the message, else the length of the text. */
	readonly messageEnd: number;
	/** Offset behind that line if it is a bare `---`, else `messageEnd`. The commentary or diff starts here. */
	readonly restStart: number;
}

/** A line without its end, and the offset of the next line. */
interface Line {
	readonly text: string;
	readonly next: number;
}

/**
 * Splits a text by the rules of `git mailinfo`: optional headers with blank lines between them, then the message up to
 * `---`, `diff -…`, `Index: …` or `--- file`. Ignores scissors. Headers without a message below them are text. Takes
 * linear time.
 */
export function messageParts(text: string): MessageParts {
	const heads = inBodyHeaders(text);
	const lines: string[] = [];
	let at = heads.end;
	while (at < text.length) {
		const line = lineAt(text, at);
		if (isPatchBreak(text, at)) {
			const restStart = withoutLastBlanks(line.text) === '---' ? line.next : at;
			const message = withoutBlankEnds(lines, isBlankToGit).join('\n');
			return { inBody: heads.found, message, messageStart: heads.end, messageEnd: at, restStart };
		}
		lines.push(line.text.replace(/\r$/, ''));
		at = line.next;
	}
	return {
		inBody: new Map(),
		message: withoutBlankEnds(lines, isBlankToGit).join('\n'),
		messageStart: heads.end,
		messageEnd: text.length,
		restStart: text.length,
	};
}

function isBlankToGit(line: string): boolean {
	return withoutLastBlanks(line) === '';
}

/** The headers at the head of a text, and the start of the message. */
function inBodyHeaders(text: string): { readonly found: ReadonlyMap<string, string>; readonly end: number } {
	const found = new Map<string, string>();
	let open: { readonly name: string; readonly parts: string[] } | undefined;
	const close = (): boolean => {
		if (open === undefined) {
			return false;
		}
		const value = open.parts.join(' ');
		found.set(open.name, value.length > longestDecoded ? value : wordsToGit(value));
		open = undefined;
		return true;
	};
	let at = 0;
	while (at < text.length) {
		const line = lineAt(text, at);
		// A line with a CR alone is not blank to git.
		const isBlank = line.text === '';
		if (isBlank && close()) {
			return { found, end: line.next };
		}
		if (!isBlank && open !== undefined && /^[ \t]/.test(line.text)) {
			open.parts.push(withoutLastBlanks(line.text).replace(/^[ \t]+/, ''));
		} else if (!isBlank) {
			close();
			const header = headerIn(line.text);
			if (header === undefined || (header.goesOn && found.has(header.name))) {
				return { found, end: at };
			}
			// Only a real header may continue in the next line.
			if (header.value !== undefined && header.goesOn) {
				open = { name: header.name, parts: [header.value] };
			} else if (header.value !== undefined) {
				found.set(header.name, header.value);
			}
		}
		at = line.next;
	}
	return { found, end: at };
}

/** Longer headers are abuse. */
const longestDecoded = 10_000;

interface Header {
	readonly name: string;
	/** `undefined` for a line to skip. */
	readonly value: string | undefined;
	/** Git continues only real headers in the next line. */
	readonly goesOn: boolean;
}

/** A line that may appear among the headers. */
function headerIn(line: string): Header | undefined {
	if (/^>From [0-9a-f]{40} Mon Sep 17 00:00:00 2001$/.test(line)) {
		return { name: '', value: undefined, goesOn: false };
	}
	const [head, name = ''] = /^(from|subject|date):[ \t\r]*/i.exec(line) ?? [];
	if (head !== undefined) {
		return { name: name.toLowerCase(), value: withoutLastBlanks(line.slice(head.length)), goesOn: true };
	}
	return /^\[PATCH\](?:[ \t\r]|$)/.test(line)
		? { name: 'subject', value: withoutLastBlanks(line), goesOn: false }
		: undefined;
}

function lineAt(text: string, at: number): Line {
	const end = text.indexOf('\n', at);
	return end === -1 ? { text: text.slice(at), next: text.length } : { text: text.slice(at, end), next: end + 1 };
}
