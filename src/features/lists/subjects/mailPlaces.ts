import { firstMailOfFormed } from 'patchmail/series/listedPatchset.ts';
import type { Connection } from '../../../store/connection.ts';
import type { MailSummary } from '../../../store/lists/mailSummary.ts';
import type { ThreadRef } from '../../../store/readMarks/storedReadMarks.ts';

/*
 * Patchsets and conversations of mails, as far as known.
 */

/** The server's patchset id; otherwise the patchset that contains the mail as part or reply, if known. */
export function patchsetOfMail(connection: Connection | undefined, { list, id }: ThreadRef): number | undefined {
	if (!connection) {
		return undefined;
	}
	const { lists, reviews } = connection;
	const stated = lists.knownMail(id)?.patchsetId ?? lists.knownPosts(list).find((post) => post.id === id)?.patchsetId;
	if (stated !== undefined) {
		return stated;
	}
	const ids = lists.knownPatchsets(list).map((patchset) => patchset.id);
	const asPart = ids.find((patchsetId) => {
		const { cover, patches = [] } = lists.knownSeries({ list, id: patchsetId }) ?? {};
		return [cover, ...patches].some((mail) => mail?.id === id);
	});
	return (
		asPart ??
		ids.find(
			(patchsetId) =>
				// A formed patchset shares its thread with the server patchset.
				firstMailOfFormed(patchsetId) === undefined &&
				reviews.known({ list, id: patchsetId })?.mails.some((mail) => mail.id === id),
		)
	);
}

/** Known patchsets of a mail's thread, such as two versions; oldest first. */
export function patchsetsInThread(connection: Connection | undefined, { list, id }: ThreadRef): readonly number[] {
	if (!connection) {
		return [];
	}
	const { lists } = connection;
	const thread = lists.knownThread(list, lists.knownMail(id)?.threadId ?? id) ?? [];
	const mails = new Set(thread.map((mail) => mail.id));
	const stated = thread.flatMap((mail) => mail.patchsetId ?? []);
	const inSeries = lists.knownPatchsets(list).filter((patchset) => {
		const series = lists.knownSeries({ list, id: patchset.id });
		return series?.patches.some((mail) => mails.has(mail.id));
	});
	return [...new Set([...stated, ...inSeries.map((patchset) => patchset.id)])].toSorted((a, b) => a - b);
}

/** From the server's data about mails if present, otherwise from known patchsets. */
export function patchsetIds(
	connection: Connection,
	{ list }: ThreadRef,
	mails: readonly MailSummary[],
): readonly number[] {
	const { lists } = connection;
	const stated = mails.flatMap(({ patchsetId }) => patchsetId ?? []);
	const messageIds = new Set(mails.map(({ messageId }) => messageId));
	const known = lists
		.knownPatchsets(list)
		.filter(
			({ messageId, coverLetter }) =>
				messageIds.has(messageId ?? '') || mails.some((mail) => mail.id === coverLetter?.id),
		)
		.map(({ id }) => id);
	return [...new Set([...stated, ...known])].toSorted((a, b) => a - b);
}

/** Number of the first mail of the conversation that a mail belongs to; asks the forge only for a mail that was never met. */
export async function rootOf(connection: Connection, subject: ThreadRef, signal: AbortSignal): Promise<number> {
	const { lists } = connection;
	const { list, id } = subject;
	if (lists.knownThread(list, id)) {
		return id;
	}
	const known = lists.knownMail(id) ?? lists.knownPosts(list).find((each) => each.id === id);
	const mail = known ?? (await lists.mails.mail(id, signal));
	return mail.threadId ?? mail.id;
}
