import * as vscode from 'vscode';
import { fileName } from '../../../editor/patchDocuments/fileWords.ts';
import type { CommentPlace } from 'patchmail/review/reviewComment.ts';
import type { ReviewThread } from 'patchmail/review/reviewThreads.ts';
import type { SeriesMail, SeriesPatch } from 'patchmail/series/seriesReading.ts';
import { patchTitle } from '../subjects/words.ts';
import type { RepliesReview } from './patchsetReviews.ts';
import { commentsText, placeText, questionsText } from './reviewWords.ts';

/** A part of the series with its comments. */
export interface CommentGroup {
	readonly key: string;
	/** In reading order. */
	readonly threads: readonly ReviewThread[];
	readonly title: string;
	/** Its mail; `undefined` for a series without cover letter, and for mails outside the series. */
	readonly mail: SeriesMail | undefined;
	readonly codicon: string;
	readonly context: 'mail.patch' | 'mail.cover' | 'commentGroup';
}

/** Comments in replies to a patchset, grouped by patch. */
export function commentGroups(review: RepliesReview): readonly CommentGroup[] {
	const { cover, patches } = review.series;
	const groups = Map.groupBy(review.threads, ({ place }) =>
		place.kind === 'elsewhere' ? 'elsewhere' : String(place.mailId ?? 'series'),
	);
	return Array.from(groups, ([key, threads]): CommentGroup => {
		const patch = patches.find(({ mail }) => String(mail.id) === key)?.mail;
		if (patch) {
			return { key, threads, title: patchTitle(patch), mail: patch, codicon: 'diff', context: 'mail.patch' };
		}
		const codicon = 'comment-discussion';
		if (key === 'elsewhere') {
			const title = vscode.l10n.t('Other messages of the thread');
			return { key, threads, title, mail: undefined, codicon, context: 'commentGroup' };
		}
		const title = cover ? vscode.l10n.t('Series and cover letter') : vscode.l10n.t('Series');
		return { key, threads, title, mail: cover, codicon, context: cover ? 'mail.cover' : 'commentGroup' };
	});
}

/** Counts of comments and of open questions. */
export function countsOf(threads: readonly ReviewThread[], { open }: RepliesReview): readonly string[] {
	const comments = threads.flatMap((thread) => thread.comments);
	const questions = questionsText(comments.filter((comment) => open.has(comment)).length);
	return [commentsText(comments.length), ...(questions === '' ? [] : [questions])];
}

/** `fold.c:12`, or another place of a comment. */
export function commentPlaceText(place: CommentPlace, patches: readonly SeriesPatch[]): string {
	if (place.kind !== 'line' && place.kind !== 'file') {
		return place.kind === 'general' || place.kind === 'elsewhere' ? '' : placeText(place, false);
	}
	const file = patches.find(({ mail }) => mail.id === place.mailId)?.patch.diff.files[place.file];
	const name = file ? fileName(file) : '';
	return place.kind === 'line' ? `${name}:${place.line}` : name;
}
