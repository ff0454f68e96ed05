import type { Token } from 'markdown-it';

/** Longer names lead nowhere that anybody would write down. */
const longestAnchor = 200;

/**
 * Names of headings as forges make them of their words: lower case, hyphens for blanks, without any other sign, and
 * numbered where one comes again, until no other heading before it has the name. To be made for each document; asked for every heading in its order.
 */
export function headingAnchors(): (heading: readonly Token[]) => string {
	/** The names there are, with the last number that was given for each. */
	const seen = new Map<string, number>();
	return (heading) => {
		const words = heading.map(({ type, content }) => (type === 'text' || type === 'code_inline' ? content : ''));
		const plain = words
			.join('')
			.trim()
			.slice(0, longestAnchor)
			.toLowerCase()
			.replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
			.replaceAll(/\s/g, '-');
		let number = seen.get(plain) ?? 0;
		let anchor = plain;
		while (seen.has(anchor)) {
			number += 1;
			anchor = `${plain}-${number}`;
		}
		seen.set(plain, number);
		seen.set(anchor, seen.get(anchor) ?? 0);
		return anchor;
	};
}
