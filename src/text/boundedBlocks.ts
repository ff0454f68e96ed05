import type { MarkdownIt, StateBlock } from 'markdown-it';

/** Thrown while a text is read that nests its quotes and lists deeper than anybody can follow. */
export class NestedTooDeep extends RangeError {
	override readonly name = 'NestedTooDeep';
}

/** How deep quotes and lists may stand in each other; a list counts twice. Each level is looked at again for each line. */
const deepest = 24;

/**
 * Keeps what a text costs in proportion to its length. Quotes and lists in too many levels throw `NestedTooDeep`, and
 * all tables together have no more cells than the text has characters, which no table exceeds whose cells are written.
 */
export function boundBlocks(md: MarkdownIt): void {
	boundNesting(md);
	boundTables(md);
}

function boundNesting({ block }: MarkdownIt): void {
	const tokenize = block.tokenize.bind(block);
	block.tokenize = (state, startLine, endLine) => {
		if (state.level > deepest) {
			throw new NestedTooDeep();
		}
		tokenize(state, startLine, endLine);
	};
}

/** Rows may be shorter than their table is wide, and are filled up: a few characters could make thousands of cells. */
function boundTables(md: MarkdownIt): void {
	const [table] = md.block.ruler.getRules('').filter(({ name }) => name.startsWith('table'));
	if (!table) {
		return;
	}
	let left = 0;
	md.core.ruler.before('block', 'cells_left', ({ src }) => {
		left = src.length;
	});
	const bounded: typeof table = (state, startLine, endLine, silent) => {
		if (silent || !table(state, startLine, endLine, true)) {
			return silent && table(state, startLine, endLine, true);
		}
		const width = columns(state, startLine + 1);
		const rows = Math.max(0, Math.floor(left / width));
		// As with the parser's own limit, what is left of a table is a paragraph below it.
		table(state, startLine, Math.min(endLine, startLine + 2 + rows), false);
		left -= width * (state.line - startLine - 2);
		return true;
	};
	md.block.ruler.at('table', bounded, { alt: ['paragraph', 'reference'] });
}

/** At least as many as the line between a table's head and its rows tells of. */
function columns(state: StateBlock, line: number): number {
	const start = (state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0);
	return state.src.slice(start, state.eMarks[line]).split('|').length;
}
