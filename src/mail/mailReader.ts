import { charsetOf, charsetOfLines, decodeBytes, isWide, type Charset } from './charsets.ts';
import { declaredTo } from './declaredToGit.ts';
import { disguise, needsDisguise } from './disguise.ts';
import { messageOf, travelledMail } from './envelope.ts';
import { bytesOfMail, gitPatch, isOtherLetter, isSameAscii, patchShown } from './gitPatch.ts';
import { mailContent, withLastLineEnd } from './mailContent.ts';
import { mailHead } from './mailHead.ts';
import { plainContent, plainHead, plainHeaders, type PlainContent } from './plainHead.ts';
import type { MailHeader, MailReading, ReadableMail } from './readableMail.ts';
import { fromBase64, fromQuotedPrintable } from './transferEncodings.ts';

/** Makes mails readable. Never throws: what cannot be read comes back as it is, with the reason. */
export interface MailReader {
	/** Common mails are read at once, all others in a thread that is ended when one takes too long. */
	readonly readMail: (envelope: string, options: { readonly evenIfLarge: boolean }) => Promise<MailReading>;
	/** The decoded content of attachment `index` of a mail that was read; `undefined` when there is none. */
	readonly attachment: (envelope: string, index: number) => Promise<Uint8Array | undefined>;
}

/** Mails up to this length are read in a millisecond or two, whatever is in them. */
const mostAtOnce = 256 * 1024;

/** Reads common mails where it is called and leaves all others to `inThread`. */
export function mailReader(inThread: MailReader): MailReader {
	return {
		async readMail(envelope, options) {
			const plain = envelope.length <= mostAtOnce ? readPlainMail(envelope) : undefined;
			return plain ? { kind: 'read', mail: plain } : await inThread.readMail(envelope, options);
		},
		attachment: (envelope, index) => inThread.attachment(envelope, index),
	};
}

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
	const head = content && isPlainToGit(headers, content) ? plainHead(headers) : undefined;
	if (!head || !content) {
		return undefined;
	}
	const encoded = blankLine === -1 ? '' : message.slice(blankLine + 2);
	const decoded = decodeText(encoded, content);
	if (decoded === undefined) {
		return undefined;
	}
	const texts = mailContent([{ ...content, decoded }]);
	return isUnendedBreak(encoded) || isUnendedBreak(decoded) || isOtherToGit(envelope, content, texts.body)
		? undefined
		: { ...mailHead(head), ...texts, attachments: [], doubts: [], gitPatch: undefined };
}

/** Git looks for its words anywhere in the last of the fields of a name. */
function isPlainToGit(headers: readonly MailHeader[], content: PlainContent): boolean {
	const types = headers.filter(({ name }) => name === 'content-type');
	const { value } = types[0] ?? { value: '' };
	const nothing = { encoding: content.encoding, charset: '', isFlowed: false, delSp: false } as const;
	const toGit = declaredTo(nothing, 'content-type', value);
	return (
		types.length <= 1 &&
		headers.filter(({ name }) => name === 'content-transfer-encoding').length <= 1 &&
		headers.filter(({ name }) => name === 'subject').length <= 1 &&
		!value.includes('=?') &&
		toGit.boundary === undefined &&
		toGit.charset === (content.charset ?? '') &&
		toGit.isFlowed === content.isFlowed &&
		toGit.delSp === content.delSp
	);
}

/** Where a mail ends with such a line without its end, git finds no patch behind it. */
function isUnendedBreak(text: string): boolean {
	return /^---[ \t\r]*$/.test(text.slice(text.lastIndexOf('\n') + 1));
}

/** Lines that are joined or end more than once, and charsets in which ASCII may stand for something else, may be another patch to git. */
function isOtherToGit(envelope: string, { isFlowed, charset }: PlainContent, body: string): boolean {
	const isPlain = !isFlowed && charsetOf(charset).kind !== 'other';
	if (isPlain && !body.includes('\r')) {
		return false;
	}
	const toGit = gitPatch(bytesOfMail(travelledMail(envelope)));
	return isOtherLetter(toGit, body) || !isSameAscii(toGit.bytes, patchShown({ body, attachments: [] }));
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
	// To git a line ends there.
	if (encoded.includes('\0')) {
		return undefined;
	}
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
