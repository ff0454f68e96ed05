import { ForgeError } from '../../port/forgeError.ts';
import { splitMailbox, type MailOfMailbox } from 'patchmail/mail/mailbox.ts';
import { mailText } from 'patchmail/mail/mailText.ts';
import type { GraphqlCaller } from '../transport/graphqlCaller.ts';
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

/** The server's patchset headers, in the last mail of a patchset. */
const added = /^X-Sourcehut-[^\n]*\r?\n/;

/** Splits a mailbox of a thread or patchset, and removes the server's own headers. */
export function mailsOfMailbox(text: string): readonly MailOfMailbox[] {
	return splitMailbox(text).map((mail) => ({ ...mail, envelope: withoutAdded(mail.envelope) }));
}

function withoutAdded(envelope: string): string {
	const line = added.exec(envelope)?.[0];
	return line === undefined ? envelope : withoutAdded(envelope.slice(line.length));
}
