import { isForgeError } from '../../../forge/forgeError.ts';
import type { Connection } from '../../../state/connection.ts';
import type { PatchsetReview, SeriesVersion } from '../../../state/lists/review/patchsetReview.ts';
import type { Problems } from '../../../editor/ask/problems.ts';

/** Nobody sends more versions between two reviews of one person, and each may cost some requests. */
const mostVersions = 5;

/**
 * The last version before a patchset that the account replied to, or marked files of as viewed. One that cannot be read is
 * logged and passed over.
 */
export async function lastReviewed(
	problems: Pick<Problems, 'log'>,
	connection: Connection,
	{ ref, versions }: PatchsetReview,
	signal: AbortSignal,
): Promise<SeriesVersion | undefined> {
	const at = versions.findIndex(({ patchset }) => patchset.id === ref.id);
	for (const version of versions.slice(Math.max(0, at - mostVersions), Math.max(0, at)).toReversed()) {
		const other = { list: ref.list, id: version.patchset.id };
		if (connection.viewed.isBegun(other)) {
			return version;
		}
		try {
			const review = await connection.reviews.read(other, signal);
			if (isReviewed(connection, review)) {
				return version;
			}
		} catch (error) {
			if (!isForgeError(error)) {
				throw error;
			}
			problems.log(error);
		}
	}
	return undefined;
}

/** The account wrote in the conversation, beside mails of the series itself. */
function isReviewed(
	{ me }: Connection,
	{ mails, series: { cover, patches }, versionsInThread }: PatchsetReview,
): boolean {
	const own = new Set([...(cover ? [cover.id] : []), ...patches.map(({ mail }) => mail.id)]);
	const later = versionsInThread.flatMap(({ mailIds }) => [...mailIds]);
	return mails.some(({ id, account }) => account === me && !own.has(id) && !later.includes(id));
}
