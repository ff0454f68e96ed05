/** JSON as Go writes it: plain Unicode, but `\uXXXX` for characters with a meaning in HTML. */
export function goJson(value: unknown): string {
	return JSON.stringify(value).replaceAll(/[<>&\u2028\u2029]/g, (letter) => {
		return `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;
	});
}
