/** JSON as the GraphQL services write it: letters as they are, what HTML could mistake as `\uXXXX`. */
export function goJson(value: unknown): string {
	return JSON.stringify(value).replaceAll(/[<>&\u2028\u2029]/g, (letter) => {
		return `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;
	});
}
