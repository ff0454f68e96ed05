import type { ListRef } from 'sourcehut/port/list.ts';
import type { MailPerson, ReadableMail } from 'patchmail/mail/readableMail.ts';
import { replyPeople, type ReplyPeople } from 'patchmail/review/replyPeople.ts';
import type { Connection } from '../../../store/connection.ts';
import type { ListsContext } from '../context/listsContext.ts';
import { sureAddress } from './sendWords.ts';
import { addressOf, writerOf } from './writer.ts';

/** The mail that a reply answers; `mail` is missing if it could not be parsed. */
export interface AnsweredMail {
	readonly id: number;
	readonly mail: ReadableMail | undefined;
}

/** Recipients of a reply, and its sender if known. Asks for the list's address if mails leave it in doubt. */
export async function replyRecipients(
	connection: Connection,
	parts: ListsContext,
	list: ListRef,
	{ id, mail }: AnsweredMail,
	signal: AbortSignal,
): Promise<ReplyPeople & { readonly from: MailPerson | undefined }> {
	const writer = await writerOf(connection, parts, undefined, signal);
	const mails = mail ? [mail] : [];
	const threadId = connection.lists.knownMail(id)?.threadId;
	if (mail && threadId !== undefined && threadId !== id) {
		// The first mail of the thread may name the list's address when a reply doesn't.
		const { reading } = await connection.texts.readPatch(threadId, signal);
		mails.push(...(reading.kind === 'read' ? [reading.mail] : []));
	}
	const known = await addressOf(connection, list, mails, signal);
	const posting = await sureAddress(connection, list, known);
	const own = [...(writer?.own ?? []), ...(known?.others ?? [])];
	return { ...replyPeople(mail, { own, posting }), from: writer?.from };
}
