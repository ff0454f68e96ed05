import type { ApplyManner } from 'hardened-git/applyCommands.ts';
import { areBare } from 'patchmail/series/amCommand.ts';
import { mailForGit, quotedReturns } from 'patchmail/series/mailForGit.ts';
import { mailboxOf } from 'patchmail/series/mbox.ts';
import type { GivenTrailer, SeriesPatch } from 'patchmail/series/seriesReading.ts';
import type { Connection } from '../../../store/connection.ts';

/** A mailbox for `git am`. */
export interface SeriesMailbox {
	readonly patches: readonly SeriesPatch[];
	readonly manner: ApplyManner;
	readonly bytes: Uint8Array;
	/** Positions of mails with CR LF inside of a transfer encoding; true if the mailbox lacks these CRs. */
	readonly stripped: ReadonlyMap<number, boolean>;
	/** The same mailbox with another decision for some of these mails. */
	readonly with: (stripped: ReadonlyMap<number, boolean>) => SeriesMailbox;
	/** Numbers of the patches whose messages could not take their trailers. */
	readonly withoutTrailers: readonly number[];
	/** Trailers and authors added to each mail. */
	readonly added: readonly (readonly GivenTrailer[])[];
}

/** The user's choices for the patches. */
export interface PatchChoices {
	/** Added to the messages. */
	readonly trailers: readonly GivenTrailer[];
	readonly isMerging: boolean;
}

/** Fetches the mails of the patches and joins them into one mailbox. */
export async function seriesMailbox(
	{ lists }: Connection,
	patches: readonly SeriesPatch[],
	{ trailers: all, isMerging }: PatchChoices,
	signal: AbortSignal,
): Promise<SeriesMailbox> {
	const mails = await Promise.all(
		patches.map(async ({ mail: { id }, index }) => {
			const { envelope } = await lists.mails.mail(id, signal);
			const trailers = all.filter(({ patchIndexes }) => patchIndexes.includes(index));
			return { index, envelope, trailers, returns: quotedReturns(envelope) };
		}),
	);
	const manner = { isBare: areBare(patches), isMerging };
	const boxOf = (stripped: ReadonlyMap<number, boolean>): SeriesMailbox => {
		const withoutTrailers: number[] = [];
		const added: (readonly GivenTrailer[])[] = [];
		const envelopes = mails.map(({ index, envelope, trailers }, at) => {
			const stripsReturns = stripped.get(at) ?? false;
			const made = mailForGit(envelope, { trailers, stripsReturns });
			added.push(made === undefined ? [] : trailers);
			if (made === undefined && trailers.length > 0) {
				withoutTrailers.push(index);
			}
			return made ?? mailForGit(envelope, { trailers: [], stripsReturns }) ?? envelope;
		});
		return { patches, manner, bytes: mailboxOf(envelopes), stripped, with: boxOf, withoutTrailers, added };
	};
	const returns = mails.flatMap((mail, at) =>
		mail.returns === 'none' ? [] : [[at, mail.returns === 'transport'] as const],
	);
	return boxOf(new Map(returns));
}
