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
export function hunkLines(text: string, hunk: Hunk): IterableIterator<HunkLine, undefined> {
	return new HunkLines(text, hunk);
}

/** A generator takes half as long again: the runtime cannot inline its steps. */
class HunkLines implements IterableIterator<HunkLine, undefined> {
	readonly #text: string;
	readonly #end: number;
	readonly #isCarried: boolean;
	#at: number;
	#kind: HunkLine['kind'] = 'context';

	constructor(text: string, { start, end }: Hunk) {
		this.#text = text;
		this.#end = end;
		this.#at = start;
		this.#isCarried = text.startsWith('\r\n', start - 2);
	}

	[Symbol.iterator](): this {
		return this;
	}

	next(): IteratorResult<HunkLine, undefined> {
		const text = this.#text;
		const end = this.#end;
		while (this.#at < Math.min(end, text.length)) {
			const at = this.#at;
			const sign = signAt(text, at);
			const feed = lineEnd(text, at);
			const next = Math.min(feed + 1, text.length);
			this.#at = next;
			if (sign === backslash) {
				continue;
			}
			const kind = sign === plus ? 'added' : sign === minus ? 'removed' : sign === blank ? 'context' : this.#kind;
			this.#kind = kind;
			const hasLineEnd = text.charCodeAt(next) !== backslash || next >= end || signAt(text, next) !== backslash;
			const isWhole = sign === 0 || (sign === blank && text.charCodeAt(at) !== blank);
			const from = isWhole ? at : at + 1;
			const to = this.#isCarried && feed > from && text.charCodeAt(feed - 1) === carriageReturn ? feed - 1 : feed;
			return { value: { kind, text: text.slice(from, to), hasLineEnd, start: at, end: feed }, done: false };
		}
		return { value: undefined, done: true };
	}
}

const carriageReturn = 0x0d;
const plus = 0x2b;
const minus = 0x2d;
const blank = 0x20;
const backslash = 0x5c;
