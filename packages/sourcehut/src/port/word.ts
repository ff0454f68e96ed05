/**
 * A word of a forge vocabulary. Unknown words get the prefix `other:`, so the UI shows the server's spelling and code
 * never confuses them with known words.
 */
export type Word<Known extends string> = Known | `other:${string}`;

export function wordOf<Known extends string>(known: readonly Known[], text: string): Word<Known> {
	const words: readonly string[] = known;
	return known[words.indexOf(text)] ?? `other:${text}`;
}

/** The word in the server's spelling. */
export function spelled(word: Word<string>): string {
	return word.startsWith('other:') ? word.slice('other:'.length) : word;
}
