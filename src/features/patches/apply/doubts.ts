import * as vscode from 'vscode';
import { cancelled } from '../../../editor/ask/ask.ts';
import { chooseAction, namesText } from '../../../editor/ask/notify.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import type { InTheWay } from 'hardened-git/applyObstacles.ts';
import type { SeriesPatch, SeriesReading } from 'patchmail/series/seriesReading.ts';
import { failureOfMails, type PatchsetReview } from '../../../store/lists/patchsets/patchsetReview.ts';
import { fixupAdvice, leftOutAdvice, missingText, seriesProblemText } from '../../lists/subjects/problemTexts.ts';
import type { UnseenFile } from './patchedFiles.ts';

/** A reason why commits may lack something, or differ from what the user read. Nothing continues without a yes to it. */
export interface Doubt {
	readonly text: string;
	/** One paragraph each. */
	readonly details: readonly string[];
	/** A file to look at before the answer. */
	readonly file?: UnseenFile | undefined;
	/** Something is missing, so going on is not the usual answer. */
	readonly isLacking?: true;
}

/** The sentence about missing patches. Throws the error of a failed read, since the patches may exist. */
export function missingPatches({ series, failures }: PatchsetReview): string | undefined {
	const missing = missingText(series.problems);
	const failure = failureOfMails({ failures });
	if (missing !== undefined && failure) {
		throw failure.error;
	}
	return missing;
}

/** Throws like `missingPatches`. */
export function missingDoubts(review: PatchsetReview): readonly Doubt[] {
	const text = missingPatches(review);
	const detail = vscode.l10n.t('Only the others would be used. The messages may still arrive.');
	return text === undefined ? [] : [{ text, details: [detail], isLacking: true }];
}

/** Replies that failed to load or to parse: their trailers would silently be missing. */
export function unreadDoubts({ failures, series }: PatchsetReview): readonly Doubt[] {
	const isWhole = failures.every(({ part }) => part === 'versions');
	if (isWhole && !series.problems.some(({ kind }) => kind === 'rawReply')) {
		return [];
	}
	return [{ text: vscode.l10n.t('Not all replies could be read.'), details: [laterText()] }];
}

/** Own messages that the list does not have yet: their trailers would silently be missing. */
export function lackingDoubts(count: number): readonly Doubt[] {
	const text =
		count === 1
			? vscode.l10n.t('1 message that you sent has not arrived at the list.')
			: vscode.l10n.t('{0} messages that you sent have not arrived at the list.', count);
	return count === 0 ? [] : [{ text, details: [laterText()] }];
}

function laterText(): string {
	return vscode.l10n.t(
		'Trailers that they give, such as Reviewed-by, may be missing. To get them, cancel and try again later.',
	);
}

/** The other mails of a version that began so recently may still be on their way. */
const arrivingMs = 3_600_000;

/**
 * Further patches of the sender, mails that git may read differently or that the parser rejected, and patches of an
 * earlier version, while this version may still arrive.
 */
export function seriesDoubts(
	{ problems, patches }: SeriesReading,
	given: readonly SeriesPatch[],
	nowMs: number,
): readonly Doubt[] {
	const isArriving = patches.some(
		({ keptFrom, mail }) => keptFrom === undefined && mail.createdMs > nowMs - arrivingMs,
	);
	const kept = problems.filter(
		(problem) =>
			isArriving && problem.kind === 'keptPatches' && given.some(({ index }) => problem.indexes.includes(index)),
	);
	const leftOut = problems.find(({ kind }) => kind === 'leftOut');
	const fixup = problems.find(
		(problem) => problem.kind === 'fixup' && given.some(({ index }) => index === problem.index),
	);
	const others = new Set(patches.flatMap((patch) => (given.includes(patch) ? [] : [patch.mail.id])));
	const misread = problems.filter(
		(problem) =>
			(problem.kind === 'inDoubt' ||
				problem.kind === 'noPrefix' ||
				(problem.kind === 'shownRaw' && problem.index > 0)) &&
			!others.has(problem.mailId),
	);
	return [
		...kept.map((problem) => ({
			text: seriesProblemText(problem),
			details: [vscode.l10n.t('The messages may still arrive.')],
		})),
		...(leftOut ? [{ text: seriesProblemText(leftOut), details: [leftOutAdvice()] }] : []),
		...(fixup ? [{ text: seriesProblemText(fixup), details: [fixupAdvice()] }] : []),
		...(misread.length > 0
			? [{ text: otherThanShown(), details: Array.from(new Set(misread.map(seriesProblemText))) }]
			: []),
	];
}

