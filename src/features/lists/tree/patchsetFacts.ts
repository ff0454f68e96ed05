import type { Patchset, PatchsetRef } from '../../../forge/port/list.ts';
import { answerCounts } from '../../../engine/series/answerCounts.ts';
import type { Connection } from '../../../store/connection.ts';

/*
 * Facts of a patchset from loaded data; rows omit unknown ones.
 */

/**
 * Submitter: a From header or an account name. Servers send the header of the last patch or of the cover letter
 * (docs/protocol.md#patchset-fields); without either, the loaded mails have it.
 */
export function knownSubmitter(
	{ lists }: Connection,
	ref: PatchsetRef,
	{ submitter, coverLetter }: Patchset,
): string | undefined {
	const series = lists.knownSeries(ref);
	const sender = (coverLetter ?? series?.cover ?? series?.patches[0])?.sender;
	return submitter ?? sender?.canonicalName;
}

/** How many patches it has. */
export function knownSize({ lists, reviews }: Connection, ref: PatchsetRef): number | undefined {
	const read = reviews.known(ref)?.series.patches.length;
	return read === undefined || read === 0 ? lists.knownSeries(ref)?.patches.length : read;
}

/** How many mails answer it. */
export function knownAnswers({ lists, reviews }: Connection, ref: PatchsetRef): number | undefined {
	const standing = reviews.known(ref);
	if (standing && standing.series.patches.length > 0) {
		return answerCounts(standing.mails, standing.series).all;
	}
	const series = lists.knownSeries(ref);
	const first = series?.cover ?? series?.patches[0];
	const mail = first && lists.knownMail(first.id);
	// Servers count all mails below the first one of a conversation, the patches below a cover letter too.
	return series && mail && mail.threadId === undefined
		? Math.max(0, mail.replies - series.patches.filter(({ id }) => id !== mail.id).length)
		: undefined;
}

/** How many mails answer each of its patches, by the patch's number. */
export function knownAnswersByPatch(
	{ reviews }: Connection,
	ref: PatchsetRef,
): ReadonlyMap<number, number> | undefined {
	const standing = reviews.known(ref);
	return standing && answerCounts(standing.mails, standing.series).byPatch;
}
