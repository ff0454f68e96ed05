import { withoutBlankEnds } from '../series/blankEnds.ts';
import { isElision } from './attribution.ts';
import type { QuoteMatch } from './matchQuotes.ts';
import type { ReplyLine } from './replyLines.ts';

/** A piece of the writer's text with the quotation above. */
export interface ReplyBlock {
	/** Reply lines of the quotation, including blank lines and omissions. */
	readonly quoted: readonly number[];
	/** Without blank lines at both ends; empty for a trailing quotation. */
	readonly prose: readonly string[];
	/** Last reply line of the prose; -1 for none. */
	readonly proseEnd: number;
}

/**
 * Splits a reply into pairs of quotation and text. A matched line is always quoted. Unmarked lines of an original are
 * text if the rest of it is known, or if there is no other text.
 */
export function replyBlocks(
	lines: readonly ReplyLine[],
	matches: readonly (QuoteMatch | undefined)[],
): readonly ReplyBlock[] {
	// An original with few known lines was written entirely by others.
	let [known, unknown] = [0, 0];
	for (const [at, { kind }] of lines.entries()) {
		if (kind === 'unmarked' || kind === 'quoted') {
			known += matches[at] === undefined ? 0 : 1;
			unknown += matches[at] === undefined && kind === 'unmarked' ? 1 : 0;
		}
	}
	const blocks = blocksOf(lines, matches, known * 3 >= unknown);
	return blocks.some(({ prose }) => prose.length > 0) ? blocks : blocksOf(lines, matches, true);
}

function blocksOf(
	lines: readonly ReplyLine[],
	matches: readonly (QuoteMatch | undefined)[],
	isKnown: boolean,
): readonly ReplyBlock[] {
	const blocks: ReplyBlock[] = [];
	let quoted: number[] = [];
	let prose: string[] = [];
	let proseEnd = -1;
	const close = (): void => {
		const text = withoutBlankEnds(prose);
		// Removes omissions below the text, apart from those directly below its lines.
		let end = text.length;
		while (end > 1 && isElision(text[end - 1]!) && text[end - 2]!.trim() === '') {
			end = text.findLastIndex((line, at) => at < end - 1 && line.trim() !== '') + 1;
		}
		const said = text.slice(0, end);
		if (said.length > 0) {
			blocks.push({ quoted, prose: said, proseEnd });
			quoted = [];
		}
		prose = [];
	};
	for (const [at, line] of lines.entries()) {
		switch (line.kind) {
			case 'quoted':
			case 'own':
			case 'unmarked':
				if (line.kind === 'quoted' || matches[at] !== undefined || (line.kind === 'unmarked' && !isKnown)) {
					close();
					quoted.push(at);
				} else {
					prose.push(line.text);
					proseEnd = at;
				}
				break;
			case 'blank':
			case 'elision':
				if (prose.length === 0) {
					quoted.push(at);
				} else {
					// An omission between lines of the writer, as in code, is part of the text.
					prose.push(line.kind === 'elision' ? line.text : '');
				}
				break;
			case 'aside':
				break;
		}
	}
	close();
	return quoted.length === 0 ? blocks : [...blocks, { quoted, prose: [], proseEnd: -1 }];
}
