import PostalMime, { addressParser } from 'postal-mime';
import * as v from 'valibot';
import { largestMail } from './largestMail.ts';
import { charsetOf, charsetOfLines, decodeBytes, isSameCharset } from './charsets.ts';
import { disguise, type DisguisedText } from './disguise.ts';
import { decodeWords, hideWords } from './encodedWords.ts';
import { messageOf, travelledMail } from './envelope.ts';
import {
	bytesOfMail,
	gitPatch,
	isOtherLetter,
	isSameAscii,
	otherReading,
	patchShown,
	textShown,
	type GitPatch,
} from './gitPatch.ts';
import { isTextType } from './isTextType.ts';
import { withLineFeeds, withPlainEnds } from './lineEnds.ts';
import { mailContent, type TextPart } from './mailContent.ts';
import { mailDoubts, type MailDoubt } from './mailDoubts.ts';
import { headerValue, isHead, mailHead } from './mailHead.ts';
import { readPlainMail } from './mailReader.ts';
import { isTooMuch } from './partLimit.ts';
import { patchBytesOf } from './patchBytes.ts';
import { personIn } from './personIn.ts';
import type { MailAttachment, MailHeader, MailPerson, MailReading, RawReason, ReadableMail } from './readableMail.ts';
import { withWindows1252 } from './windows1252.ts';

/**
 * Enough for every mail; more only keeps the parser busy (docs/security.md#slow-parsers). Mails inside of mails are
 * attachments: in base64 they could hide any number of parts.
 */
const parserLimits = { maxHeadersSize: 65_536, maxNestingDepth: 16, maxRfc822NestingDepth: 0 } as const;

const lineFeed = 0x0a;

export interface ReadMailOptions {
	/** Reads the mail however large it is. */
	readonly evenIfLarge: boolean;
}

/**
 * Makes an envelope readable: mbox line, any line ends, transfer encoding, charset and parts
 * (docs/protocol.md#envelopes). Never throws: returns unreadable envelopes unchanged.
 */
export async function readMail(envelope: string, options: ReadMailOptions): Promise<MailReading> {
	if (envelope.length > largestMail && !options.evenIfLarge) {
		return raw(envelope, 'tooLarge');
	}
	const plain = readPlainMail(envelope);
	return plain ? { kind: 'read', mail: plain } : await readAnyMail(envelope);
}

/** Reads a mail of any kind with the slower general parser. Never throws. */
export async function readAnyMail(envelope: string): Promise<MailReading> {
	const message = messageOf(envelope);
	if (isTooMuch(message)) {
		return raw(envelope, 'unreadable');
	}
	const disguised = disguise(message);
	try {
		const mail = await mimeMail(disguised.bytes);
		const kinds = sorted(mail.parts);
		if (!isHead(mail.headers) || mail.parts.length === 0) {
			return raw(envelope, 'unreadable');
		}
		return kinds.plain.length === 0 && kinds.html.length > 0
			? raw(envelope, 'noPlainText')
			: { kind: 'read', mail: readable(mail, kinds, { envelope, message, disguised }) };
	} catch {
		// The parser throws beyond its limits. Its other errors mean the same to a reader.
		return raw(envelope, 'unreadable');
	}
}

/** The content of one attachment of a mail, by its place; `undefined` when there is none. Never throws. */
export async function mailAttachment(envelope: string, index: number): Promise<Uint8Array | undefined> {
	const message = messageOf(envelope);
	if (isTooMuch(message)) {
		return undefined;
	}
	try {
		const disguised = disguise(message);
		const part = sorted((await mimeMail(disguised.bytes)).parts).files[index];
		return part && contentOf(part, disguised);
	} catch {
		return undefined;
	}
}

function raw(envelope: string, reason: RawReason): MailReading {
	return { kind: 'raw', reason, text: withLineFeeds(envelope) };
}

/** Parts of a mail, by use. */
interface SortedParts {
	readonly plain: readonly MimePart[];
	/** Only those that have no plain alternative. */
	readonly html: readonly MimePart[];
	readonly files: readonly MimePart[];
}

function sorted(parts: readonly MimePart[]): SortedParts {
	const isText = (part: MimePart, type: string): boolean => part.type === type && part.disposition !== 'attachment';
	const plain = parts.filter((part) => isText(part, 'text/plain'));
	const withPlain = new Set(plain.map(({ alternatives }) => alternatives).filter((group) => group !== undefined));
	return {
		plain,
		html: parts.filter(
			(part) => isText(part, 'text/html') && (part.alternatives === undefined || !withPlain.has(part.alternatives)),
		),
		files: parts.filter(
			// Readers never see HTML parts, but git applies them.
			(part) => !isText(part, 'text/plain') && (!isText(part, 'text/html') || holdsDiff(bytesAsText(part.content))),
		),
	};
}

/** One character for each byte: enough to look for words of ASCII. */
function bytesAsText(bytes: Uint8Array): string {
	return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}

