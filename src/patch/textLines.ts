/** Where the line that begins at `at` ends: the offset of its line feed, or the length of the text. */
export function lineEnd(text: string, at: number): number {
	const end = text.indexOf('\n', at);
	return end === -1 ? text.length : end;
}

/** Where the line behind the one that begins at `at` begins. */
export function nextLine(text: string, at: number): number {
	const end = text.indexOf('\n', at);
	return end === -1 ? text.length : end + 1;
}

/** The line that begins at `at`, without its line end, be that LF or CRLF. */
export function lineAt(text: string, at: number): string {
	const end = lineEnd(text, at);
	return text.slice(at, end > at && text.charCodeAt(end - 1) === 0x0d ? end - 1 : end);
}
