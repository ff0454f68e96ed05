const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Text of the bytes of mails: UTF-8, and U+DC80 to U+DCFF for bytes that are none (docs/protocol.md#envelopes). */
export function mailText(bytes: Uint8Array): string {
	try {
		return utf8.decode(bytes);
	} catch {
		return textInPieces(bytes);
	}
}

/** Each longest piece that is UTF-8, and the bytes between these. */
function textInPieces(bytes: Uint8Array): string {
	const pieces: string[] = [];
	let from = 0;
	for (let at = 0; at < bytes.length;) {
		const length = sequenceLength(bytes, at);
		if (length > 0) {
			at += length;
			continue;
		}
		pieces.push(utf8.decode(bytes.subarray(from, at)), String.fromCharCode(0xdc00 + (bytes[at] ?? 0)));
		at += 1;
		from = at;
	}
	return [...pieces, utf8.decode(bytes.subarray(from))].join('');
}

/** How many bytes the character has that begins here; 0 where none does. */
function sequenceLength(bytes: Uint8Array, at: number): number {
	const lead = bytes[at] ?? 0;
	const length = lead < 0x80 ? 1 : lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
	try {
		utf8.decode(bytes.subarray(at, at + length));
		return length;
	} catch {
		return 0;
	}
}
