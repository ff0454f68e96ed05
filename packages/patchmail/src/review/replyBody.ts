import { pushAll } from '@forge-desk/base/longArrays.ts';
import { fixUpLines, suggestedChange } from './fixUp.ts';
import type { QuotableLine, QuotableRange } from './quotableLines.ts';
import { proseLines } from './replyProse.ts';
import type { DraftComment } from './reviewDraft.ts';

/** A comment with its lines; `range` is undefined for one on the whole mail. */
export interface PlacedDraft {
	readonly comment: DraftComment;
	readonly range: QuotableRange | undefined;
	/** Path of its file. */
	readonly path: string;
	/** On lines outside the patch: the line number is written below the file header. */
	readonly isOutside: boolean;
	readonly context: QuotedContext;
}

/** Lines to quote above the commented lines. */
export interface QuotedContext {
	readonly lines: number;
	/** Quotes lines again that an earlier comment quoted. */
	readonly isRepeated: boolean;
}

/** Text around the comments. */
export interface ReplyFrame {
	/** The attribution line. */
	readonly attribution: string;
	/** Lines at the end. */
	readonly trailers: readonly string[];
}

/** Longer ranges are elided in the middle. */
const longestRange = 60;

const elision = '[...]';

/**
 * Text of a reply: general comments, then each comment below its lines in order, then the trailers. A quotation ends
 * with the commented line; omissions are `[...]`.
 */
export function replyBody(lines: readonly QuotableLine[], drafts: readonly PlacedDraft[], frame: ReplyFrame): string {
	const general = drafts.filter(({ range }) => range === undefined);
	const placed = drafts
		.flatMap((draft) => (draft.range === undefined ? [] : [{ draft, range: draft.range }]))
		.toSorted((a, b) => a.range.last - b.range.last || a.range.first - b.range.first);
	const body = new ReplyText(lines);
	general.forEach((draft) => body.say(saidOf(draft)));
	if (placed.length > 0) {
		body.attribute(frame.attribution);
	}
	placed.forEach(({ draft, range }) => {
		body.quote(range, draft.context);
		body.say(saidOf(draft));
	});
	body.say(frame.trailers);
	return body.text();
}

/** A comment's prose and suggestion. */
function saidOf({ comment, path, isOutside }: PlacedDraft): readonly string[] {
	const { place, text, suggestion } = comment;
	const where = isOutside && place.kind === 'lines' ? [`${path}:${place.line}:`, ''] : [];
	const said = [...where, ...proseLines(text)];
	if (suggestion === undefined || place.kind !== 'lines') {
		return said;
	}
	return [...(said.length === 0 ? [suggestedChange] : said), '', ...fixUpLines(path, suggestion)];
}

/** Builds a reply from top to bottom. */
class ReplyText {
	readonly #lines: readonly QuotableLine[];
	readonly #written: string[] = [];
	/** Last quoted line, and quoted section headers. */
	#cursor = -1;
	readonly #heads = new Set<number>();

	constructor(lines: readonly QuotableLine[]) {
		this.#lines = lines;
	}

	text(): string {
		// Remove only line feeds: a line of blanks may be a row of a suggestion.
		return `${this.#written.join('\n').replace(/\n+$/, '')}\n`;
	}

	say(lines: readonly string[]): void {
		if (lines.length > 0) {
			this.#gap();
			pushAll(this.#written, lines);
		}
	}

	attribute(line: string): void {
		this.#gap();
		this.#written.push(line);
	}

	/** Quotes up to the end of a range. Repeats lines only if the range needs them. */
	quote(range: QuotableRange, context: QuotedContext): void {
		const { last } = range;
		if (last === this.#cursor) {
			return;
		}
		if (this.#cursor !== -1) {
			this.#gap();
		}
		const from = this.#top(range, context);
		const heads = this.#headsAbove(last, context.isRepeated);
		if (this.#cursor !== -1) {
			this.#elide(this.#cursor, heads[0] ?? from);
		}
		pushAll(
			this.#written,
			heads.map((at) => this.#marked(at)),
		);
		this.#elide(heads.at(-1) ?? from, from);
		const all = Array.from({ length: last - from + 1 }, (_, at) => this.#marked(from + at));
		const half = longestRange / 2;
		pushAll(this.#written, all.length <= longestRange ? all : [...all.slice(0, half), elision, ...all.slice(-half)]);
		this.#cursor = last;
	}

	/** First line of the quotation, below the hunk header. */
	#top({ first, last }: QuotableRange, { lines, isRepeated }: QuotedContext): number {
		if (lines === 0) {
			return first;
		}
		const { sectionStart, origin } = this.#lines[last]!;
		const start = sectionStart + (origin.kind === 'line' ? 1 : 0);
		const isBelow = this.#cursor < first && !isRepeated;
		return Math.max(start, isBelow ? this.#cursor + 1 : 0, first - lines);
	}

	#elide(above: number, below: number): void {
		if (above + 1 < below) {
			this.#written.push(elision);
		}
	}

	/** File header and hunk header of a line, unless already quoted. */
	#headsAbove(last: number, isRepeated: boolean): readonly number[] {
		const line = this.#lines[last];
		if (line?.origin.kind !== 'line') {
			return [];
		}
		const { file } = line.origin;
		const hunk = line.sectionStart;
		const head = this.#lines.findIndex(({ origin }) => origin.kind === 'file' && origin.file === file);
		const heads = [head, hunk].filter((at) => {
			const isNew = at > this.#cursor && !this.#heads.has(at);
			return at !== -1 && (isNew || (isRepeated && at === hunk));
		});
		heads.forEach((at) => this.#heads.add(at));
		return heads;
	}

	#marked(at: number): string {
		const text = this.#lines[at]!.text.replaceAll('\r', '');
		return text.trim() === '' ? '>' : `> ${text}`;
	}

	#gap(): void {
		if (this.#written.length > 0 && this.#written.at(-1) !== '') {
			this.#written.push('');
		}
	}
}
