import type { Connection } from '../../../store/connection.ts';
import type { MailSubject } from './subjects.ts';

/** Number of the first mail of the conversation that a mail belongs to; asks the forge only for a mail that was never met. */
export async function rootOf(connection: Connection, subject: MailSubject, signal: AbortSignal): Promise<number> {
	return knownRootOf(connection, subject) ?? rootIn(await connection.lists.mails.mail(subject.id, signal));
}

/** The same without asking. */
function knownRootOf({ lists }: Connection, { list, id }: MailSubject): number | undefined {
	if (lists.knownThread(list, id)) {
		return id;
	}
	const mail = lists.knownMail(id) ?? lists.knownPosts(list).find((each) => each.id === id);
	return mail && rootIn(mail);
}

function rootIn({ id, threadId }: { readonly id: number; readonly threadId: number | undefined }): number {
	return threadId ?? id;
}
