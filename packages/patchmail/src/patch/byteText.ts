/** Bytes as text, one character each. Hunks match in this form, since git compares bytes in any charset. */
export function byteText(content: Uint8Array): string {
	return Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString('latin1');
}

/** A content as text for matching hunks, and the conversion back. */
export interface ContentText {
	readonly text: string;
	/** `undefined` if a character is no byte. */
	readonly bytesOf: (text: string) => Uint8Array | undefined;
}

function bytesOfText(text: string): Uint8Array | undefined {
	// oxlint-disable-next-line no-control-regex -- every character of one byte
	return /^[\0-\u00FF]*$/.test(text) ? Buffer.from(text, 'latin1') : undefined;
}

/**
 * Texts that hunks may fit, and the bytes of their results. If every line ends with CR LF, or the content is empty, a
 * mail program may have removed the CRs from the hunks. Git does not apply such hunks, but the ids prove the whole
 * file.
 */
export function* contentTexts(content: Uint8Array): Generator<ContentText, undefined> {
	const text = byteText(content);
	yield { text, bytesOf: bytesOfText };
	if (!/(?:^|[^\r])\n|[^\n]$/.test(text)) {
		yield {
			text: text.replaceAll('\r\n', '\n'),
			bytesOf: (written) => bytesOfText(written.replaceAll('\n', '\r\n')),
		};
	}
}
