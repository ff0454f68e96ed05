import { escapeMarkdown } from './escapeMarkdown.ts';
import { visibleText } from './visible.ts';

/** Lines whose blanks count: indented ones, and those of a diff. */
const code = /^(?:\t| {4}|@@ |diff --git |[+-][^\s+-])/;

/**
 * Text of a stranger as Markdown that the editor renders as it was written: each line on its own, code in blocks,
 * nothing marked up, linked or loaded, and hidden characters written out (docs/security.md#markdown-of-the-editor).
 */
export function plainMarkdown(text: string): string {
	const blocks: string[] = [];
	let lines: string[] = [];
	let isCode = false;
	const close = (): void => {
		if (isCode && lines.length > 0) {
			// The fence is longer than any that the lines could end it with.
			const ticks = lines.flatMap((line) => line.match(/`+/g) ?? []);
			const fence = '`'.repeat(1 + ticks.reduce((most, { length }) => Math.max(most, length), 2));
			blocks.push([fence, ...lines, fence].join('\n'));
		} else if (lines.length > 0) {
			blocks.push(lines.map(escapedLine).join('  \n'));
		}
		lines = [];
	};
	for (const line of visibleText(text).split('\n')) {
		const isBlank = line.trim() === '';
		if (isBlank || code.test(line) !== isCode) {
			close();
			isCode = code.test(line);
		}
		lines.push(...(isBlank ? [] : [line]));
	}
	close();
	return blocks.join('\n\n');
}

/** The same as a quotation. */
export function quotedMarkdown(lines: readonly string[]): string {
	return lines.map((line) => `> ${escapedLine(visibleText(line).replaceAll('\n', ' '))}`).join('  \n');
}

/** A line of equals signs would make a heading of the one above it. */
function escapedLine(line: string): string {
	return escapeMarkdown(line.trim()).replace(/^=/, '\\=');
}