interface Message {
	readonly envelope: string;
	readonly message: string;
	readonly disguised: DisguisedText;
}

function readable(mail: MimeMail, kinds: SortedParts, { envelope, message, disguised }: Message): ReadableMail {
	const { plain, html, files } = kinds;
	// A header is one line, whatever its sender wrote.
	const reveal = (text: string): string => disguised.reveal(text).replaceAll('\r', ' ');
	const headers = mail.headers.map(({ name, value }): MailHeader => ({ name: reveal(name), value: reveal(value) }));
	const people = (name: string): readonly MailPerson[] => peopleIn(mail.headers, name, reveal);
	const content = mailContent(plain.map((part) => textPart(part, disguised)));
	const attachments = files.map((part) => attachmentOf(part, disguised));
	const toGit = gitPatch(bytesOfMail(travelledMail(envelope)));
	const subject = reveal(decodeWords(headerValue(mail.headers, 'subject') ?? ''));
	const shown = textShown({ body: content.body, attachments });
	const patch = patchShown({ body: content.body, attachments });
	const decoded = decodeBytes(Buffer.from(toGit.bytes, 'latin1'), charsetOf(toGit.charset));
	return {
		...mailHead({
			headers,
			people: {
				from: senders(people('from'), headers),
				to: people('to'),
				cc: people('cc'),
				replyTo: people('reply-to'),
			},
			subject,
		}),
		...content,
		...(html.length > 0 ? { text: withPlainEnds(disguised.reveal(mail.rendered)) } : {}),
		attachments,
		doubts: [
			...mailDoubts(message, toGit.oddLine),
			...(toGit.refusal === undefined ? [] : [{ kind: 'refused', refusal: toGit.refusal } as const]),
			...(isOtherLetter(toGit, shown) ? [{ kind: 'otherMessage' } as const] : []),
			...charsetDoubts(toGit, kinds, message),
			...(message.includes('\uFFFD') ? [{ kind: 'lostBytes' } as const] : []),
		],
		toGit: otherReading(toGit, { headers, subject }, shown),
		gitPatch: isSameAscii(toGit.bytes, patch) || isSameAscii(decoded, patch) ? undefined : decoded,
		patchBytes: patchBytesOf(toGit, envelope, patch),
	};
}

/** A name with a comma that is not quoted looks like several people, of whom one has an address. */
function senders(listed: readonly MailPerson[], headers: readonly MailHeader[]): readonly MailPerson[] {
	const written = headers.filter(({ name }) => name === 'from');
	const [first] = written;
	return listed.length > 1 &&
		written.length === 1 &&
		listed.filter(({ address }) => address !== '').length === 1 &&
		first
		? [personIn(decodeWords(first.value))]
		: listed;
}

/** Whether git takes bytes for other characters than are shown, where the server did not decode them itself. */
function charsetDoubts(toGit: GitPatch, { plain, files }: SortedParts, message: string): readonly MailDoubt[] {
	const isDecoded = message.isWellFormed();
	const isOther = [...plain, ...files].some(
		({ content, isIdentity, parameters }) =>
			!(isIdentity && isDecoded) &&
			!isSameCharset(parameters.get('charset'), toGit.charset) &&
			holdsDiff(bytesAsText(content)) &&
			decodeBytes(content, charsetOf(parameters.get('charset'))) !== decodeBytes(content, charsetOf(toGit.charset)),
	);
	return isOther && /[\x80-\xff]/.test(toGit.bytes) ? [{ kind: 'otherCharset', charset: toGit.charset }] : [];
}

function textPart({ parameters, isIdentity, content }: MimePart, { reveal }: DisguisedText): TextPart {
	const charset = charsetOf(parameters.get('charset'));
	return {
		decoded: reveal(decodeBytes(content, isIdentity ? charsetOfLines(charset) : charset)),
		isFlowed: parameters.get('format')?.toLowerCase() === 'flowed',
		delSp: parameters.get('delsp')?.toLowerCase() === 'yes',
	};
}

function attachmentOf(part: MimePart, disguised: DisguisedText): MailAttachment {
	const name = part.fileName === undefined ? undefined : disguised.reveal(withWindows1252(decodeWords(part.fileName)));
	const textOf = (content: Uint8Array): string => textPart({ ...part, content }, disguised).decoded;
	const isPatch = isPatchFile({ name, type: part.type, text: () => textOf(part.content) });
	return {
		name,
		type: disguised.reveal(part.type),
		size: contentOf(part, disguised).byteLength,
		patch: isPatch ? textOf(part.content) : undefined,
		text: !isPatch && isTextType(part.type) ? textOf(part.exact) : undefined,
	};
}

function contentOf({ isIdentity, exact }: MimePart, { revealBytes }: DisguisedText): Uint8Array {
	return isIdentity ? revealBytes(exact) : exact;
}

