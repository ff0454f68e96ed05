import * as vscode from 'vscode';
import type { CommentOutcome, OutcomeCounts } from 'patchmail/review/commentOutcomes.ts';

/** Outcomes of the user's comments on an earlier version, in one line. */
export function outcomesText(version: number, { all, changed, answered, untouched, unclear }: OutcomeCounts): string {
	return unclear === 0
		? vscode.l10n.t(
				'Your comments on v{0}: {1}, changed {2}, replied to {3}, untouched {4}',
				version,
				all,
				changed,
				answered,
				untouched,
			)
		: vscode.l10n.t(
				'Your comments on v{0}: {1}, changed {2}, replied to {3}, untouched {4}, unclear {5}',
				version,
				all,
				changed,
				answered,
				untouched,
				unclear,
			);
}

/** Outcome of one comment. */
export function outcomeText({ change, answer }: CommentOutcome): string {
	if (answer) {
		return change === 'changed' ? vscode.l10n.t('changed, and the author replied') : vscode.l10n.t('author replied');
	}
	switch (change) {
		case 'changed':
			return vscode.l10n.t('changed');
		case 'same':
			return vscode.l10n.t('untouched');
		case 'unknown':
			return vscode.l10n.t('unclear');
	}
}

/** The changed lines of a hunk with two lines of context, at most `most`. */
export function changedLines(hunk: readonly string[], most: number): readonly string[] {
	const isChange = (line: string): boolean => /^[+-]/.test(line);
	const first = Math.max(0, hunk.findIndex(isChange) - 2);
	return hunk.slice(first, hunk.findLastIndex(isChange) + 3).slice(0, most);
}
