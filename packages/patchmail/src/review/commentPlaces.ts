import type { QuoteMatch } from './matchQuotes.ts';
import type { ReplyBlock } from './replyBlocks.ts';
import type { ReplyLine } from './replyLines.ts';
import type { CommentPlace, LinePlace, ReviewComment } from './reviewComment.ts';
import type { LineOrigin } from './sourceLines.ts';
import type { SourceIndex } from './sourceIndex.ts';

export interface Placing {
	readonly place: CommentPlace;
	readonly answers: ReviewComment | undefined;
}

/** A reply with matched quotations. */
export interface MatchedReply {
	readonly lines: readonly ReplyLine[];
	readonly matches: readonly (QuoteMatch | undefined)[];
	readonly index: SourceIndex;
	/** Place for comments on the mail as a whole. */
	readonly whole: Placing;
	/** Mail numbers of the series. */
	readonly parts: ReadonlySet<number>;
	/** Comments of the answered mail. */
	readonly answered: readonly ReviewComment[];
}

/** Place of text below a quotation: the last matched line. */
export function placeBelow(quoted: readonly number[], reply: MatchedReply): Placing {
	const at = quoted.findLast((line) => reply.matches[line] !== undefined);
	const match = at === undefined ? undefined : reply.matches[at];
	const origin = match && reply.index.originOf(match.last);
	if (at === undefined || origin === undefined) {
		return reply.whole;
	}
	return placeOn(origin, quoted, at, reply);
}

function placeOn(origin: LineOrigin, quoted: readonly number[], at: number, reply: MatchedReply): Placing {
	const { whole, parts } = reply;
	switch (origin.kind) {
		case 'comment':
			return { place: origin.comment.place, answers: origin.comment };
		case 'line': {
			const { line, start } = firstQuoted(origin, quoted, at, reply);
			return { place: { ...origin, firstLine: Math.min(line, origin.line), start }, answers: undefined };
		}
		case 'aside':
			return parts.has(origin.mailId) && whole.answers === undefined
				? { place: { kind: 'general', mailId: origin.mailId }, answers: undefined }
				: whole;
		case 'file':
		case 'message':
		case 'commentary':
		case 'cover':
			return { place: origin, answers: undefined };
	}
}

/** First line of the contiguous quotation on the same side and hunk as `origin`, which line `at` quotes. */
function firstQuoted(quotedLine: LinePlace, quoted: readonly number[], at: number, reply: MatchedReply): LinePlace {
	const { index } = reply;
	const upToLine = quoted.slice(0, quoted.indexOf(at) + 1);
	const start = upToLine.findLastIndex((line) => reply.lines[line]?.kind === 'elision') + 1;
	const above = upToLine.slice(start).flatMap((line) => reply.matches[line] ?? []);
	const { last } = above.at(-1)!;
	let found = quotedLine;
	let below = last;
	for (const { first, last: end } of above.toReversed()) {
		const origin = index.originOf(first);
		if (
			origin?.kind !== 'line' ||
			first > below ||
			index.kinship(first, last) < 3 ||
			index.linesBetween(end, below, 2) > 0
		) {
			break;
		}
		below = first;
		found = origin.side === found.side ? origin : found;
	}
	return found;
}

/** Maximum quotation below a top-posted answer to exactly that. */
const shortQuotation = 12;

/**
 * Place of text above all quotations: the quotation below, if it is the only one and has no other text; otherwise the
 * answered mail.
 */
export function placeOnTop(below: ReplyBlock | undefined, reply: MatchedReply): Placing {
	const known = (below?.quoted ?? []).flatMap((line) => reply.matches[line] ?? []);
	const origins = known.map((match) => reply.index.originOf(match.last)!);
	const quoted = new Set(origins.flatMap((origin) => (origin.kind === 'comment' ? [origin.comment] : [])));
	const own = reply.answered.filter((comment) => quoted.has(comment));
	const meant = own.length > 0 ? own : reply.answered;
	const [only] = meant;
	if (only !== undefined && meant.length === 1) {
		return { place: only.place, answers: only };
	}
	const last = known.at(-1);
	const isShort =
		last !== undefined &&
		known.length <= shortQuotation &&
		origins.every(({ kind }) => kind === 'line') &&
		known.every((match) => reply.index.kinship(match.last, last.last) === 3);
	return reply.answered.length === 0 && below !== undefined && isShort ? placeBelow(below.quoted, reply) : reply.whole;
}
