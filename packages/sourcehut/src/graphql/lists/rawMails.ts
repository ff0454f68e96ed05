import { ForgeError } from '../../port/forgeError.ts';
import { mailText } from 'patchmail/mail/mailText.ts';
import type { GraphqlCaller } from '../door/graphqlCaller.ts';
import type { Clock } from '@forge-desk/base/clock.ts';
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
