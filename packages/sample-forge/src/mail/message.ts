import { decodeWords, encodeTransfer, decodeCharset, decodeTransfer } from './encoding.ts';

/** Headers of one mail or part, in order, unfolded but not decoded. */
export type MailHeaders = readonly (readonly [name: string, value: string])[];

/** `head`: everything before the first empty line, with any line ends. Skips lines that are no headers. */
export function parseHeaders(head: string): MailHeaders {
	const unfolded = head.replaceAll(/\r?\n(?=[ \t])/g, '');
	return unfolded.split(/\r?\n/).flatMap((line) => {
		const found = /^([!-9;-~]+)[ \t]*:[ \t]*(.*)$/.exec(line);
		return found?.[1] === undefined ? [] : [[found[1], found[2]?.trimEnd() ?? ''] as const];
	});
}

/** The first header of this name, RFC 2047 words decoded. */
export function headerOf(headers: MailHeaders, name: string): string | undefined {
	const wanted = name.toLowerCase();
	const value = headers.find(([each]) => each.toLowerCase() === wanted)?.[1];
	return value === undefined ? undefined : decodeWords(value);
}

/** The first `<id>` of a Message-ID or In-Reply-To header, brackets included. */
function firstId(value: string | undefined): string | undefined {
	return /<[^<>\s]+>/.exec(value ?? '')?.[0];
}

/** The address of the first mailbox in a From or Reply-To header, lower case; empty when there is none. */
export function firstAddress(value: string | undefined): string {
	const unquoted = (value ?? '').replaceAll(/"(?:[^"\\]|\\.)*"/g, '');
	const address = /<([^<>\s]+@[^<>\s]+)>/.exec(unquoted)?.[1] ?? /[^\s<>,;:]+@[^\s<>,;:]+/.exec(unquoted)?.[0];
	return (address ?? '').toLowerCase();
}

/** A parameter of a Content-Type or Content-Disposition value. */
export function parameterOf(value: string | undefined, name: string): string | undefined {
	const found = new RegExp(String.raw`;\s*${name}\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;]+))`, 'i').exec(value ?? '');
	return found?.[1]?.replaceAll(/\\(.)/g, '$1') ?? found?.[2];
}

/** Parsed subject such as `[PATCH lantern v2 3/5] Add foo`. */
export interface PatchPlace {
	/** Empty when the brackets hold none. */
	readonly prefix: string;
	readonly version: number;
	/** 0 is the cover letter. */
	readonly index: number;
	readonly count: number;
	/** Text after the brackets. */
	readonly subject: string;
}

const pattern =
	/^(?:[Rr][Ee]:\s*)*\[(?:RFC )?PATCH(?: (?<prefix>.+?))??(?: v(?<version>\d{1,4}))?(?: (?<index>\d{1,4})\/(?<count>\d{1,4}))?\]\s*(?<subject>.*)$/s;

/** Reads a subject by the rules of the server (docs/protocol.md#patch-subjects); undefined when it names no patch. */
export function parsePatchSubject(subject: string): PatchPlace | undefined {
	const groups = pattern.exec(subject)?.groups;
	if (groups === undefined) {
		return undefined;
	}
	const { prefix = '', version = '1', index = '1', count = '1', subject: rest = '' } = groups;
	return { prefix, version: Number(version), index: Number(index), count: Number(count), subject: rest.trim() };
}

/** Charsets that Python's `email` package sends as quoted-printable; it sends all others as base64. */
const quotedCharsets = /^(?:iso-8859-(?:1|2|3|4|9|10|13|14|15)|latin-?1|windows-125[02])$/i;

/**
 * A raw mail as older servers store it (docs/protocol.md#envelopes): their `email` package re-encodes 8-bit text parts with
 * a declared charset. The base64 contains the CR LF of the transport.
 */
export function keptMail(raw: Uint8Array): Buffer {
	const lines = Buffer.from(raw)
		.toString('latin1')
		.replaceAll(/\r\n|\r|\n/g, '\r\n');
	return Buffer.from(keptPart(lines), 'latin1');
}

/** One character per byte; CRLF. */
function keptPart(part: string): string {
	const gap = part.indexOf('\r\n\r\n');
	if (gap === -1) {
		return part;
	}
	const [head, body] = [part.slice(0, gap), part.slice(gap + 4)];
	const headers = parseHeaders(head);
	const type = headerOf(headers, 'Content-Type');
	const boundary = parameterOf(type, 'boundary');
	if (boundary !== undefined) {
		const [preamble = '', ...parts] = body.split(`--${boundary}`);
		return [`${head}\r\n\r\n${preamble}`, ...parts.map(keptBetween)].join(`--${boundary}`);
	}
	const charset = parameterOf(type, 'charset');
	const isEncoded = /base64|quoted-printable/i.test(headerOf(headers, 'Content-Transfer-Encoding') ?? '');
	if (charset === undefined || isEncoded || !/[\x80-\xff]/.test(body)) {
		return part;
	}
	const isQuoted = quotedCharsets.test(charset);
	const encoding = isQuoted ? 'quoted-printable' : 'base64';
	const bytes = Buffer.from(isQuoted ? body.replaceAll('\r\n', '\n') : body, 'latin1');
	return `${withEncoding(head, encoding)}\r\n\r\n${encodeTransfer(bytes, encoding).toString('latin1')}`;
}

