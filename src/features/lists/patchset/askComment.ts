import * as vscode from 'vscode';
import type { Clock } from '../../../base/clock.ts';
import { choose, type Choice } from '../../../editor/ask/ask.ts';
import type { ReviewComment } from '../../../review/reviewComment.ts';
import type { ReviewThread } from '../../../review/reviewThreads.ts';
import { shortAge } from '../../../text/age.ts';
import { shortLine } from '../../../text/visible.ts';
import { commentGroups, commentPlaceText, countsOf } from '../review/commentGroups.ts';
import type { RepliesReview } from '../review/patchsetReviews.ts';
import { firstLineOf, questionText, writerName } from '../review/reviewWords.ts';

/** The heading shares a line with the first comment and must leave room for its words. */
const longestHeading = 32;

/** Asks for one of all comments on a patchset, by patch and in reading order. Throws `cancelled()` when closed. */
export async function askComment(review: RepliesReview, clock: Pick<Clock, 'nowMs'>): Promise<ReviewComment> {
	const choices = commentGroups(review).flatMap(({ title, threads }) => {
		const rows = threads.flatMap((thread) => threadChoices(thread, review, clock.nowMs()));
		// The editor makes headings unselectable.
		return [...rows.slice(0, 1).map(({ value }) => ({ ...headingOf(title), value })), ...rows];
	});
	const counts = countsOf(review.threads, review).join(' · ');
	return await choose(vscode.l10n.t('Choose a comment'), choices, counts);
}

function headingOf(title: string): vscode.QuickPickItem {
	return { label: shortLine(title, longestHeading), kind: vscode.QuickPickItemKind.Separator };
}

function threadChoices(
	{ place, comments }: ReviewThread,
	{ open, series }: RepliesReview,
	nowMs: number,
): readonly Choice<ReviewComment>[] {
	return comments.map((comment) => {
		const isQuestion = open.has(comment);
		const facts = [
			...(isQuestion ? [questionText()] : []),
			writerName(comment.mail),
			commentPlaceText(place, series.patches),
			shortAge(comment.mail.createdMs, nowMs, vscode.env.language),
		];
		return {
			label: firstLineOf(comment),
			detail: facts.filter((fact) => fact !== '').join(' · '),
			iconPath: new vscode.ThemeIcon(
				isQuestion ? 'question' : 'comment',
				isQuestion ? new vscode.ThemeColor('charts.yellow') : undefined,
			),
			value: comment,
		};
	});
}
