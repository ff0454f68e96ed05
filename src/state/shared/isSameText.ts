/** True when two texts say the same: servers change the ends of lines, and what is blank before and after a text. */
export function isSameText(one: string, other: string): boolean {
	return tidied(one) === tidied(other);
}

function tidied(text: string): string {
	return text.replaceAll(/\r\n?/g, '\n').trim();
}
