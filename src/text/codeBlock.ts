import { visible } from './visible.ts';

/** Text as Markdown code that it cannot leave: in a fence longer than any run of backticks in it, hidden characters written out. */
export function codeBlock(text: string, language: 'text' | 'diff' = 'text'): string {
	const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length));
	const fence = '`'.repeat(longest + 1);
	return `${fence}${language}\n${visible(text)}\n${fence}`;
}
