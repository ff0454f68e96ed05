import * as vscode from 'vscode';
import { cancelled } from '../../../editor/ask/ask.ts';
import { confirm } from '../../../editor/ask/notify.ts';
import { subjectOfThread } from '../../../forge/patchSubject.ts';
import { mailWithTrailers } from '../../../series/mailWithTrailers.ts';
import { mboxOf } from '../../../series/mbox.ts';
import type { GivenTrailer, SeriesPatch, SeriesReading } from '../../../series/seriesReading.ts';
import type { Connection } from '../../../state/connection.ts';
import { failureOfMails, type PatchsetReview } from '../../../state/lists/review/patchsetReview.ts';
import { seriesProblemText } from '../subjects/problemTexts.ts';

/** Patches as a mailbox that `git am` takes. */
export interface SeriesMailbox {
	readonly bytes: Uint8Array;
	/** Numbers of the patches whose mails are written so that trailers could not be added to their messages. */
	readonly withoutTrailers: readonly number[];
}

/** What of a series is put into a mailbox. */
export interface MailboxChoice {
	readonly patches: readonly SeriesPatch[];
	readonly trailers: readonly GivenTrailer[];
}

/** The patches that the page shows, those that fill gaps and those that came as attachments among them. */
export async function seriesMailbox(
	{ lists }: Pick<Connection, 'lists'>,
	{ patchset: { version } }: Pick<PatchsetReview, 'patchset'>,
	{ patches, trailers }: MailboxChoice,
	signal: AbortSignal,
): Promise<SeriesMailbox> {
	const withoutTrailers: number[] = [];
	const mails = await Promise.all(
		patches.map(async ({ mail, index }) => {
			const { subject, envelope } = await lists.mail(mail.id, signal);
			const wanted = trailers.filter(({ patchIndexes }) => patchIndexes.includes(index));
			const made = wanted.length === 0 ? envelope : mailWithTrailers(envelope, wanted);
			if (made === undefined) {
				withoutTrailers.push(index);
			}
			// Which mails count is settled: a patch that was sent as an answer is one of them.
			return { subject: subjectOfThread(subject), envelope: made ?? envelope };
		}),
	);
	return { bytes: mboxOf(mails, version), withoutTrailers: withoutTrailers.toSorted((a, b) => a - b) };
}

/** Says of patches, by their numbers, that trailers are not in them. */
export function withoutTrailersText(indexes: readonly number[]): string {
	const numbers = new Intl.ListFormat(vscode.env.language).format(indexes.map(String));
	return vscode.l10n.t('Trailers could not be added to: patch {0}.', numbers);
}

/**
 * How many patches the subjects announce that are not there. Throws what could not be read, since then they may be there
 * all the same.
 */
export function missingPatches({ series, failures }: Pick<PatchsetReview, 'series' | 'failures'>): number {
	const missing = Math.max(0, series.count - series.patches.length);
	const failure = failureOfMails({ failures });
	if (missing > 0 && failure) {
		throw failure.error;
	}
	return missing;
}

/**
 * Asks before patches leave while replies could not be read, or only as another window did: trailers that they give would be
 * missing without a word. Throws `cancelled()` for a no.
 */
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

/** Asks before a patch leaves that git may read differently, or that was not read. Throws `cancelled()` for a no. */
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
