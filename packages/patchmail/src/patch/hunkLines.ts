import type { Hunk } from './fileDiff.ts';
import { signAt } from './readHunks.ts';
import { lineEnd } from './textLines.ts';

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
	const stop = Math.min(end, text.length);
	for (let at = start; at < stop;) {
		const sign = signAt(text, at);
		const feed = lineEnd(text, at);
		const next = Math.min(feed + 1, text.length);
		kind = sign === plus ? 'added' : sign === minus ? 'removed' : sign === blank ? 'context' : kind;
		if (sign !== backslash) {
			const hasLineEnd = next >= end || text.charCodeAt(next) !== backslash || signAt(text, next) !== backslash;
			const isWhole = sign === 0 || (sign === blank && text.charCodeAt(at) !== blank);
			const from = isWhole ? at : at + 1;
			const to = isCarried && feed > from && text.charCodeAt(feed - 1) === carriageReturn ? feed - 1 : feed;
			yield { kind, text: text.slice(from, to), hasLineEnd, start: at, end: feed };
		}
		at = next;
	}
}

const carriageReturn = 0x0d;
const plus = 0x2b;
const minus = 0x2d;
const blank = 0x20;
const backslash = 0x5c;
