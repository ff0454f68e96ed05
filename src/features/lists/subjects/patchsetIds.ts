import type { Connection } from '../../../store/connection.ts';
import type { ThreadRef } from '../../../store/readMarks/storedReadMarks.ts';
import type { MailSummary } from '../../../store/lists/mailSummary.ts';

/** From the server's data about mails if present, otherwise from known patchsets. */
export function patchsetIds(
	connection: Connection,
	{ list }: ThreadRef,
	mails: readonly MailSummary[],
): readonly number[] {
	const { lists } = connection;
	const told = mails.flatMap(({ patchsetId }) => patchsetId ?? []);
	const messageIds = new Set(mails.map(({ messageId }) => messageId));
	const known = lists
		.knownPatchsets(list)
		.filter(
			({ messageId, coverLetter }) =>
				messageIds.has(messageId ?? '') || mails.some((mail) => mail.id === coverLetter?.id),
		)
		.map(({ id }) => id);
	return [...new Set([...told, ...known])].toSorted((a, b) => a - b);
}
