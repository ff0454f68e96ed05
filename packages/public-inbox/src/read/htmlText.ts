const names: ReadonlyMap<string, string> = new Map([
	['amp', '&'],
	['lt', '<'],
	['gt', '>'],
	['quot', '"'],
	['apos', "'"],
	['nbsp', ' '],
]);

/** The text of HTML or XML without tags: character references become their characters, once. */
export function textOfHtml(html: string): string {
	return html.replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,6}));/gi, (whole, decimal, hex, name) => {
		if (typeof name === 'string') {
			return names.get(name.toLowerCase()) ?? whole;
		}
		const code = typeof decimal === 'string' ? Number(decimal) : Number.parseInt(String(hex), 16);
		return code > 0 && code <= 0x10_ff_ff && (code < 0xd8_00 || code > 0xdf_ff) ? String.fromCodePoint(code) : '\uFFFD';
	});
}

/** Archives answer in ASCII with references, or in UTF-8. Damaged bytes become replacement characters. */
export function decodedText(bytes: Uint8Array): string {
	return new TextDecoder('utf-8').decode(bytes);
}
