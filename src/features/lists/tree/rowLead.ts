import { visibleLine } from '../../../engine/text/visible.ts';

/** Fewer titles prove no custom. */
const fewestTitles = 4;
/** Share of titles with a usual start. */
const shareOfUsual = 0.6;
/** Bracketed words, and a name before a colon. */
const starts = [/^\[[^\]]{1,60}\][ \t]+/, /^[^\s:[\]]{1,40}:[ \t]+/] as const;
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

/**
 * The start that most titles share, in lower case: `[patch proj] `, `proj: `, or both. Empty without a custom. A row
 * leaves it out, so its place goes to words that differ.
 */
export function usualStart(titles: readonly string[]): string {
	let usual = '';
	for (const start of starts) {
		const rests = titles.flatMap((title) => {
			const lower = title.toLowerCase();
			return lower.startsWith(usual) ? [lower.slice(usual.length)] : [];
		});
		const counts = new Map<string, number>();
		for (const rest of rests) {
			const found = start.exec(rest)?.[0] ?? '';
			counts.set(found, (counts.get(found) ?? 0) + 1);
		}
		// With a share above one half, the result is unique.
		usual += [...counts].find(([, count]) => count >= titles.length * shareOfUsual)?.[0] ?? '';
	}
	return titles.length >= fewestTitles ? usual : '';
}

/** Keeps a title that is nothing else. */
export function withoutStart(title: string, usual: string): string {
	const rest = title.toLowerCase().startsWith(usual) ? title.slice(usual.length).trimStart() : title;
	return rest === '' ? title : rest;
}
