import { fromQuotedPrintable } from '../mail/transferEncodings.ts';
import { trailersOf } from '../text/commitTrailers.ts';
import { messageParts } from './messageParts.ts';
import type { GivenTrailer } from './seriesReading.ts';

/**
 * A patch mail, as the forge hands it out, with trailers at the end of the commit's message, so that `git am` takes them
 * over; those that stand there already stay alone. `undefined` where the message cannot be told from the rest for sure: in
 * mails of several parts and in base64, and where a trailer is more than a line.
 */
export function mailWithTrailers(
	envelope: string,
	trailers: readonly Pick<GivenTrailer, 'key' | 'value'>[],
): string | undefined {
	const lineEnd = /^[^\n]*\r\n/.test(envelope) ? '\r\n' : '\n';
	const text = lineEnd === '\n' ? envelope : envelope.replaceAll('\r\n', '\n');
	const blank = text.indexOf('\n\n');
	const head = blank === -1 ? text : text.slice(0, blank);
	const body = blank === -1 ? '' : text.slice(blank + 2);
	const coding = codingOf(head);
	const { message } = messageParts(coding.decode(body));
	const lines = trailers.map(({ key, value }) => `${key}: ${value}`);
	const wanted = Array.from(new Set(lines)).filter((line) => !message.split('\n').includes(line));
	if (wanted.length === 0) {
		return envelope;
	}
	if (!wanted.every(isOneLine) || !coding.isKnown) {
		return undefined;
	}
	const made = inserted(body, message, wanted.map(coding.encode));
	// What was put in has to be read as just that.
	const expected = `${message}${gapAfter(message)}${wanted.map(coding.shown).join('\n')}`;
	return messageParts(coding.decode(made)).message === expected
		? `${head}\n\n${made}`.replaceAll('\n', lineEnd)
		: undefined;
}

function isOneLine(line: string): boolean {
	return /^[A-Za-z][A-Za-z-]*: [^\p{Cc}\p{Zl}\p{Zp}]+$/u.test(line) && line.isWellFormed();
}

/** Where the message ends in a trailer no blank line stands between. */
function gapAfter(message: string): string {
	return message === '' ? '' : trailersOf(`Title\n\n${message}`).length > 0 ? '\n' : '\n\n';
}

function inserted(body: string, message: string, lines: readonly string[]): string {
	const { messageEnd } = messageParts(body);
	const kept = body.slice(0, messageEnd);
	// In front of the blank lines that end the message; a blank line ends the headers at the head of a text without one.
	const at = message === '' ? kept.length : textEnd(kept);
	const rest = body.slice(at).replace(/^\n/, '');
	const gap = message === '' ? '' : `\n${gapAfter(message).slice(1)}`;
	return `${body.slice(0, at)}${gap}${lines.join('\n')}\n${rest}`;
}

/** Behind the last line that is not blank, without its end. */
function textEnd(text: string): number {
	let [end, at] = [text.length, text.length];
	while (at > 0 && /[ \t\n]/.test(text.charAt(at - 1))) {
		at--;
		end = text.charAt(at) === '\n' ? at : end;
	}
	return end;
}

/** How a body is written in its mail. */
interface Coding {
	readonly isKnown: boolean;
	readonly decode: (body: string) => string;
	readonly encode: (line: string) => string;
	/** A line as `decode` gives it back. */
	readonly shown: (line: string) => string;
}

const asItIs: Coding = { isKnown: true, decode: (body) => body, encode: (line) => line, shown: (line) => line };

function codingOf(head: string): Coding {
	const field = (name: string): string =>
		new RegExp(`^${name}[ \\t]*:([^\\n]*(?:\\n[ \\t][^\\n]*)*)`, 'im').exec(head)?.[1]?.toLowerCase() ?? '';
	const [type, encoding] = [field('content-type'), field('content-transfer-encoding').trim()];
	const isText = type.trim() === '' || type.trim().startsWith('text/plain');
	if (encoding === 'quoted-printable') {
		const isUtf8 = !/charset=/.test(type) || /charset="?(?:utf-8|us-ascii)/.test(type);
		return {
			isKnown: isText && isUtf8,
			decode: (body) => Buffer.from(fromQuotedPrintable(Buffer.from(body, 'latin1'))).toString('latin1'),
			encode: quotedPrintable,
			shown: (line) => Buffer.from(line).toString('latin1'),
		};
	}
	return { ...asItIs, isKnown: isText && /^(?:|7bit|8bit|binary)$/.test(encoding) };
}

const mostColumns = 72;

function quotedPrintable(line: string): string {
	const signs = Array.from(Buffer.from(line), (byte) =>
		byte >= 0x20 && byte < 0x7f && byte !== 0x3d
			? String.fromCharCode(byte)
			: `=${byte.toString(16).toUpperCase().padStart(2, '0')}`,
	);
	let columns = 0;
	return signs
		.map((sign) => {
			columns += sign.length;
			if (columns > mostColumns) {
				columns = sign.length;
				return `=\n${sign}`;
			}
			return sign;
		})
		.join('');
}
