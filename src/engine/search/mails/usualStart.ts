/** Fewer titles prove no custom. */
const fewest = 4;
/** Required share. */
const mostOf = 0.6;
/** Bracketed words, and a name before a colon. */
const starts = [/^\[[^\]]{1,60}\][ \t]+/, /^[^\s:[\]]{1,40}:[ \t]+/] as const;

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
		usual += [...counts].find(([, count]) => count >= titles.length * mostOf)?.[0] ?? '';
	}
	return titles.length >= fewest ? usual : '';
}

/** Keeps a title that is nothing else. */
export function withoutStart(title: string, usual: string): string {
	const rest = title.toLowerCase().startsWith(usual) ? title.slice(usual.length).trimStart() : title;
	return rest === '' ? title : rest;
}
