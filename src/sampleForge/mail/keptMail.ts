import { headerOf, parameterOf, parseHeaders } from './mailHeaders.ts';
import { encodeTransfer } from './transferEncoding.ts';

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
