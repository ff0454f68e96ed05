const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Decodes mail bytes as UTF-8, and maps each invalid byte to U+DC80 to U+DCFF (docs/protocol.md#envelopes). */
export function mailText(bytes: Uint8Array): string {
	try {
		return utf8.decode(bytes);
	} catch {
		return textOfSome(bytes);
	}
}

/**
 * Decodes valid characters and maps the bytes between them. Works without a call per byte, because a mail in another
 * charset can have millions of invalid bytes, and a mailbox mixes charsets (docs/security.md#slow-parsers).
 */
function textOfSome(bytes: Uint8Array): string {
	const units = new Uint16Array(bytes.length);
	let count = 0;
	for (let at = 0; at < bytes.length;) {
		const length = sequenceLength(bytes, at);
		const code = length === 0 ? 0xdc00 + (bytes[at] ?? 0) : codeOf(bytes, at, length);
		if (code > 0xffff) {
			units[count] = 0xd7c0 + (code >> 10);
			count += 1;
		}
		units[count] = code > 0xffff ? 0xdc00 + (code & 0x3ff) : code;
		count += 1;
		at += Math.max(1, length);
	}
	return Buffer.from(units.buffer, 0, 2 * count).toString('utf16le');
}

/** Length in bytes of the character at this index; 0 if none starts here. */
function sequenceLength(bytes: Uint8Array, at: number): number {
	const lead = bytes[at] ?? 0;
	if (lead < 0x80) {
		return 1;
	}
	if (lead < 0xc2 || lead > 0xf4) {
		return 0;
	}
	const length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
	if (!isSecond(lead, bytes[at + 1] ?? 0)) {
		return 0;
	}
	for (let next = at + 2; next < at + length; next += 1) {
		const following = bytes[next] ?? 0;
		if (following < 0x80 || following > 0xbf) {
			return 0;
		}
	}
	return length;
}

/** Rejects overlong forms, surrogates and code points above U+10FFFF. */
function isSecond(lead: number, byte: number): boolean {
	const least = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
	const most = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
	return byte >= least && byte <= most;
}

function codeOf(bytes: Uint8Array, at: number, length: number): number {
	const lead = bytes[at] ?? 0;
	let code = length === 1 ? lead : lead & (0x7f >> length);
	for (let next = at + 1; next < at + length; next += 1) {
		code = (code << 6) | ((bytes[next] ?? 0) & 0x3f);
	}
	return code;
}
