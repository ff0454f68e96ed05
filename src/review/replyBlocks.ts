import { withoutBlankEnds } from '../series/blankEnds.ts';
import type { QuoteMatch } from './matchQuotes.ts';
import type { ReplyLine } from './replyLines.ts';

/** Something that the writer of a reply wrote in one go, and what they quoted above it. */
export interface ReplyBlock {
	/** The lines of the reply that are quoted, those that are blank or left out among them. */
	readonly quoted: readonly number[];
	/** Without blank lines at the ends; empty for a quotation that nothing follows. */
	readonly prose: readonly string[];
	/** The line of the reply that the prose ends in; -1 where there is none. */
	readonly proseEnd: number;
}

/**
 * Cuts a reply into what was written and what was quoted above it. Lines that look written but are matched are quoted;
 * lines of an original without marks are written where the rest of it is known, or where nothing else is written.
 */
export function replyBlocks(
	lines: readonly ReplyLine[],
	matches: readonly (QuoteMatch | undefined)[],
): readonly ReplyBlock[] {
	const blocks = blocksOf(lines, matches, isOriginalKnown(lines, matches));
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
		const said = withoutBlankEnds(prose);
		if (said.length > 0) {
			blocks.push({ quoted, prose: said, proseEnd });
			quoted = [];
		}
		prose = [];
	};
	for (const [at, line] of lines.entries()) {
		switch (roleOf(line, matches[at] !== undefined, isKnown)) {
			case 'quoted':
				close();
				quoted.push(at);
				break;
			case 'written':
				prose.push(line.kind === 'own' || line.kind === 'unmarked' ? line.text : '');
				proseEnd = at;
				break;
			case 'between':
				if (prose.length === 0) {
					quoted.push(at);
				} else {
					prose.push('');
				}
				break;
			case 'aside':
				break;
		}
	}
	close();
	return quoted.length === 0 ? blocks : [...blocks, { quoted, prose: [], proseEnd: -1 }];
}

function roleOf(line: ReplyLine, isMatched: boolean, isKnown: boolean): 'quoted' | 'written' | 'between' | 'aside' {
	switch (line.kind) {
		case 'quoted':
			return 'quoted';
		case 'own':
			return isMatched ? 'quoted' : 'written';
		case 'unmarked':
			return isMatched || !isKnown ? 'quoted' : 'written';
		case 'blank':
		case 'elision':
			return 'between';
		case 'aside':
			return 'aside';
	}
}

/** An original of which hardly anything is known was written by others, all of it. */
function isOriginalKnown(lines: readonly ReplyLine[], matches: readonly (QuoteMatch | undefined)[]): boolean {
	let [known, unknown] = [0, 0];
	for (const [at, { kind }] of lines.entries()) {
		if (kind === 'unmarked' || kind === 'quoted') {
			known += matches[at] === undefined ? 0 : 1;
			unknown += matches[at] === undefined && kind === 'unmarked' ? 1 : 0;
		}
	}
	return known * 3 >= unknown;
}
