import { joinedFlow, joinedLineNumbers } from '../mail/mailContent.ts';
import type { SeriesMail } from '../series/seriesReading.ts';
import { trailerLines } from '../series/trailerLines.ts';
import { isCourtesy } from './attribution.ts';
import { placeBelow, placeOnTop, type MatchedReply, type Placing } from './commentPlaces.ts';
import { replyBlocks, type ReplyBlock } from './replyBlocks.ts';
import type { Names } from './replyLines.ts';
import type { ReviewComment } from './reviewComment.ts';

/** Comments of a mail with their places. Skips a sign-off below other comments. */
export function replyComments(mail: SeriesMail, reply: MatchedReply, names: Names): readonly ReviewComment[] {
	const signers = [...names, ...ownNames(mail)];
	const blocks = withoutSignOff(replyBlocks(reply.lines, reply.matches), signers);
	const written = blocks.filter(({ prose }) => prose.length > 0);
	const isFlowed = mail.reading.kind === 'read' && mail.reading.mail.isFlowed;
	const lineNumbers = mail.reading.kind === 'read' && isFlowed ? joinedLineNumbers(mail.reading.mail.body) : undefined;
	const comments: ReviewComment[] = [];
	for (const [at, block] of blocks.entries()) {
		if (block.prose.length > 0) {
			const isPolite = isCourtesy(block.prose, signers);
			const isOfWhole = isAboutAll(written, block, reply, signers);
			const placing = isOfWhole ? reply.whole : placingOf(at, blocks, reply);
			comments.push({
				mail,
				index: comments.length,
				prose: proseOf(block.prose, isFlowed),
				lastLine: lineNumbers?.[block.proseEnd] ?? block.proseEnd,
				quote: block.quoted.flatMap((line) => quotedText(reply, line)),
				// Thanks may answer a comment, but never a code line.
				...(isPolite && placing.answers === undefined ? reply.whole : placing),
				isCourtesy: isPolite,
			});
		}
	}
	return comments;
}

function placingOf(at: number, blocks: readonly ReplyBlock[], reply: MatchedReply): Placing {
	const quoted = blocks[at]?.quoted ?? [];
	if (quoted.some((line) => reply.lines[line]?.kind !== 'blank')) {
		return placeBelow(quoted, reply);
	}
	const next = blocks[at + 1];
	const isAllThatIsSaid = blocks.length === 1 || (blocks.length === 2 && next?.prose.length === 0);
	return isAllThatIsSaid ? placeOnTop(next, reply) : reply.whole;
}

/** Removes a trailing sign-off, unless it is the whole mail. */
function withoutSignOff(blocks: readonly ReplyBlock[], signers: Names): readonly ReplyBlock[] {
	const at = blocks.findLastIndex(({ prose }) => prose.length > 0);
	const isAlone = blocks.filter(({ prose }) => prose.length > 0).length < 2;
	return isAlone || !isCourtesy(blocks[at]?.prose ?? [], signers)
		? blocks
		: blocks.map((block, place) => (place === at ? { ...block, prose: [] } : block));
}

/** Names that the writer may sign with, in lower case. */
function ownNames({ reading }: SeriesMail): Names {
	const names = reading.kind === 'read' ? reading.mail.from.slice(0, 2).map(({ name }) => name.toLowerCase()) : [];
	return names.flatMap((name) => {
		const words = name.split(/[\s.,"']+/).filter((word) => word !== '');
		const initials = words.map((word) => word.slice(0, 1));
		return words.length === 0 ? [] : [words.join(' '), ...words, initials.join(''), initials[0] ?? ''];
	});
}

/** True for trailers at the end, or when the whole text follows a complete quoted patch. */
function isAboutAll(written: readonly ReplyBlock[], block: ReplyBlock, reply: MatchedReply, signers: Names): boolean {
	const isTrailers = block === written.at(-1) && isTrailersOnly(block.prose, signers);
	return isTrailers || (written.length === 1 && isWholePatch(block, reply));
}

/** True when the quotation spans a whole patch, from its message to the end of its diff. */
function isWholePatch({ quoted }: ReplyBlock, { lines, matches, index }: MatchedReply): boolean {
	const known = quoted.flatMap((line) => matches[line] ?? []);
	const last = known.at(-1)?.last;
	return (
		last !== undefined &&
		index.originOf(last)?.kind === 'line' &&
		index.isEndOfDiff(last) &&
		known.some(({ first }) => index.originOf(first)?.kind === 'message') &&
		!quoted.some((line) => lines[line]?.kind === 'elision')
	);
}

/** Trailers such as `Reviewed-by:` apply to the whole patch, even above a sign-off. */
function isTrailersOnly(prose: readonly string[], signers: Names): boolean {
	const lines = prose.filter((line) => line.trim() !== '' && !isCourtesy([line], signers));
	return lines.length > 0 && trailerLines(lines).length === lines.length;
}

/** In flowed text, a line with a trailing space continues in the next one. */
function proseOf(lines: readonly string[], isFlowed: boolean): string {
	const text = lines.join('\n');
	return isFlowed ? joinedFlow(text, false) : text;
}

function quotedText({ lines }: MatchedReply, at: number): readonly string[] {
	const line = lines[at];
	switch (line?.kind) {
		case 'quoted':
			return [line.behind[0] ?? ''];
		case 'own':
		case 'unmarked':
			return [line.text];
		case 'elision':
			return ['[...]'];
		case undefined:
		case 'blank':
		case 'aside':
			return [];
	}
}
