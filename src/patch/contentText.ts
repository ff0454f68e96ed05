import { Buffer } from 'node:buffer';

/** A content as the text that hunks are compared with, and the way back. */
export interface ContentText {
	readonly text: string;
	/** `undefined` for a text that cannot be written this way. */
	readonly bytesOf: (text: string) => Uint8Array | undefined;
}

/**
 * The ways in which a content may be read, the likeliest first. Mails tell hunks in characters: what is no UTF-8 was sent in
 * a charset of one byte each. Where every line ends with CR and LF, a mail program may have taken the CRs out of the hunks.
 * Of no content at all nothing can be told, so that all ways are open.
 */
export function* contentTexts(content: Uint8Array): Generator<ContentText, undefined> {
	if (content.length === 0) {
		const plain = [utf8(content), latin1(content)].filter((each) => each !== undefined);
		yield* [...plain, ...plain.map((each) => carried(each, ''))];
		return;
	}
	const plain = utf8(content) ?? latin1(content);
	yield plain;
	const withoutCr = plain.text.replaceAll('\r\n', '\n');
	if (withoutCr.length < plain.text.length && everyLineHasCr(plain.text, withoutCr)) {
		yield carried(plain, withoutCr);
	}
}

/** Two contents of one file as texts, both read in the same charset. */
export function textsOfPair(before: Uint8Array, after: Uint8Array): readonly [string, string] {
	const [old, fresh] = [utf8(before), utf8(after)];
	return old && fresh ? [old.text, fresh.text] : [latin1(before).text, latin1(after).text];
}

/** Its line ends are LF as long as it is a text. */
function carried({ bytesOf }: ContentText, text: string): ContentText {
	return { text, bytesOf: (written) => bytesOf(written.replaceAll('\n', '\r\n')) };
}

function utf8(content: Uint8Array): ContentText | undefined {
	try {
		const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content);
		return { text, bytesOf: (written) => (written.isWellFormed() ? new TextEncoder().encode(written) : undefined) };
	} catch {
		return undefined;
	}
}

function latin1(content: Uint8Array): ContentText {
	return {
		text: Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString('latin1'),
		// oxlint-disable-next-line no-control-regex -- every character of one byte
		bytesOf: (written) => (/^[\0-\u00FF]*$/.test(written) ? Buffer.from(written, 'latin1') : undefined),
	};
}

/** A line end took one character each, and none is left that had none to lose. */
function everyLineHasCr(text: string, withoutCr: string): boolean {
	let lines = 0;
	for (let at = withoutCr.indexOf('\n'); at !== -1; at = withoutCr.indexOf('\n', at + 1)) {
		lines += 1;
	}
	return text.length - withoutCr.length === lines;
}
