import type { MailBlock, QuotedRun } from '../../../pages/protocol/mailView.ts';
import { linkedText, type LinkedTextPlace } from '../../../engine/text/linkedText.ts';
import { visibleLine } from '../../../engine/text/visible.ts';

/** Deeper quotes look the same. */
const deepest = 12;
const longestHint = 100;
/** A longer block is no signature. */
const longestSignature = 15;
/** A text with more changes of quote level is shown unfolded from there. */
const mostBlocks = 2000;

const quoteMarks = /^(?:> ?)+/;

interface Line {
	readonly depth: number;
	readonly text: string;
}

/** Splits prose of a mail (LF line ends) into own text, quotes and signature. Drops blank lines around blocks. */
export function proseBlocks(text: string, place: LinkedTextPlace): readonly MailBlock[] {
	const { body, signature } = withoutSignature(withWholeMark(text));
	const blocks: MailBlock[] = [];
	for (const stretch of stretchesOf(body.split('\n'))) {
		const block = stretch[0]?.depth === 0 ? textBlock(stretch, place) : quoteBlock(stretch, place);
		if (block) {
			blocks.push(block);
		}
	}
	const pieces = linkedText(signature.trim(), place);
	return pieces.length === 0 ? blocks : [...blocks, { kind: 'signature', pieces }];
}

/** Git's signature after a program trimmed its mark. */
const cutVersion = /(?:^|\n)--\n\d{1,3}(?:\.[\w-]{1,20}){1,6}\s*$/;
const longestVersion = 200;

function withWholeMark(text: string): string {
	const start = Math.max(0, text.length - longestVersion);
	const found = cutVersion.exec(text.slice(start));
	const mark = found ? start + text.slice(start + found.index).indexOf('--') + found.index : -1;
	return mark === -1 ? text : `${text.slice(0, mark)}-- ${text.slice(mark + 2)}`;
}

function withoutSignature(text: string): { readonly body: string; readonly signature: string } {
	const at = text.startsWith('-- \n') ? 0 : text.lastIndexOf('\n-- \n') + 1;
	const begins = at > 0 || text.startsWith('-- \n');
	const signature = begins ? text.slice(at + 4) : '';
	return begins && signature.split('\n', longestSignature + 2).length <= longestSignature + 1
		? { body: text.slice(0, at), signature }
		: { body: text, signature: '' };
}

/** Separates quoted and own lines. Blank lines between two quotes belong to the quotes. */
function stretchesOf(lines: readonly string[]): readonly (readonly Line[])[] {
	const stretches: Line[][] = [];
	let blanks: Line[] = [];
	for (const written of lines) {
		const line = stretches.length < mostBlocks ? lineOf(written) : { depth: 0, text: written };
		const last = stretches.at(-1);
		if (line.depth === 0 && line.text.trim() === '' && last) {
			blanks.push(line);
			continue;
		}
		if (last && (last[0]?.depth === 0) === (line.depth === 0)) {
			last.push(...blanks, line);
		} else {
			stretches.push([line]);
		}
		blanks = [];
	}
	return stretches;
}

function lineOf(written: string): Line {
	const [marks = ''] = written.startsWith('>') ? (quoteMarks.exec(written) ?? []) : [];
	return { depth: Math.min(deepest, marks.split('>').length - 1), text: written.slice(marks.length) };
}

function textBlock(lines: readonly Line[], place: LinkedTextPlace): MailBlock | undefined {
	const pieces = linkedText(withoutBlankEnds(lines), place);
	return pieces.length === 0 ? undefined : { kind: 'text', pieces };
}

/** Keeps the indentation of the first line, which marks code. */
function withoutBlankEnds(lines: readonly Line[]): string {
	const text = lines.map((line) => line.text).join('\n');
	return text.trimEnd().replace(/^(?:[ \t]*\n)+/, '');
}

function quoteBlock(lines: readonly Line[], place: LinkedTextPlace): MailBlock {
	const runs: { depth: number; lines: string[] }[] = [];
	for (const { depth, text } of lines) {
		const last = runs.at(-1);
		if (last && (depth === 0 || last.depth === depth)) {
			last.lines.push(text);
		} else {
			runs.push({ depth, lines: [text] });
		}
	}
	const shown = runs.map(({ depth, lines: each }): QuotedRun => ({
		depth,
		pieces: linkedText(each.join('\n'), place),
	}));
	const said = lines.findLast(({ text }) => text.trim() !== '')?.text ?? '';
	const hint = Array.from(visibleLine(said.slice(0, 4 * longestHint)))
		.slice(0, longestHint)
		.join('');
	return { kind: 'quote', lines: lines.length, hint, runs: shown };
}
