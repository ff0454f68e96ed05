import { withoutLastBlanks } from '../mail/blanks.ts';
import { wordsToGit } from '../mail/gitWords.ts';
import { isPatchBreak } from '../patch/patchBreak.ts';
import { withoutBlankEnds } from './blankEnds.ts';

/** A mail's text as `git mailinfo` takes it apart. */
export interface MessageParts {
	/** What the headers inside the text say, decoded, by their names in lower case: `from`, `subject`, `date`. */
	readonly inBody: ReadonlyMap<string, string>;
	/** The commit's message below its subject, without blank lines at its ends. */
	readonly message: string;
	/** Offset behind the headers inside the text. */
	readonly messageStart: number;
	/** Offset of the line that ends the message; the length of the text when none does. */
	readonly messageEnd: number;
	/** Offset behind that line when it is a mere `---`, else `messageEnd`: here begins the commentary or the diff. */
	readonly restStart: number;
}

/** One line without its end, and where the next one begins. */
interface Line {
	readonly text: string;
	readonly next: number;
}

/**
 * Takes a text apart by the rules of `git mailinfo`: headers may stand first, blank lines between them; the message goes
 * on to a line `---`, `diff -…`, `Index: …` or `--- file`. Scissors mean nothing. Headers inside the text count only
 * where something follows the message. Takes time in proportion to the text.
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

/** The headers at the head of a text, and where the message begins behind them. */
function inBodyHeaders(text: string): { readonly found: ReadonlyMap<string, string>; readonly end: number } {
	const found = new Map<string, string>();
	let open: { readonly name: string; readonly parts: string[] } | undefined;
	const close = (): boolean => {
		if (open === undefined) {
			return false;
		}
		found.set(open.name, decoded(open.parts.join(' ')));
		open = undefined;
		return true;
	};
	let at = 0;
	while (at < text.length) {
		const line = lineAt(text, at);
		const isBlank = line.text === '' || line.text === '\r';
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
			open = begun(header, found);
		}
		at = line.next;
	}
	close();
	return { found, end: at };
}

/** Headers in a text may be as long as that; nobody means longer ones. */
const longestDecoded = 10_000;

function decoded(value: string): string {
	return value.length > longestDecoded ? value : wordsToGit(value);
}

interface Header {
	readonly name: string;
	/** `undefined` for a line that is passed over. */
	readonly value: string | undefined;
	/** Git lets only real headers go on in the next line. */
	readonly goesOn: boolean;
}

/** A header that may go on in the next line; one that may not is found at once. */
function begun(
	{ name, value, goesOn }: Header,
	found: Map<string, string>,
): { readonly name: string; readonly parts: string[] } | undefined {
	if (value === undefined) {
		return undefined;
	}
	if (!goesOn) {
		found.set(name, value);
		return undefined;
	}
	return { name, parts: [value] };
}

/** A line that may stand among the headers. */
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
