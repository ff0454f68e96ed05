import { maxOf } from '@forge-desk/base/longArrays.ts';
import { visibleText } from './visible.ts';

/** Blanks or empty lines that push the rest of a text out of sight. */
const flood = /[^\S\n]{80,}|\n(?:[^\S\n]*\n){11,}/g;

/**
 * A diff as Markdown code. The fence is longer than any run of backticks, so the text cannot end it. Shows hidden characters, and
 * replaces floods of blanks by their count.
 */
export function codeBlock(text: string): string {
	const longest = maxOf([2, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length)]);
	const fence = '`'.repeat(longest + 1);
	const shown = visibleText(text.replaceAll('\r\n', '\n')).replaceAll(flood, (blanks) =>
		blanks.startsWith('\n')
			? `\n⟨U+000A × ${blanks.split('\n').length - 1}⟩\n`
			: `⟨U+${blanks.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')} × ${blanks.length}⟩`,
	);
	return `${fence}diff\n${shown}\n${fence}`;
}
