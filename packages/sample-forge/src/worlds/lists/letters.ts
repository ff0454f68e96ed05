import { createHash } from 'node:crypto';
import {
	encodeCharset,
	type SentCharset,
	encodeWords,
	encodeTransfer,
	type TransferEncoding,
	decodeWords,
} from '../../mail/encoding.ts';
import type { Users } from '../../shared/area.ts';
import { check } from '../../shared/checks.ts';

/** How a text travels. */
export interface Packing {
	readonly charset: SentCharset;
	readonly encoding: TransferEncoding;
	/** Added to the content type, such as `; format=flowed`. */
	readonly parameters?: string;
}

/** Raw header lines by name; undefined omits one. */
export type HeaderLines = Readonly<Record<string, string | undefined>>;

/** A whole mail: `head` lines, then the packed text. ASCII text without `packing` travels bare, as old programs send it. */
export function packMail(head: HeaderLines, text: string, packing?: Packing): Buffer {
	if (Buffer.byteLength(text) === text.length && packing === undefined) {
		return Buffer.concat([writeHead(head), encodeTransfer(Buffer.from(text), '7bit')]);
	}
	const chosen = packing ?? { charset: 'utf-8', encoding: '8bit' };
	const body = encodeTransfer(encodeCharset(text, chosen.charset), chosen.encoding);
	return Buffer.concat([writeHead({ ...head, ...packingHead(chosen) }), body]);
}

export function packingHead({ charset, encoding, parameters = '' }: Packing): HeaderLines {
	return {
		'MIME-Version': '1.0',
		'Content-Type': `text/plain; charset=${charset}${parameters}`,
		'Content-Transfer-Encoding': encoding,
	};
}

export function writeHead(head: HeaderLines): Buffer {
	const lines = Object.entries(head).flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}`]));
	return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`);
}

/** `Bob Builder <bob@forge.test>`, the name encoded or quoted where needed. */
export function mailbox({ name, email }: { readonly name: string; readonly email: string }): string {
	if (name === '') {
		return email;
	}
	const isPlain = /^[A-Za-z0-9 -]*$/.test(name);
	const isAscii = /^[\u0020-\u007e]*$/.test(name);
	const shown = isPlain ? name : isAscii ? `"${name.replaceAll(/["\\]/g, String.raw`\$&`)}"` : encodeWords(name);
	return `${shown} <${email}>`;
}

const dayNames = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

/** A Date header in UTC. */
export function mailDate(timeMs: number): string {
	const iso = new Date(timeMs).toUTCString();
	const day = dayNames[new Date(timeMs).getUTCDay()] ?? '';
	return `${day}, ${iso.slice(5, 25)} +0000`;
}

/** Somebody who writes mails, with or without account. */
export interface Writer {
	readonly name: string;
	readonly email: string;
	/** Encoding of the mail program. */
	readonly packing?: Packing;
	/** Local part of a Message-ID, made from a hash. */
	readonly messageId?: (hash: string) => string;
}

/** Finds people by their short names. `others`: people without account, and habits of those with one. */
export function createWriters(
	users: Users,
	others: Readonly<Record<string, Partial<Writer>>> = {},
): (name: string) => Writer {
	return (name) => {
		const user = users.byName(name);
		const { name: fullName = user?.fullName, email = user?.email, ...habits } = others[name] ?? {};
		if (fullName === undefined || email === undefined) {
			throw new Error(`Nobody in the world is called ${name}`);
		}
		return { name: fullName, email, ...habits };
	};
}

/** A letter of a discussion, ready to arrive. */
export interface WrittenLetter {
	readonly messageId: string;
	/** Decoded. */
	readonly subject: string;
	readonly text: string;
	readonly from: Writer;
	readonly atMs: number;
	readonly raw: Buffer;
}

/** Facts about a reply's parent. */
export interface Answered {
	readonly messageId: string;
	/** Possibly encoded. */
	readonly subject: string;
	readonly from: Writer;
	readonly atMs: number;
}

