import { ForgeError } from '../../port/forgeError.ts';
import type { GraphqlCaller } from '../door/graphqlCaller.ts';
import { mailsOfMailbox, type MailOfMailbox } from './mailboxFile.ts';
import { mailText } from './mailText.ts';

/** Original mails; the API itself doesn't expose them (docs/protocol.md#graphql-mailboxes). */
export interface RawMails {
	mail(id: number, signal: AbortSignal): Promise<string>;
	/** All mails of the thread that starts with this mail. */
	thread(rootId: number, signal: AbortSignal): Promise<readonly MailOfMailbox[]>;
	/** The patches of a patchset, in series order. */
	patches(patchsetId: number, signal: AbortSignal): Promise<readonly MailOfMailbox[]>;
}

const mebibyte = 1024 * 1024;
const mailBytes = 25 * mebibyte;
const mailboxBytes = 64 * mebibyte;

export function rawMails({ get }: Pick<GraphqlCaller, 'get'>): RawMails {
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
		mail: async (id, signal) =>
			mailText(await get({ ...wish, path: `/query/email/${id}`, limitBytes: mailBytes }, signal)),
		thread: (rootId, signal) => mailbox(`/query/thread/${rootId}.mbox`, signal),
		patches: (patchsetId, signal) => mailbox(`/query/patchset/${patchsetId}.mbox`, signal),
	};
}