/** Patches that cannot take the chosen trailers. */
export function trailerDoubts(indexes: readonly number[]): readonly Doubt[] {
	const numbers = new Intl.ListFormat(vscode.env.language).format(indexes.map(String));
	const text = vscode.l10n.t("Trailers can't be added to these patches: {0}.", numbers);
	const detail = vscode.l10n.t('Their commits would lack the trailers that you chose. Cancel to add them by hand.');
	return indexes.length === 0 ? [] : [{ text, details: [detail] }];
}

/** Files of the working tree at which git would stop, with the remedy; `unknown` if git could not tell. */
export function inTheWayDoubts(found: readonly InTheWay[] | 'unknown'): readonly Doubt[] {
	if (found === 'unknown') {
		const text = vscode.l10n.t('It is not known whether files of the working tree would stop git.');
		return [{ text, details: [vscode.l10n.t('See the log for the reason.')] }];
	}
	const remedies = {
		staged: vscode.l10n.t('Staged changes. Commit or unstage them:'),
		changed: vscode.l10n.t('Local changes. Commit or stash them:'),
		assumedUnchanged: vscode.l10n.t(
			'Local changes that git hides. Run git update-index --no-assume-unchanged, then commit or stash them:',
		),
		skippedInWorktree: vscode.l10n.t(
			'Local changes that git hides. Run git update-index --no-skip-worktree, then commit or stash them:',
		),
		filtered: vscode.l10n.t('A filter such as Git LFS changes these files on disk. Apply in a new worktree:'),
		untracked: vscode.l10n.t('Untracked files where patches create files. Move or delete them:'),
		otherCase: vscode.l10n.t(
			'This disk takes these names for those of other files, which differ only in case. Uncheck their patches:',
		),
	};
	const byReason = Map.groupBy(found, ({ why }) => why);
	const details = Array.from(byReason, ([why, files]) =>
		[remedies[why], namesText(files.map(({ path }) => visibleLine(path)))].join('\n'),
	);
	return found.length === 0
		? []
		: [
				{
					text: vscode.l10n.t('Files of the working tree would stop git in the middle of the series.'),
					details: [...details, vscode.l10n.t('A new worktree has none of these files.')],
				},
			];
}

export function otherThanShown(): string {
	return vscode.l10n.t('Git may apply something other than what is shown.');
}

/** Asks about all doubts at once. Throws `cancelled()` for a no, and after showing a file. */
export async function askDoubts(
	doubts: readonly Doubt[],
	action: string,
	show?: (file: UnseenFile) => Promise<void>,
): Promise<void> {
	const byText = Map.groupBy(doubts, ({ text }) => text);
	const [first, ...others] = Array.from(byText, ([text, same]) => ({
		text,
		details: same.flatMap(({ details }) => details),
	}));
	if (!first) {
		return;
	}
	const paragraphs = [...first.details, ...others.flatMap(({ text, details }) => [text, ...details])];
	const file = doubts.find((each) => each.file)?.file;
	const see = vscode.l10n.t('Show File');
	// The first button is the one of the Enter key.
	const safe = doubts.some(({ isLacking }) => isLacking === true) ? [vscode.l10n.t('Not Now')] : [];
	const buttons = [...safe, action, ...(file && show ? [see] : [])];
	const chosen = await chooseAction(first.text, paragraphs.join('\n\n'), ...buttons);
	if (chosen === action) {
		return;
	}
	if (file && show && chosen === see) {
		await show(file);
	}
	throw cancelled();
}
