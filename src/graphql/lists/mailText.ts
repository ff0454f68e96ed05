const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Text of the bytes of mails: UTF-8, and U+DC80 to U+DCFF for bytes that are none (docs/protocol.md#envelopes). */
export function mailText(bytes: Uint8Array): string {
	try {
		return utf8.decode(bytes);
	} catch {
		return textOfSome(bytes);
	}
}

/**
 * Each character that is UTF-8, and the bytes between these. Byte by byte without a call for each: a mail of another charset
 * is millions of them, and stands in a mailbox with others (docs/security.md#slow-parsers).
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

/** How many bytes the character has that begins here; 0 where none does. */
function sequenceLength(bytes: Uint8Array, at: number): number {
	const lead = bytes[at] ?? 0;
	const length = lengthBy(lead);
	if (length > 1 && !isSecond(lead, bytes[at + 1] ?? 0)) {
		return 0;
	}
	for (let next = at + 2; next < at + length; next += 1) {
		if (!isFollowing(bytes[next] ?? 0)) {
			return 0;
		}
	}
	return length;
}

/** As the first byte says; 0 where it begins none. */
function lengthBy(lead: number): number {
	if (lead < 0x80) {
		return 1;
	}
	if (lead < 0xc2 || lead > 0xf4) {
		return 0;
	}
	return lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}

/** Neither longer than it has to be, nor half a character, nor beyond the last one. */
function isSecond(lead: number, byte: number): boolean {
	const least = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
	const most = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
	return byte >= least && byte <= most;
}

function isFollowing(byte: number): boolean {
	return byte >= 0x80 && byte <= 0xbf;
}

function codeOf(bytes: Uint8Array, at: number, length: number): number {
	const lead = bytes[at] ?? 0;
	let code = length === 1 ? lead : lead & (0x7f >> length);
	for (let next = at + 1; next < at + length; next += 1) {
		code = (code << 6) | ((bytes[next] ?? 0) & 0x3f);
	}
	return code;
}
