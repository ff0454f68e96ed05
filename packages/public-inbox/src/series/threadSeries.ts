import { mailText } from 'patchmail/mail/mailText.ts';
import { postedSeries, readEnvelopes, type PostedSeries } from 'patchmail/series/postedSeries.ts';

/**
 * The series in a thread of an archive, oldest first. The thread may have mails of other threads with an equal subject;
 * their series come along. Rejects with the signal's reason.
 */
export async function seriesOfThread(
	mails: readonly Uint8Array[],
	signal: AbortSignal,
): Promise<readonly PostedSeries[]> {
	return postedSeries(await readEnvelopes(mails.map(mailText), signal));
}
