/**
 * A word of one of the forge's vocabularies. Words that this version does not know are kept, marked with `other:`,
 * so that they can be shown as the server wrote them and never stand for something else.
 */
export type Word<Known extends string> = Known | `other:${string}`;

/** Reads a server's word against the vocabulary. */
export function wordOf<Known extends string>(known: readonly Known[], text: string): Word<Known> {
	return known.find((word) => word === text) ?? `other:${text}`;
}

/** The word as the server spells it. */
export function spelled(word: Word<string>): string {
	return word.startsWith('other:') ? word.slice('other:'.length) : word;
}