export interface LetterDraft {
	readonly from: Writer;
	readonly to: string;
	/** Own words and quotations. */
	readonly text: string;
	readonly atMs: number;
	/** Makes the Message-ID; different for every letter. */
	readonly seed: string;
	readonly headers?: Readonly<Record<string, string>>;
	/** Replaces the writer's own packing, and leaves the signature out. */
	readonly pack?: ((head: HeaderLines, text: string) => Buffer) | undefined;
}

/** The first letter of a thread. */
export function writeOpening(draft: LetterDraft, subject: string): WrittenLetter {
	return write(draft, subject, undefined);
}

/** A reply with attribution line; the text follows it. */
export function writeReply(draft: LetterDraft, answered: Answered): WrittenLetter {
	const said = `On ${mailDate(answered.atMs).slice(0, 16)}, ${answered.from.name || answered.from.email} wrote:\n`;
	const asked = decodeWords(answered.subject);
	const subject = /^re:/i.test(asked) ? asked : `Re: ${asked}`;
	const quotes = draft.text.startsWith('>');
	return write(quotes ? { ...draft, text: said + draft.text } : draft, subject, answered);
}

function write(draft: LetterDraft, subject: string, answered: Answered | undefined): WrittenLetter {
	const { from, to, atMs, seed } = draft;
	const messageId = idOf(from, seed);
	const text = `${draft.text}\n\n-- \n${from.name === '' ? 'sent on the way' : from.name}\n`;
	const head = {
		From: mailbox(from),
		To: to,
		Cc: answered === undefined ? undefined : mailbox(answered.from),
		Subject: encodeWords(subject),
		Date: mailDate(atMs),
		'Message-ID': messageId,
		'In-Reply-To': answered?.messageId,
		References: answered?.messageId,
		...draft.headers,
	};
	const raw = draft.pack?.(head, draft.text) ?? packMail(head, text, from.packing);
	return { messageId, subject, text, from, atMs, raw };
}

const plainId = (hash: string): string => `${hash.slice(0, 8)}.${hash.slice(8, 14)}`;

function idOf({ email, messageId = plainId }: Writer, seed: string): string {
	const hash = createHash('sha256').update(seed).digest('hex');
	return `<${messageId(hash)}@${email.slice(email.indexOf('@') + 1)}>`;
}

const linesBefore = 5;

/** Quotes one patch mail piece by piece, as people do who read it from top to bottom. */
export function createPatchQuoter(text: string) {
	const lines = text.split('\n');
	let quotedTo = -1;
	return {
		/**
		 * Quotes the hunk up to the next line with the needle: its header, unless quoted before, and the last lines. Throws
		 * if no hunk has such a line, which is a bug in the plans.
		 */
		quote(needle: string) {
			const at = lines.findIndex((line, index) => {
				return index > quotedTo && /^[-+ ]/.test(line) && line.includes(needle) && headerBefore(lines, index) >= 0;
			});
			check(at !== -1, () => new Error(`No hunk holds: ${needle}`));
			const header = headerBefore(lines, at);
			const from = Math.max(header + 1, at - linesBefore, quotedTo + 1);
			const shown = [...(header > quotedTo ? lines.slice(header, header + 1) : []), ...lines.slice(from, at + 1)];
			quotedTo = at;
			return quote(shown);
		},
	};
}

function headerBefore(lines: readonly string[], at: number): number {
	for (let index = at; index >= 0; index--) {
		if (lines[index]?.startsWith('@@ ') === true) {
			return index;
		}
		if (lines[index]?.startsWith('diff --git ') === true) {
			return -1;
		}
	}
	return -1;
}

/** Quotes the last own lines of a text. */
export function quoteSpeech(text: string): string {
	const own = text.replace(/\n-- \n[^]*$/, '').split('\n');
	const spoken = own.filter((line) => line !== '' && !line.startsWith('>') && !line.endsWith(' wrote:'));
	return quote(spoken.slice(-2));
}

function quote(lines: readonly string[]): string {
	return lines.map((line) => (line === '' || line.startsWith('>') ? `>${line}` : `> ${line}`)).join('\n');
}
