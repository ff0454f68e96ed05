import { joinedFlow, joinedLineNumbers } from '../mail/mailContent.ts';
import type { SeriesMail } from '../series/seriesReading.ts';
import { trailerLines } from '../series/trailerLines.ts';
import { isCourtesy } from './attribution.ts';
import { placeBelow, placeOnTop, type MatchedReply, type Placing } from './commentPlaces.ts';
import { replyBlocks, type ReplyBlock } from './replyBlocks.ts';
import type { Names } from './replyLines.ts';
import type { ReviewComment } from './reviewComment.ts';

/** What a mail says, comment by comment, each with where it stands. */
export function replyComments(mail: SeriesMail, reply: MatchedReply, names: Names): readonly ReviewComment[] {
	const blocks = replyBlocks(reply.lines, reply.matches);
	const lastWritten = blocks.findLastIndex(({ prose }) => prose.length > 0);
	const isFlowed = mail.reading.kind === 'read' && mail.reading.mail.isFlowed;
	const lineNumbers = mail.reading.kind === 'read' && isFlowed ? joinedLineNumbers(mail.reading.mail.body) : undefined;
	const comments: ReviewComment[] = [];
	for (const [at, block] of blocks.entries()) {
		if (block.prose.length > 0) {
			const isTrailers = at === lastWritten && isTrailersOnly(block.prose);
			comments.push({
				mail,
				index: comments.length,
				prose: proseOf(block.prose, isFlowed),
				lastLine: lineNumbers?.[block.proseEnd] ?? block.proseEnd,
				quote: block.quoted.flatMap((line) => quotedText(reply, line)),
				...(isTrailers ? reply.whole : placingOf(at, blocks, reply)),
				isCourtesy: isCourtesy(block.prose, names),
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

/** Lines such as `Reviewed-by:` are about all of a patch. */
function isTrailersOnly(prose: readonly string[]): boolean {
	const lines = prose.filter((line) => line.trim() !== '');
	return lines.length > 0 && trailerLines(lines).length === lines.length;
}

/** Lines of flowed text that end in a blank go on in the next one. */
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
