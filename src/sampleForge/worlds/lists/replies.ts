import { createHash } from 'node:crypto';
import { decodeWords, encodeWords } from '../../mail/encodedWords.ts';
import { mailbox, mailDate, packMail, type HeaderLines } from './letter.ts';
import type { Writer } from './writers.ts';

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
