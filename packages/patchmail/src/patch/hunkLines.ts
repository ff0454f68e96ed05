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
		kind = sign === plus ? 'added' : sign === minus ? 'removed' : sign === blank ? 'context' : kind;
		const hasLineEnd = next >= end || text.charCodeAt(next) !== backslash || signAt(text, next) !== backslash;
		if (sign !== backslash) {
			const feed = lineEnd(text, at);
			const isWhole = sign === 0 || (sign === blank && text.charCodeAt(at) !== blank);
			const isCut = isCarried && feed > at && text.charCodeAt(feed - 1) === 0x0d;
			const from = isWhole ? at : at + 1;
			const content = text.slice(from, Math.max(from, isCut ? feed - 1 : feed));
			yield { kind, text: content, hasLineEnd, start: at, end: feed };
		}
		at = next;
	}
}

const plus = 0x2b;
const minus = 0x2d;
const blank = 0x20;
const backslash = 0x5c;
