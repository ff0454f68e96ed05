import { charsetOf, decodeBytes } from '../mail/charsets.ts';
import { quotedPrintable } from '../mail/encodeBody.ts';
import { bytesOfMail, gitPatch, headersInText } from '../mail/gitPatch.ts';
import { travelledMail } from '../mail/envelope.ts';
import { endsInTrailers } from './commitTrailers.ts';
import { messageParts } from './messageParts.ts';
import { authorKey } from './offeredLines.ts';
import type { GivenTrailer } from './seriesReading.ts';

/** Changes to a patch mail for git. */
export interface MailChange {
	/** Goes to the end of the commit message, unless present. The key `authorKey` goes to the head of the text. */
	readonly trailers: readonly Pick<GivenTrailer, 'key' | 'value'>[];
	/** Removes one CR before each LF inside of the transfer encoding, like `git am --quoted-cr=strip`. */
	readonly stripsReturns: boolean;
}

/** Mail headers that describe the encoding of a body, each with its continuation lines. */
const contentFields = /^(?:MIME-Version|Content-(?:Type|Transfer-Encoding|Disposition))[ \t]*:.*(?:\n[ \t].*)*\n?/gim;

/**
 * Changes an envelope. The result has one quoted-printable text part with the message in UTF-8 and the bytes of the patch,
 * both as git reads them from the original. `undefined` if git might read the result differently, or for a trailer with
 * several lines.
 */
export function mailForGit(envelope: string, { trailers, stripsReturns }: MailChange): string | undefined {
	const read = readByGit(envelope);
	const all = Array.from(new Set(trailers.map(({ key, value }) => `${key}: ${value}`)));
	const author = all.find(isAuthor);
	const lines = all.filter((line) => !isAuthor(line));
	const text = withAuthor(stripsReturns ? read.text.replaceAll('\r\n', '\n') : read.text, author);
	const { message } = messageParts(text);
	const missing = lines.filter((line) => !message.split('\n').includes(utf8Bytes(line)));
	if (missing.length === 0 && text === read.text) {
		return envelope;
	}
	const isOneLineEach = all.every(
		(line) => /^[A-Za-z][A-Za-z-]*: [^\p{Cc}\p{Zl}\p{Zp}]+$/u.test(line) && line.isWellFormed(),
	);
	if (!isOneLineEach || !read.isSure) {
		return undefined;
	}
	const added = missing.map(utf8Bytes);
	const wanted = added.length === 0 ? message : `${message}${gapAfter(message)}${added.join('\n')}`;
	const made = added.length === 0 ? text : inserted(text, message, added);
	// Some programs on the way end lines twice.
	const mail = envelope.replaceAll('\r\r\n', '\n').replaceAll('\r\n', '\n');
	const head = `${mail.split('\n\n', 1)[0]!}\n`.replaceAll(contentFields, '');
	const fields = [
		'MIME-Version: 1.0',
		'Content-Type: text/plain; charset=utf-8',
		'Content-Transfer-Encoding: quoted-printable',
	];
	const changed = `${head}${fields.join('\n')}\n\n${quotedPrintable(Buffer.from(made, 'latin1'))}`;
	const again = readByGit(changed);
	// Git has to find the same patch behind the wanted message.
	const expected = messageParts(made);
	const patch = made.slice(expected.messageEnd);
	const found = messageParts(again.text);
	const isSame = found.message === wanted && found.inBody.get('from') === expected.inBody.get('from');
	return again.isSure && isSame && [again.text, text].every((each) => each.endsWith(patch)) ? changed : undefined;
}

/**
 * Origin of CRs at line ends inside of a transfer encoding. `transport`: all header lines of the diff have one. `content`: none
 * has, so the patched files have them. `mixed`: some have.
 */
export type QuotedReturns = 'none' | 'transport' | 'content' | 'mixed';

export function quotedReturns(envelope: string): QuotedReturns {
	const { text } = readByGit(envelope);
	if (!text.includes('\r\n')) {
		return 'none';
	}
	const heads = text.match(/(?<![^\n])(?:diff --git |index [0-9a-f]+\.\.|@@ -)[^\n]*/g) ?? [];
	const ended = heads.filter((line) => line.endsWith('\r'));
	return ended.length === 0 ? 'content' : ended.length === heads.length ? 'transport' : 'mixed';
}

interface ReadByGit {
	/** Message in UTF-8, then the patch; one character for each byte. */
	readonly text: string;
	/** True if the mail has a patch and all programs agree on the end of its head. */
	readonly isSure: boolean;
}

function readByGit(envelope: string): ReadByGit {
	const bytes = bytesOfMail(travelledMail(envelope));
	const { letter, bytes: patch, oddLine, refusal } = gitPatch(bytes);
	const isSure = patch !== '' && oddLine === undefined && refusal === undefined;
	// Without a declared charset, git reads a line outside UTF-8 as Latin-1.
	const lines = letter.split('\n').map((line) => {
		// oxlint-disable-next-line no-control-regex -- every character of ASCII
		const isAscii = /^[\0-\x7f]*$/.test(line);
		return isAscii ? line : utf8Bytes(decodeBytes(Buffer.from(line, 'latin1'), charsetOf(undefined)));
	});
	return { text: lines.join('\n') + patch, isSure };
}

function utf8Bytes(text: string): string {
	return Buffer.from(text, 'utf8').toString('latin1');
}

function isAuthor(line: string): boolean {
	return line.startsWith(`${authorKey}: `);
}

/** A blank line ends headers at the head of a text. */
function withAuthor(text: string, author: string | undefined): string {
	if (author === undefined) {
		return text;
	}
	return headersInText.test(text)
		? `${utf8Bytes(author)}\n${text.replace(/^\n+/, '')}`
		: `${utf8Bytes(author)}\n\n${text}`;
}

/** A paragraph of web addresses, which are trailers to git: `https: //…`. */
const endsInAddresses = /(?:^|\n\n)(?:https?:\/\/[^\n]*\n?)+$/;

/** No blank line separates a trailer from the trailers before it. */
function gapAfter(message: string): string {
	const isJoined = endsInTrailers(`Title\n\n${message}`) && !endsInAddresses.test(message);
	return message === '' ? '' : isJoined ? '\n' : '\n\n';
}

function inserted(text: string, message: string, lines: readonly string[]): string {
	const { messageEnd } = messageParts(text);
	const kept = text.slice(0, messageEnd);
	// A blank line ends the headers at the head of a text without a message.
	const at = message === '' ? kept.length : textEnd(kept);
	const rest = text.slice(at).replace(/^\r?\n/, '');
	const gap = message === '' ? '' : `\n${gapAfter(message).slice(1)}`;
	return `${text.slice(0, at)}${gap}${lines.join('\n')}\n${rest}`;
}

/** End of the last line with text, without its line end. */
function textEnd(text: string): number {
	let [end, at] = [text.length, text.length];
	while (at > 0 && /[ \t\r\n]/.test(text.charAt(at - 1))) {
		at--;
		end = text.charAt(at) === '\n' || text.charAt(at) === '\r' ? at : end;
	}
	return end;
}
