import type { Hunk } from './fileDiff.ts';
import { signAt } from './readHunks.ts';
import { lineEnd, nextLine } from './textLines.ts';

/** A line of a hunk without its sign. */
export interface HunkLine {
	readonly kind: 'context' | 'added' | 'removed';
	/** Without its line feed, but with a CR of the file itself. */
	readonly text: string;
	/** False for the last line of a file that does not end with a line feed. */
	readonly hasLineEnd: boolean;
	/** UTF-16 offsets of the line in the text, with its sign, without its line feed. */
	readonly start: number;
	readonly end: number;
}

/**
 * The lines of a hunk, in order. If the hunk header ends with CRLF, the transport added the CRs, so they are dropped.
 * The rest of a line that a mailer wrapped becomes a line of the same kind.
 */
export function* hunkLines(text: string, { start, end }: Hunk): Generator<HunkLine, undefined> {
	const isCarried = text.startsWith('\r\n', start - 2);
	let kind: HunkLine['kind'] = 'context';
	for (let at = start; at < Math.min(end, text.length);) {
		const sign = signAt(text, at);
		const next = nextLine(text, at);
		kind = kindOf(sign, kind);
		const hasLineEnd = next >= end || text.charCodeAt(next) !== backslash || signAt(text, next) !== backslash;
		if (sign !== backslash) {
			yield { kind, text: contentOf(text, at, sign, isCarried), hasLineEnd, start: at, end: lineEnd(text, at) };
		}
		at = next;
	}
}

const plus = 0x2b;
const minus = 0x2d;
const blank = 0x20;
const backslash = 0x5c;

function kindOf(sign: number, before: HunkLine['kind']): HunkLine['kind'] {
	switch (sign) {
		case plus:
			return 'added';
		case minus:
			return 'removed';
		case blank:
			return 'context';
		default:
			return before;
	}
}

function contentOf(text: string, at: number, sign: number, isCarried: boolean): string {
	const end = lineEnd(text, at);
	const isWhole = sign === 0 || (sign === blank && text.charCodeAt(at) !== blank);
	const isCut = isCarried && end > at && text.charCodeAt(end - 1) === 0x0d;
	const start = isWhole ? at : at + 1;
	return text.slice(start, Math.max(start, isCut ? end - 1 : end));
}