function peopleIn(headers: MimeMail['headers'], name: string, reveal: (text: string) => string): readonly MailPerson[] {
	return headers
		.filter((header) => header.name === name)
		.flatMap(({ value }) => {
			const hidden = hideWords(value);
			const shown = (text: string): string => reveal(hidden.reveal(text));
			return addressParser(hidden.value, { flatten: true }).map((person): MailPerson => {
				const address = shown(person.address!);
				const called = shown(person.name);
				return { name: called === address ? '' : called, address };
			});
		})
		.filter((person) => person.name !== '' || person.address !== '');
}

const patchTypes = new Set(['text/x-patch', 'text/x-diff', 'text/patch', 'text/diff', 'application/x-patch']);
const patchName = /\.(?:patch|diff)(?:\.txt)?$/i;
/** Lines end with LF alone: a `^` would begin one at each CR, and look from there to the end of the line. */
const startOfDiff = /(?:^|\n)(?:diff --git |--- [^\n]*\n\+\+\+ |Index: )/;

/**
 * True for an attached patch, by type, name or content: git ignores types, and applies every diff in any part of a
 * mail.
 */
export function isPatchFile(file: {
	readonly name: string | undefined;
	readonly type: string;
	readonly text: () => string;
}): boolean {
	return patchTypes.has(file.type) || patchName.test(file.name ?? '') || holdsDiff(file.text());
}

/** Whether a diff begins in a text. */
export function holdsDiff(text: string): boolean {
	return startOfDiff.test(text);
}

/** One leaf of the tree of parts. */
interface MimePart {
	/** In lower case. */
	readonly type: string;
	readonly parameters: ReadonlyMap<string, string>;
	/** In lower case; empty when there is none. */
	readonly disposition: string;
	readonly fileName: string | undefined;
	/** Travelled as it is, without base64 and the like. */
	readonly isIdentity: boolean;
	/** Decoded; each of its lines ends with LF, the last one too. */
	readonly content: Uint8Array;
	/** The content without the last line end where that is the one of the line that divides the parts (RFC 2046, 5.1.1). */
	readonly exact: Uint8Array;
	/** Number of the closest group of alternatives that it belongs to. */
	readonly alternatives: number | undefined;
}

/** Result of the general parser. */
interface MimeMail {
	/** Names in lower case. */
	readonly headers: readonly { readonly name: string; readonly value: string }[];
	/** In the order of the mail. */
	readonly parts: readonly MimePart[];
	/** All text of the mail as the parser puts it together, with HTML turned into text. */
	readonly rendered: string;
}

/** Splits a mail into parts. Throws beyond its limits. */
export async function mimeMail(bytes: Uint8Array): Promise<MimeMail> {
	const parser = new PostalMime(parserLimits);
	const { headers, text } = await parser.parse(bytes);
	const parts: MimePart[] = [];
	let groups = 0;
	const collect = (node: MimeNode, alternatives: number | undefined, isDivided: boolean): void => {
		const { multipart } = node.contentType;
		if (multipart === false) {
			parts.push(partOf(node, alternatives, isDivided));
		}
		const group = multipart === 'alternative' ? (groups += 1) : alternatives;
		node.childNodes.forEach((child) => collect(v.parse(mimeNode, child), group, true));
	};
	// The parser's result omits the declarations of parts; its tree has them.
	collect(v.parse(mimeNode, Reflect.get(parser, 'root')), undefined, false);
	return { headers: headers.map(({ key, value }) => ({ name: key, value })), parts, rendered: text ?? '' };
}

const declaration = v.object({ value: v.string(), params: v.record(v.string(), v.string()) });

/** The parser's types omit its tree. */
const mimeNode = v.object({
	contentType: v.object({ parsed: declaration, multipart: v.union([v.literal(false), v.string()]) }),
	contentDisposition: v.object({ parsed: declaration }),
	contentTransferEncoding: v.object({ encoding: v.string() }),
	content: v.instance(ArrayBuffer),
	childNodes: v.array(v.unknown()),
});

type MimeNode = v.InferOutput<typeof mimeNode>;

/** `isDivided`: other parts may follow. */
function partOf(node: MimeNode, alternatives: number | undefined, isDivided: boolean): MimePart {
	const { value: stated, params } = node.contentType.parsed;
	const disposition = node.contentDisposition.parsed;
	const parameters = new Map(Object.entries(params));
	const { encoding } = node.contentTransferEncoding;
	const content = new Uint8Array(node.content);
	const isLines = !/base64/i.test(encoding);
	return {
		// A type without a subtype is invalid and means plain text (RFC 2045, 5.2). Git reads it as text, too.
		type: /^[^/]+\/[^/]+$/.test(stated) ? stated : 'text/plain',
		parameters,
		disposition: disposition.value,
		fileName: [disposition.params['filename'], params['name']].find((name) => name !== undefined && name !== ''),
		isIdentity: !/base64|quoted-printable/i.test(encoding),
		content,
		exact: isDivided && isLines && content.at(-1) === lineFeed ? content.subarray(0, -1) : content,
		alternatives,
	};
}
