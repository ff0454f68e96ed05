import { isForgeError } from 'sourcehut/port/forgeError.ts';
import type { PatchsetRef } from 'sourcehut/port/list.ts';
import { answeredPatches } from 'patchmail/series/answeredPatches.ts';
import type { Connection } from '../../../store/connection.ts';
import { isOwnWriter, writerOfRead } from '../../../store/people/sentBy.ts';
import {
	failureOfMails,
	type PatchsetReview,
	type SeriesVersion,
} from '../../../store/lists/patchsets/patchsetReview.ts';

/** Versions to search, at some requests each. Nobody sends more between two reviews of one person. */
const mostVersions = 5;

/** The last earlier version that the account replied to or viewed files in. Logs and skips versions that fail to load. */
export function lastReviewed(
	log: (error: unknown) => void,
	connection: Connection,
	review: PatchsetReview,
	signal: AbortSignal,
): Promise<SeriesVersion | undefined> {
	return lastBefore(review, async (ref) => {
		return connection.viewed.isBegun(ref) || (await isAnswered(log, connection, ref, signal));
	});
}

/** Like `lastReviewed`, from replies alone. */
export function lastAnswered(
	log: (error: unknown) => void,
	connection: Connection,
	review: PatchsetReview,
	signal: AbortSignal,
): Promise<SeriesVersion | undefined> {
	return lastBefore(review, (ref) => isAnswered(log, connection, ref, signal));
}

async function lastBefore({ ref, versions }: PatchsetReview, isMeant: (ref: PatchsetRef) => Promise<boolean>) {
	const at = versions.findIndex(({ patchset }) => patchset.id === ref.id);
	for (const version of versions.slice(Math.max(0, at - mostVersions), Math.max(0, at)).toReversed()) {
		if (await isMeant({ list: ref.list, id: version.patchset.id })) {
			return version;
		}
	}
	return undefined;
}

async function isAnswered(
	log: (error: unknown) => void,
	connection: Connection,
	ref: PatchsetRef,
	signal: AbortSignal,
): Promise<boolean> {
	try {
		const review = await connection.reviews.read(ref, signal);
		// True if the account answered a mail of this series. A thread may contain other versions.
		const own = new Set([review.series.cover?.id, ...review.series.patches.map(({ mail }) => mail.id)]);
		const patchesOf = answeredPatches(review.mails, review.series);
		const isThere = review.mails.some(
			(mail) => isOwnWriter(connection, writerOfRead(mail)) && !own.has(mail.id) && patchesOf(mail).length > 0,
		);
		const failure = isThere ? undefined : failureOfMails(review);
		if (failure) {
			// The failed mails may include the reply.
			log(failure.error);
		}
		return isThere;
	} catch (error) {
		if (!isForgeError(error)) {
			throw error;
		}
		log(error);
		return false;
	}
}
