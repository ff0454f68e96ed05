/** Ignores line endings and surrounding white space, which servers change. */
export function isSameText(one: string, other: string): boolean {
	return tidied(one) === tidied(other);
}

/** True for a prefix of the final text: after a crash, the editor may restore a document some keystrokes older. */
export function isEarlierText(text: string, final: string): boolean {
	return tidied(final).startsWith(tidied(text));
}

function tidied(text: string): string {
	return text.replaceAll(/\r\n?/g, '\n').trim();
}
