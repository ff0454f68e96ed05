import * as vscode from 'vscode';
import { cancelled } from '../../../editor/ask/ask.ts';
import { confirm } from '../../../editor/ask/notify.ts';
import { mailForGit, quotedReturns } from '../../../engine/series/mailForGit.ts';
import { mailboxOf } from '../../../engine/series/mbox.ts';
import type { GivenTrailer, SeriesPatch, SeriesReading } from '../../../engine/series/seriesReading.ts';
import type { Connection } from '../../../store/connection.ts';
import { failureOfMails, type PatchsetReview } from '../../../store/lists/review/patchsetReview.ts';
import { seriesProblemText } from '../subjects/problemTexts.ts';

/** Patches and trailers for a mailbox. */
export interface MailboxChoice {
	readonly patches: readonly SeriesPatch[];
	readonly trailers: readonly GivenTrailer[];
}

/** A mailbox for `git am`. */
export interface SeriesMailbox {
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

/** Fetches the mails of the patches and joins them into one mailbox. */
export async function seriesMailbox(
	{ lists }: Pick<Connection, 'lists'>,
	{ patches, trailers: all }: MailboxChoice,
	signal: AbortSignal,
): Promise<SeriesMailbox> {
	const mails = await Promise.all(
		patches.map(async ({ mail: { id }, index }) => {
			const { envelope } = await lists.mails.mail(id, signal);
			const trailers = all.filter(({ patchIndexes }) => patchIndexes.includes(index));
			return { index, envelope, trailers, returns: quotedReturns(envelope) };
		}),
	);
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
		return {
			bytes: mailboxOf(envelopes),
			stripped,
			with: boxOf,
			withoutTrailers,
			added,
		};
	};
	const returns = mails.flatMap((mail, at) =>
		mail.returns === 'none' ? [] : [[at, mail.returns === 'transport'] as const],
	);
	return boxOf(new Map(returns));
}

/** Asks about patches that cannot take the chosen trailers. Throws `cancelled()` for a no. */
export async function askWithoutTrailers(indexes: readonly number[], action: string): Promise<void> {
	if (indexes.length === 0) {
		return;
	}
	const numbers = new Intl.ListFormat(vscode.env.language).format(indexes.map(String));
	const text = vscode.l10n.t("Trailers can't be added to these patches: {0}.", numbers);
	const detail = vscode.l10n.t('Their commits would lack the trailers that you chose. Cancel to add them by hand.');
	if (!(await confirm(text, detail, action))) {
		throw cancelled();
	}
}

/** Number of announced but missing patches. Throws the error of a failed read, since the patches may exist. */
export function missingPatches({ series, failures }: Pick<PatchsetReview, 'series' | 'failures'>): number {
	const missing = Math.max(0, series.count - series.patches.length);
	const failure = failureOfMails({ failures });
	if (missing > 0 && failure) {
		throw failure.error;
	}
	return missing;
}

/** Asks if replies failed to load or to parse: their trailers would silently be missing. Throws `cancelled()` for a no. */
export async function askUnread(review: Pick<PatchsetReview, 'failures' | 'series'>, action: string): Promise<void> {
	if (!failureOfMails(review) && !review.series.problems.some(({ kind }) => kind === 'rawReply')) {
		return;
	}
	const detail = vscode.l10n.t(
		'Trailers that they give, such as Reviewed-by, may be missing. To get them, cancel and try again later.',
	);
	if (!(await confirm(vscode.l10n.t('Not all replies could be read.'), detail, action))) {
		throw cancelled();
	}
}

/** Asks about patches that git may read differently or that the parser rejected. Throws `cancelled()` for a no. */
export async function askInDoubt({ problems }: SeriesReading, action: string): Promise<void> {
	const doubts = problems.filter(
		(problem) =>
			problem.kind === 'inDoubt' || problem.kind === 'noPrefix' || (problem.kind === 'shownRaw' && problem.index > 0),
	);
	if (doubts.length === 0) {
		return;
	}
	const detail = Array.from(new Set(doubts.map(seriesProblemText))).join('\n');
	if (!(await confirm(vscode.l10n.t('Git may apply something other than what is shown.'), detail, action))) {
		throw cancelled();
	}
}
