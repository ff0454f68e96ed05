/** Offset of the line feed at the end of the line at `at`, or the length of the text. */
export function lineEnd(text: string, at: number): number {
	const end = text.indexOf('\n', at);
	return end === -1 ? text.length : end;
}

export function nextLine(text: string, at: number): number {
	const end = text.indexOf('\n', at);
	return end === -1 ? text.length : end + 1;
}

/** The line at `at`, without its LF or CRLF. */
export function lineAt(text: string, at: number): string {
	const end = lineEnd(text, at);
	return text.slice(at, end > at && text.charCodeAt(end - 1) === 0x0d ? end - 1 : end);
}
