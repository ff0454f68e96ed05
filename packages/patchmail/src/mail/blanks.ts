/** A text without the blanks of git at its end: spaces, tabs, CRs and line feeds. */
export function withoutLastBlanks(text: string): string {
	let end = text.length;
	while (end > 0 && ' \t\r\n'.includes(text.charAt(end - 1))) {
		end -= 1;
	}
	return text.slice(0, end);
}

/** Takes off the blanks that headers may have around their values; all others are part of the value. */
export function withoutBlanks(value: string): string {
	let start = 0;
	let end = value.length;
	while (start < end && isBlank(value.charCodeAt(start))) {
		start += 1;
	}
	while (end > start && isBlank(value.charCodeAt(end - 1))) {
		end -= 1;
	}
	return value.slice(start, end);
}

function isBlank(code: number): boolean {
	return code === 0x20 || code === 0x09;
}
