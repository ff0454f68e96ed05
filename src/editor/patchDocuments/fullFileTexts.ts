import * as vscode from 'vscode';
import type { Doubt, HunksOnly } from 'patchmail/patch/wholeFile.ts';
import type { Missing } from '../../store/wholeFiles/preImage.ts';
import type { SeriesFile } from '../../store/wholeFiles/seriesFiles.ts';

/**
 * Why the whole file is missing. `noneChosen`: the user said that these patches have no repository here. `gone`: the
 * forge lacks the chosen repository.
 */
export type WhyMissing = Missing | 'noneChosen' | 'gone';

/** Search result for a file; `undefined` without a completed search. */
export type FoundFile = (Pick<SeriesFile, 'whole'> & { readonly missing: WhyMissing | undefined }) | undefined;

/** Doubt about a file's content, for titles; empty for exact contents, and for gaps that anyone sees. */
export function doubtWord(found: FoundFile): string {
	return found?.whole.kind === 'applied' ? certaintyWord(found) : '';
}

/** Certainty of a file's content as a label. */
export function certaintyWord(found: FoundFile): string {
	switch (found?.whole.kind) {
		case 'verified':
			return vscode.l10n.t('verified');
		case 'applied':
			return found.whole.doubt === 'otherBefore'
				? vscode.l10n.t('applied to another version of the file')
				: vscode.l10n.t('applied, not verified');
		case 'hunksOnly':
		case undefined:
			return vscode.l10n.t('only what the patch shows');
	}
}

/** Certainty of a file's content as a sentence. */
export function certaintySentence(found: FoundFile): string {
	if (!found) {
		return vscode.l10n.t('Showing changed lines only. Open the file again to search for all of it.');
	}
	const { whole, missing } = found;
	switch (whole.kind) {
		case 'verified':
			return vscode.l10n.t('Both sides have the ids that the patch states: they are the files of its author.');
		case 'applied': {
			const moved =
				whole.offset === 0 && whole.fuzz === 0
					? []
					: [
							vscode.l10n.t(
								'Largest offset in lines: {0}. Context lines ignored (fuzz): {1}.',
								Math.abs(whole.offset),
								whole.fuzz,
							),
						];
			const doubts: Readonly<Record<Doubt, string>> = {
				otherBefore: vscode.l10n.t(
					'Applied to another version of the file: the version that the patch was made from was not found. Other lines of the file may differ.',
				),
				otherAfter: vscode.l10n.t(
					'Applied to the file that the patch was made from, but the result does not have the id that the patch states. The patch was changed on its way.',
				),
				notStated: vscode.l10n.t('Applied, but not verified: the patch states no ids of the files.'),
			};
			return [doubts[whole.doubt], ...moved].join(' ');
		}
		case 'hunksOnly':
			return whole.reason === 'notFound' ? notFoundSentence(missing) : hunksSentence(whole.reason);
	}
}

function notFoundSentence(missing: WhyMissing = 'notThere'): string {
	return {
		budget: vscode.l10n.t(
			"Showing changed lines only: the base file wasn't found in recent commits. Load older commits to see the whole file.",
		),
		noRepository: vscode.l10n.t(
			'Showing changed lines only: the repository of these patches is not known. Choose it to see the whole file.',
		),
		noneChosen: vscode.l10n.t(
			'Showing changed lines only: you chose that these patches have no repository on this forge.',
		),
		gone: vscode.l10n.t(
			'Showing changed lines only: the forge did not find the file, or the repository of these patches. Choose the repository again to see the whole file.',
		),
		failed: vscode.l10n.t(
			'Showing changed lines only: the forge could not be asked for the whole file. Open it again to try once more.',
		),
		tooMany: vscode.l10n.t('Showing changed lines only: the patches change too many files.'),
		tooLarge: vscode.l10n.t(
			"Showing changed lines only: the base file wasn't found in recent commits, and the history of the repository is large. Load older commits, or clone the repository, to see the whole file.",
		),
		ambiguous: vscode.l10n.t(
			'Showing changed lines only: the repository has several versions of the file with ids that begin like the one in the patch.',
		),
		badPath: vscode.l10n.t('Showing changed lines only: the path of the file cannot be one of a repository.'),
		notThere: vscode.l10n.t("Showing changed lines only: the base file wasn't found."),
	}[missing];
}

function hunksSentence(reason: Exclude<HunksOnly, 'notFound'>): string {
	const noFit = vscode.l10n.t('Showing changed lines only: they do not fit any version of the file that was found.');
	const tooLarge = vscode.l10n.t('Showing changed lines only: the whole file is too large.');
	const onlyPatch = vscode.l10n.t('Only what the patch contains.');
	return {
		noMatch: noFit,
		exists: noFit,
		leavesText: noFit,
		endInside: vscode.l10n.t(
			'Showing changed lines only: it marks a line as the end of the file, but more follows there. Git would change that line.',
		),
		tooLarge,
		tooMuchWork: tooLarge,
		damaged: onlyPatch,
		merge: onlyPatch,
		submodule: onlyPatch,
		notIncluded: onlyPatch,
		badData: onlyPatch,
		needsBefore: onlyPatch,
		wrongBefore: onlyPatch,
	}[reason];
}
