import { charsetOf, charsetOfLines, decodeBytes, isWide, type Charset } from './charsets.ts';
import { disguise, needsDisguise } from './disguise.ts';
import { messageOf } from './envelope.ts';
import { mailContent, withLastLineEnd } from './mailContent.ts';
import { mailHead } from './mailHead.ts';
import { plainContent, plainHead, plainHeaders, type PlainContent } from './plainHead.ts';
import type { ReadableMail } from './readableMail.ts';
import { fromBase64, fromQuotedPrintable } from './transferEncodings.ts';

/** What takes more time than its length is read elsewhere when it is longer. */
const longestCostly = 16_384;
const escapes = ['\u000E', '\u000F', '\u001B'] as const;

/**
 * Reads the mails that lists are made of, in time that grows with their length alone: plain text, whatever its charset
 * and encoding, under headers that every program reads alike. `undefined` for all others. What it reads, `readMail`
 * reads in the same way.
 */
export function readPlainMail(envelope: string): ReadableMail | undefined {
	const message = messageOf(envelope);
	const blankLine = message.indexOf('\n\n');
	const headers = plainHeaders(blankLine === -1 ? withoutLastLineEnd(message) : message.slice(0, blankLine));
	const content = headers && plainContent(headers);
	const head = content && plainHead(headers);
	if (!head) {
		return undefined;
	}
	const encoded = blankLine === -1 ? '' : message.slice(blankLine + 2);
	const decoded = decodeText(encoded, content);
	return decoded === undefined
		? undefined
		: { ...mailHead(head), ...mailContent([{ ...content, decoded }]), attachments: [] };
}

function withoutLastLineEnd(head: string): string {
	return head.endsWith('\n') ? head.slice(0, -1) : head;
}

/** `undefined` for what takes too long, or what only the general parser may say something about. */
function decodeText(encoded: string, { encoding, charset: label, isFlowed }: PlainContent): string | undefined {
	const isLong = encoded.length > longestCostly;
	if (isLong && isFlowed) {
		return undefined;
	}
	const charset = charsetOf(label);
	if (encoding === 'identity') {
		return isLong && !encoded.isWellFormed() ? undefined : decodeLines(withLastLineEnd(encoded), charset);
	}
	// What is written in the open between bytes has no place among characters that are two of them wide.
	return isWide(charset) ? undefined : decodeEncoded(encoded, encoding, { charset, isLong });
}

function decodeEncoded(
	encoded: string,
	encoding: 'quotedPrintable' | 'base64',
	{ charset, isLong }: { readonly charset: Charset; readonly isLong: boolean },
): string | undefined {
	if (encoding === 'base64') {
		const decoded = fromBase64(encoded);
		return decoded && decodeBytes(decoded, charset);
	}
	const isDisguised = needsDisguise(encoded);
	if (isLong && isDisguised) {
		return undefined;
	}
	const { bytes, reveal } = disguise(encoded, isDisguised);
	return reveal(decodeBytes(fromQuotedPrintable(bytes), charset));
}

/** What the server could decode is text already; only bytes that it could not, and escapes of old charsets, are not. */
function decodeLines(text: string, charset: Charset): string {
	if (
		text.isWellFormed() &&
		!(charset.kind === 'other' && charset.unit === 'escaped' && escapes.some((escape) => text.includes(escape)))
	) {
		return text;
	}
	const { bytes, reveal } = disguise(text);
	return reveal(decodeBytes(bytes, charsetOfLines(charset)));
}
