/** True when two texts say the same: servers change the ends of lines, and what is blank before and after a text. */
export function isSameText(one: string, other: string): boolean {
	return tidied(one) === tidied(other);
}

/** True for a text or the beginning of it: after a crash the editor may restore a document as it was some keystrokes before. */
export function isEarlierText(text: string, final: string): boolean {
	return tidied(final).startsWith(tidied(text));
}

function tidied(text: string): string {
	return text.replaceAll(/\r\n?/g, '\n').trim();
}
