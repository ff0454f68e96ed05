import { visibleLine } from '../../../engine/text/visible.ts';

/** Letters of an author. The full name is in the tooltip. */
const longestAuthor = 10;

/** Signs between these would read like further facts, so a name ends there. */
const word = /[\p{L}\p{N}][\p{L}\p{M}\p{N}'’.-]*/u;

/** Facts that a row shows before its title, since a narrow view cuts the end. */
export interface RowLead {
	readonly version: number;
	readonly age: string;
	/** Visible name; empty for an unknown sender. */
	readonly author: string;
	/** Zero also if unknown. */
	readonly replies: number;
	readonly check: 'passed' | 'failed' | undefined;
}

/**
 * `v2 3d Bob (4) ✗ · title`. A first version has no number. Isolates keep an author's letters from moving the numbers
 * beside them.
 */
export function ledTitle({ version, age, author, replies, check }: RowLead, title: string): string {
	const name = shortAuthor(author);
	const facts = [
		...(version > 1 ? [`v${version}`] : []),
		age,
		...(name === '' ? [] : [/^[\p{ASCII}\p{Script=Latin}’…]*$/u.test(name) ? name : `\u2068${name}\u2069`]),
		...(replies > 0 ? [`(${replies})`] : []),
		...(check === undefined ? [] : [check === 'passed' ? '✓' : '✗']),
	];
	return `${facts.join(' ')} · ${title}`;
}

function shortAuthor(author: string): string {
	const letters = Array.from(word.exec(visibleLine(author))?.[0] ?? '');
	return letters.length > longestAuthor ? `${letters.slice(0, longestAuthor - 1).join('')}…` : letters.join('');
}
