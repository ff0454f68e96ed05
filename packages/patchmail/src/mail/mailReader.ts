import { charsetOf, charsetOfLines, decodeBytes, isWide, type Charset } from './charsets.ts';
import { declaredTo } from './declaredToGit.ts';
import { disguise, needsDisguise } from './disguise.ts';
import { messageOf, travelledMail } from './envelope.ts';
import { decodeWords } from './encodedWords.ts';
import {
	bytesOfMail,
	gitPatch,
	headersInText,
	isOtherLetter,
	isSameAscii,
	otherReading,
	patchShown,
} from './gitPatch.ts';
import { convertToGit, headerToGit, wordsToGit } from './gitWords.ts';
import { mailContent, withLastLineEnd } from './mailContent.ts';
import { mailHead, type HeadParts } from './mailHead.ts';
import { patchBytesOf } from './patchBytes.ts';
import { plainContent, plainHead, plainHeaders, type PlainContent } from './plainHead.ts';
import type { MailHeader, MailReading, ReadableMail } from './readableMail.ts';
import { fromBase64, fromQuotedPrintable } from './transferEncodings.ts';

/** Makes mails readable. Never throws: returns unreadable mails unchanged, with the reason. */
export interface MailReader {
	/** Common mails are read at once, all others in a thread that is ended when one takes too long. */
	readonly readMail: (envelope: string, options: { readonly evenIfLarge: boolean }) => Promise<MailReading>;
	/** The decoded content of attachment `index` of a mail that was read; `undefined` when there is none. */
	readonly attachment: (envelope: string, index: number) => Promise<Uint8Array | undefined>;
}

/** Reading a mail up to this length takes a millisecond or two, whatever its content. */
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

/** Longer mails of the slow kinds go to a thread. */
const longestCostly = 16_384;
const escapes = ['\u000E', '\u000F', '\u001B'] as const;

/**
 * Reads the common mails of lists in linear time: plain text of any charset and encoding, under headers that every
 * program reads alike. `undefined` for all others. `readMail` gives the same results.
 */
export function readPlainMail(envelope: string): ReadableMail | undefined {
	const message = messageOf(envelope);
	const blankLine = message.indexOf('\n\n');
	const headers = plainHeaders(blankLine === -1 ? message.replace(/\n$/, '') : message.slice(0, blankLine));
	const content = headers && plainContent(headers);
	const head = content && isPlainToGit(headers, content) ? plainHead(headers) : undefined;
	return head && content
		? plainMail(head, content, { envelope, encoded: blankLine === -1 ? '' : message.slice(blankLine + 2) })
		: undefined;
}

function plainMail(
	head: HeadParts,
	content: PlainContent,
	{ envelope, encoded }: { readonly envelope: string; readonly encoded: string },
): ReadableMail | undefined {
	const decoded = decodeText(encoded, content);
	if (
		decoded === undefined ||
		isUnendedBreak(encoded) ||
		isUnendedBreak(decoded) ||
		// Git refuses charsets that it does not know.
		convertToGit('', content.charset ?? '') === undefined ||
		envelope.includes('\uFFFD')
	) {
		return undefined;
	}
	const texts = mailContent([{ ...content, decoded }]);
	const read = { ...mailHead(head), ...texts, attachments: [], doubts: [], gitPatch: undefined };
	const { isFlowed, charset } = content;
	// Git may see another patch in lines that are joined or end more than once, and in charsets that reuse ASCII bytes.
	// For text that its server took for UTF-8, git may use the declared charset.
	const isOftenOther =
		isFlowed ||
		charsetOf(charset).kind === 'other' ||
		texts.body.includes('\r') ||
		(headersInText.test(texts.body) && texts.body.includes('=?'));
	// Most mails are ASCII, so that their bytes need not be read.
	if (!isOftenOther && !/\P{ASCII}/u.test(texts.body)) {
		return { ...read, toGit: undefined, patchBytes: undefined };
	}
	const toGit = gitPatch(bytesOfMail(travelledMail(envelope)));
	const shown = patchShown({ body: texts.body, attachments: [] });
	const patchBytes = patchBytesOf(toGit, envelope, shown);
	const isOther = toGit.refusal !== undefined || isOtherLetter(toGit, texts.body) || !isSameAscii(toGit.bytes, shown);
	return isOther ? undefined : { ...read, toGit: otherReading(toGit, head, texts.body), patchBytes };
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
		['subject', 'from'].every((single) => headers.filter(({ name }) => name === single).length <= 1) &&
		headers.every(hasWordsOfGit) &&
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

const readByGit = new Set(['from', 'subject', 'date', 'message-id', 'content-type', 'content-transfer-encoding']);

/** Encoded words are plain where git decodes them to the same text. */
function hasWordsOfGit({ name, value }: MailHeader): boolean {
	if (!value.includes('=?') || !readByGit.has(name)) {
		return true;
	}
	const toGit = headerToGit(Buffer.from(value).toString('latin1'));
	const isText = name === 'from' || name === 'subject';
	return isText && toGit.refusal === undefined && wordsToGit(value) === decodeWords(value);
}

/** `undefined` for slow mails, and for those that only the general parser can judge. */
function decodeText(encoded: string, { encoding, charset: label, isFlowed }: PlainContent): string | undefined {
	const isLong = encoded.length > longestCostly;
	if (isLong && isFlowed) {
		return undefined;
	}
	const charset = charsetOf(label);
	if (encoding === 'identity') {
		return isLong && !encoded.isWellFormed() ? undefined : decodeLines(withLastLineEnd(encoded), charset);
	}
	// Unencoded text between bytes has no place among two-byte characters.
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

/** Text that is UTF-8 is text already, but for escapes of old charsets; the bytes of all other text are of its charset. */
function decodeLines(text: string, charset: Charset): string {
	const hasBytes = !text.isWellFormed();
	if (
		!hasBytes &&
		!(charset.kind === 'other' && charset.unit === 'escaped' && escapes.some((sign) => text.includes(sign)))
	) {
		return text;
	}
	if (hasBytes) {
		return decodeBytes(Buffer.from(bytesOfMail(text), 'latin1'), charsetOfLines(charset));
	}
	const { bytes, reveal } = disguise(text);
	return reveal(decodeBytes(bytes, charset));
}
