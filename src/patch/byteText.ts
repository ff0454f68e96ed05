/** Bytes as text, one character for each. Diffs are compared in this form, as git compares bytes whatever the charset. */
export function byteText(content: Uint8Array): string {
	return Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString('latin1');
}

/** A content as the text that hunks are compared with, and the way back. */
export interface ContentText {
	readonly text: string;
	/** `undefined` where a character is no byte. */
	readonly bytesOf: (text: string) => Uint8Array | undefined;
}

function bytesOfText(text: string): Uint8Array | undefined {
	// oxlint-disable-next-line no-control-regex -- every character of one byte
	return /^[\0-\u00FF]*$/.test(text) ? Buffer.from(text, 'latin1') : undefined;
}

/**
 * The texts that hunks may fit, and the bytes of their results. Where every line ends with CR LF, and of no content at all, a
 * mail program may have taken the CRs out of the hunks. Git does not apply such hunks, but the ids prove the whole file.
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
