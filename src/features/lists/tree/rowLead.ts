import { visibleLine } from '../../../engine/text/visible.ts';

/** Letters of an author. The full name is in the tooltip. */
const longestAuthor = 10;
/** Words of an author, where others have the same first ones. */
const mostWords = 3;

/** Signs between these would read like further facts, so a name ends there. */
const word = /[\p{L}\p{N}][\p{L}\p{M}\p{N}'’.-]*/u;

/** Facts that a row shows before its title, since a narrow view cuts the end. */
export interface RowLead {
	readonly version: number;
	readonly age: string;
	/** Visible name; empty for an unknown sender. */
	readonly author: string;
	/** Words of the name that tell the author from the others. */
	readonly nameWords: number;
	/** Zero also if unknown. */
	readonly replies: number;
	readonly check: 'passed' | 'failed' | undefined;
}

/**
 * `v2 3d Bob (4) ✗ · title`. A first version has no number. Isolates keep an author's letters from moving the numbers
 * beside them.
 */
export function ledTitle({ version, age, author, nameWords, replies, check }: RowLead, title: string): string {
	const name = shortAuthor(author, nameWords);
	const facts = [
		...(version > 1 ? [`v${version}`] : []),
		age,
		...(name === '' ? [] : [/^[\p{ASCII}\p{Script=Latin}’…]*$/u.test(name) ? name : `\u2068${name}\u2069`]),
		...(replies > 0 ? [`(${replies})`] : []),
		...(check === undefined ? [] : [check === 'passed' ? '✓' : '✗']),
	];
	return `${facts.join(' ')} · ${title}`;
}

/** The number of words that each name needs to differ from the others, as far as more words help. */
export function wordsToDiffer(names: Iterable<string>): ReadonlyMap<string, number> {
	const needed = new Map<string, number>(Array.from(names, (name) => [name, 1]));
	for (let words = 1; words < mostWords; words += 1) {
		const alike = Map.groupBy(needed.keys(), (name) => shortAuthor(name, words).toLowerCase());
		const isDistinct = (name: string): boolean => alike.get(shortAuthor(name, words).toLowerCase())?.length === 1;
		[...needed].forEach(([name, now]) => now === words && !isDistinct(name) && needed.set(name, words + 1));
	}
	return needed;
}

function shortAuthor(author: string, words: number): string {
	const line = visibleLine(author);
	const first = word.exec(line);
	let end = (first?.index ?? 0) + (first?.[0].length ?? 0);
	for (let count = 1; count < words; count += 1) {
		const [, next = ''] = / (\S+)/y.exec(line.slice(end)) ?? [];
		end += word.exec(next)?.[0] === next ? next.length + 1 : 0;
	}
	const letters = Array.from(line.slice(first?.index ?? end, end));
	const most = longestAuthor * words;
	return letters.length > most ? `${letters.slice(0, most - 1).join('')}…` : letters.join('');
}