/** The text between two boundaries: rest of the line, a part, and the next boundary's line end. */
function keptBetween(text: string): string {
	const start = text.indexOf('\r\n') + 2;
	const isPart = start > 1 && text.endsWith('\r\n') && !text.startsWith('--');
	return isPart ? `${text.slice(0, start)}${keptPart(text.slice(start, -2))}\r\n` : text;
}

function withEncoding(head: string, encoding: string): string {
	const field = `Content-Transfer-Encoding: ${encoding}`;
	const replaced = head.replace(/^Content-Transfer-Encoding[ \t]*:.*(?:\r\n[ \t].*)*/im, field);
	return replaced.includes(field) ? replaced : `${head}\r\n${field}`;
}

const gitHeader =
	/^diff --git \S.*\n(?:(?:index|old mode|new file mode|deleted file mode|similarity index|rename from) )/m;

const plainHeader = /^--- \S.*\n\+\+\+ \S.*\n@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@/m;

/** The used parts of an RFC 5322 message. */
export interface Message {
	/** Decoded; empty when there is none. */
	readonly subject: string;
	/** With angle brackets; undefined when there is none. */
	readonly messageId: string | undefined;
	readonly inReplyTo: string | undefined;
	/** Decoded From header, such as `Bob Builder <bob@forge.test>`. */
	readonly from: string;
	readonly fromAddress: string;
	readonly replyTo: string | undefined;
	/** Text of the first plain part that is no attachment, decoded, line ends LF. */
	readonly text: string;
	/** Whether that text holds a diff that is not quoted. Attachments do not count. */
	readonly holdsPatch: boolean;
	/** False for a body without plain text (HTML only). */
	readonly hasPlainText: boolean;
	/** Types of all leaf parts, lower case. */
	readonly types: readonly string[];
	readonly headers: MailHeaders;
}

/** Parses a raw mail with any line ends. Never throws: broken parts become plain text. */
export function readMessage(raw: Uint8Array): Message {
	const { headers, body } = splitPart(Buffer.from(raw).toString('latin1'));
	const leaves = leavesOf(headers, body, 0);
	const plain = leaves.find(({ type, attached }) => type === 'text/plain' && !attached);
	const text = plain === undefined ? '' : textOf(plain);
	const header = (name: string): string | undefined => headerOf(headers, name);
	return {
		subject: header('Subject') ?? '',
		messageId: firstId(header('Message-ID')),
		inReplyTo: firstId(header('In-Reply-To')),
		from: header('From') ?? '',
		fromAddress: firstAddress(header('From')),
		replyTo: header('Reply-To'),
		text,
		holdsPatch: holdsDiff(text),
		hasPlainText: plain !== undefined,
		types: leaves.map(({ type }) => type),
		headers,
	};
}

interface Leaf {
	readonly headers: MailHeaders;
	readonly type: string;
	readonly attached: boolean;
	/** One character per byte. */
	readonly body: string;
}

const maxDepth = 16;

function leavesOf(headers: MailHeaders, body: string, depth: number): readonly Leaf[] {
	const contentType = headerOf(headers, 'Content-Type') ?? 'text/plain';
	const type = (/^[^\s;]+/.exec(contentType)?.[0] ?? 'text/plain').toLowerCase();
	const boundary = parameterOf(contentType, 'boundary');
	if (!type.startsWith('multipart/') || boundary === undefined || depth >= maxDepth) {
		const attached = /^attachment\b/i.test(headerOf(headers, 'Content-Disposition') ?? '');
		return [{ headers, type, attached, body }];
	}
	return partsBetween(body, boundary).flatMap((part) => {
		const { headers: inner, body: innerBody } = splitPart(part);
		return leavesOf(inner, innerBody, depth + 1);
	});
}

function partsBetween(body: string, boundary: string): readonly string[] {
	const parts: string[] = [];
	let current: string[] | undefined;
	for (const line of body.split(/\r?\n/)) {
		const end = line.trimEnd() === `--${boundary}--`;
		if (end || line.trimEnd() === `--${boundary}`) {
			if (current !== undefined) {
				parts.push(current.join('\r\n'));
			}
			current = end ? undefined : [];
		} else {
			current?.push(line);
		}
	}
	return current === undefined ? parts : [...parts, current.join('\r\n')];
}

/** The text has one character per byte; headers of 8-bit mails are UTF-8. */
function splitPart(text: string): { readonly headers: MailHeaders; readonly body: string } {
	const gap = /(?:^|\r?\n)\r?\n/.exec(text);
	const head = gap === null ? text : text.slice(0, gap.index);
	const body = gap === null ? '' : text.slice(gap.index + gap[0].length);
	return { headers: parseHeaders(decodeCharset(Buffer.from(head, 'latin1'), 'utf-8')), body };
}

function textOf({ headers, body }: Leaf): string {
	const bytes = decodeTransfer(Buffer.from(body, 'latin1'), headerOf(headers, 'Content-Transfer-Encoding') ?? '');
	const charset = parameterOf(headerOf(headers, 'Content-Type'), 'charset') ?? 'utf-8';
	return decodeCharset(bytes, charset).replaceAll('\r\n', '\n');
}

/** Whether a mail's text (line ends LF) holds a diff that starts at the left margin, so that quoted ones do not count. */
export function holdsDiff(text: string): boolean {
	return gitHeader.test(text) || plainHeader.test(text);
}
