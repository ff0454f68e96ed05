import type { Patchset, PatchsetRef } from '../../../forge/list.ts';
import type { Connection } from '../../../state/connection.ts';

/*
 * What is known of a patchset without asking: rows say it, and say nothing where it is not known.
 */

/**
 * Who sent it: a From header, or the account's name. Servers tell the header of the last patch or the cover letter
 * (docs/protocol.md#patchset-fields); where they tell neither, its mails do once they are known.
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

/** How many mails answer it: all of its conversation that is neither a patch nor the cover letter. */
export function knownAnswers({ lists, reviews }: Connection, ref: PatchsetRef): number | undefined {
	const standing = reviews.known(ref);
	if (standing && standing.mails.length > 0) {
		const own = new Set([
			...(standing.series.cover ? [standing.series.cover.id] : []),
			...standing.series.patches.map(({ mail }) => mail.id),
			...standing.versionsInThread.flatMap(({ mailIds }) => [...mailIds]),
		]);
		return standing.mails.filter(({ id }) => !own.has(id)).length;
	}
	const series = lists.knownSeries(ref);
	const first = series?.cover ?? series?.patches[0];
	const mail = first && lists.knownMail(first.id);
	// Servers count all mails below the first one of a conversation, the patches below a cover letter too.
	return series && mail && mail.threadId === undefined
		? Math.max(0, mail.replies - series.patches.filter(({ id }) => id !== mail.id).length)
		: undefined;
}

/** How many mails answer each of its patches, at any depth, by the patch's number; a patch below a patch is no answer. */
export function knownAnswersByPatch(
	{ reviews }: Connection,
	ref: PatchsetRef,
): ReadonlyMap<number, number> | undefined {
	const standing = reviews.known(ref);
	if (!standing) {
		return undefined;
	}
	const counts = new Map(standing.series.patches.map(({ mail }) => [mail.id, 0]));
	/** The patch that each mail is below of. */
	const patchOf = new Map<number, number>();
	// Answers come after what they answer.
	for (const { id, parentId } of standing.mails) {
		const patch = counts.has(id) ? id : patchOf.get(parentId ?? 0);
		if (patch !== undefined) {
			patchOf.set(id, patch);
			counts.set(patch, (counts.get(patch) ?? 0) + (patch === id ? 0 : 1));
		}
	}
	return counts;
}
