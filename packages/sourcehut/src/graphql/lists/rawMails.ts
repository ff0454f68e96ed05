import { ForgeError } from '../../port/forgeError.ts';
import { mailsIn, unquoted, type MailOfMailbox } from 'patchmail/mail/mailbox.ts';
import { mailText } from 'patchmail/mail/mailText.ts';
import type { GraphqlCaller } from '../transport/graphqlCaller.ts';
import type { Clock } from '@forge-desk/base/clock.ts';
import type { ThreadMails } from './listDocuments.ts';

const mebibyte = 1024 * 1024;
const mailBytes = 25 * mebibyte;
const mailboxBytes = 64 * mebibyte;

/** A mail of a mailbox. */
export interface RawMail {
	/** With angle brackets; empty if the mail has none. */
	readonly messageId: string;
	readonly envelope: string;
	/** The mailbox may have quoted a line that began with `From `, and the original is ambiguous. */
	readonly isDoubtful: boolean;
}

/** Original mails; the API itself doesn't expose them (docs/protocol.md#graphql-mailboxes). */
export type RawMails = ReturnType<typeof rawMails>;

export function rawMails({ get }: GraphqlCaller) {
	const wish = { area: 'lists', scope: 'emails:read' } as const;

	async function mailbox(path: string, signal: AbortSignal): Promise<readonly RawMail[]> {
		const bytes = await get({ ...wish, path, limitBytes: mailboxBytes }, signal);
		// Skipping text before the first separator would lose a mail, and the rest would count as complete.
		const mails = bytes.byteLength === 0 ? [] : mailsIn(bytes);
		if (!mails) {
			throw new ForgeError({ kind: 'notUnderstood', where: 'the mailbox', why: 'it does not begin with a mail' });
		}
		return mails.map(rawMail);
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

/** The server's patchset headers, in the last mail of a patchset. */
const added = /^X-Sourcehut-[^\n]*\r?\n/;

/** A mail without the server's own headers. */
export function rawMail(mail: MailOfMailbox): RawMail {
	// The server writes two line ends behind each mail.
	const text = withoutAdded(mailText(mail.bytes)).replace(/\r?\n$/, '');
	const envelope = text.endsWith('\n') ? text : `${text}\n`;
	return { messageId: messageIdOf(envelope), envelope, isDoubtful: unquoted(mail) !== mail.bytes };
}

/** Message-ID from the headers, unfolded. */
function messageIdOf(envelope: string): string {
	const end = /\r?\n\r?\n/.exec(envelope)?.index ?? envelope.length;
	const head = envelope.slice(0, end).replaceAll(/\r?\n[ \t]+/g, ' ');
	return /^message-id:\s*(<[^>\n]*>)/im.exec(head)?.[1] ?? '';
}

function withoutAdded(envelope: string): string {
	const line = added.exec(envelope)?.[0];
	return line === undefined ? envelope : withoutAdded(envelope.slice(line.length));
}
