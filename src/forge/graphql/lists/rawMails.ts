import { ForgeError } from '../../port/forgeError.ts';
import type { GraphqlCaller } from '../door/graphqlCaller.ts';
import type { Clock } from '../../../base/clock.ts';
import type { ThreadMails } from './listDocuments.ts';

const mebibyte = 1024 * 1024;
const mailBytes = 25 * mebibyte;
const mailboxBytes = 64 * mebibyte;

/** Original mails; the API itself doesn't expose them (docs/protocol.md#graphql-mailboxes). */
export type RawMails = ReturnType<typeof rawMails>;

export function rawMails({ get }: GraphqlCaller) {
	const wish = { area: 'lists', scope: 'emails:read' } as const;

	async function mailbox(path: string, signal: AbortSignal): Promise<readonly MailOfMailbox[]> {
		const text = mailText(await get({ ...wish, path, limitBytes: mailboxBytes }, signal));
		// Skipping text before the first separator would lose a mail, and the rest would count as complete.
		if (text.trim() !== '' && !text.startsWith('From ')) {
			throw new ForgeError({ kind: 'notUnderstood', where: 'the mailbox', why: 'it does not begin with a mail' });
		}
		return mailsOfMailbox(text);
	}

	return {
		mail: async (id: number, signal: AbortSignal) =>
			mailText(await get({ ...wish, path: `/query/email/${id}`, limitBytes: mailBytes }, signal)),
		/** All mails of the thread that starts with this mail. */
		thread: (rootId: number, signal: AbortSignal) => mailbox(`/query/thread/${rootId}.mbox`, signal),
		/** The patches of a patchset, in series order. */
		patches: (patchsetId: number, signal: AbortSignal) => mailbox(`/query/patchset/${patchsetId}.mbox`, signal),
	};
}

const longestMs = 10_000;
/** Enough for the patchsets that a user opens at one time. */
const mostThreads = 8;

/** A cached thread may miss new mails, so the caller compares it with the mailbox. */
export function threadsOfPatches(clock: Clock) {
	const kept = new Map<number, { readonly thread: ThreadMails; readonly atMs: number }>();
	return {
		/** Caches a thread for a short time, and returns it. */
		told(thread: ThreadMails) {
			kept.delete(thread.rootId);
			kept.set(thread.rootId, { thread, atMs: clock.nowMs() });
			for (const rootId of [...kept.keys()].slice(0, -mostThreads)) {
				kept.delete(rootId);
			}
			return thread;
		},
		/** Removes and returns the thread that starts with this mail, unless it has expired. */
		taken(rootId: number) {
			const found = kept.get(rootId);
			kept.delete(rootId);
			return found && clock.nowMs() - found.atMs <= longestMs ? found.thread : undefined;
		},
	};
}

/** One mail of a mailbox. */
export interface MailOfMailbox {
	/** With angle brackets; empty if the mail has none. */
	readonly messageId: string;
	/** Without the mbox separator line and the server's own headers. */
	readonly envelope: string;
	/**
	 * True if mbox escaping may have changed a line. It prefixes lines that start with `From ` with `>`, and the
	 * original is ambiguous (docs/protocol.md#graphql-mailboxes).
	 */
	readonly isDoubtful: boolean;
}

/** The mbox separator before each mail, after an empty line. `From : somebody` is an old header syntax. */
const separator = /(?:^|\n\r?\n)From [^\s:][^\n]*\r?\n/g;
/** The server's patchset headers, in the last mail of a patchset. */
const added = /^X-Sourcehut-[^\n]*\r?\n/;

/** Splits a mailbox of a thread or patchset. */
export function mailsOfMailbox(text: string): readonly MailOfMailbox[] {
	const starts = Array.from(text.matchAll(separator), ({ index, 0: line }) => ({ from: index + line.length, index }));
	return starts.map(({ from }, at) => {
		const envelope = withoutAdded(withLineEnd(text.slice(from, endOf(text, starts[at + 1]?.index))));
		return { messageId: messageIdOf(envelope), envelope, isDoubtful: /^>+From /m.test(envelope) };
	});
}

/** The server writes a line ending and an empty line after every mail, including the last one. */
function endOf(text: string, next: number | undefined): number {
	return next ?? text.length - (/\n\r?\n$/.exec(text.slice(-3))?.[0].length ?? 0);
}

function withLineEnd(envelope: string): string {
	return envelope.endsWith('\n') ? envelope : `${envelope}\n`;
}

function withoutAdded(envelope: string): string {
	const line = added.exec(envelope)?.[0];
	return line === undefined ? envelope : withoutAdded(envelope.slice(line.length));
}

/** Message-ID from the headers, unfolded. */
function messageIdOf(envelope: string): string {
	const head = envelope.slice(0, headEnd(envelope)).replaceAll(/\r?\n[ \t]+/g, ' ');
	return /^message-id:\s*(<[^>\n]*>)/im.exec(head)?.[1] ?? '';
}

function headEnd(envelope: string): number {
	const end = /\r?\n\r?\n/.exec(envelope)?.index;
	return end ?? envelope.length;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Decodes mail bytes as UTF-8, and maps each invalid byte to U+DC80 to U+DCFF (docs/protocol.md#envelopes). */
export function mailText(bytes: Uint8Array): string {
	try {
		return utf8.decode(bytes);
	} catch {
		return textOfSome(bytes);
	}
}

/**
 * Decodes valid characters and maps the bytes between them. Works without a call per byte, because a mail in another
 * charset can have millions of invalid bytes, and a mailbox mixes charsets (docs/security.md#slow-parsers).
 */
function textOfSome(bytes: Uint8Array): string {
	const units = new Uint16Array(bytes.length);
	let count = 0;
	for (let at = 0; at < bytes.length;) {
		const length = sequenceLength(bytes, at);
		const code = length === 0 ? 0xdc00 + (bytes[at] ?? 0) : codeOf(bytes, at, length);
		if (code > 0xffff) {
			units[count] = 0xd7c0 + (code >> 10);
			count += 1;
		}
		units[count] = code > 0xffff ? 0xdc00 + (code & 0x3ff) : code;
		count += 1;
		at += Math.max(1, length);
	}
	return Buffer.from(units.buffer, 0, 2 * count).toString('utf16le');
}

/** Length in bytes of the character at this index; 0 if none starts here. */
function sequenceLength(bytes: Uint8Array, at: number): number {
	const lead = bytes[at] ?? 0;
	const length = lengthBy(lead);
	if (length > 1 && !isSecond(lead, bytes[at + 1] ?? 0)) {
		return 0;
	}
	for (let next = at + 2; next < at + length; next += 1) {
		if (!isFollowing(bytes[next] ?? 0)) {
			return 0;
		}
	}
	return length;
}

/** Length from the lead byte; 0 if it is invalid. */
function lengthBy(lead: number): number {
	if (lead < 0x80) {
		return 1;
	}
	if (lead < 0xc2 || lead > 0xf4) {
		return 0;
	}
	return lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}

/** Rejects overlong forms, surrogates and code points above U+10FFFF. */
function isSecond(lead: number, byte: number): boolean {
	const least = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
	const most = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
	return byte >= least && byte <= most;
}

function isFollowing(byte: number): boolean {
	return byte >= 0x80 && byte <= 0xbf;
}

function codeOf(bytes: Uint8Array, at: number, length: number): number {
	const lead = bytes[at] ?? 0;
	let code = length === 1 ? lead : lead & (0x7f >> length);
	for (let next = at + 1; next < at + length; next += 1) {
		code = (code << 6) | ((bytes[next] ?? 0) & 0x3f);
	}
	return code;
}
