import { resting, runResting } from '@forge-desk/base/timeSlice.ts';
import type { Clock } from '@forge-desk/base/clock.ts';
import { mailDraftText } from 'patchmail/mail/mailDraftText.ts';
import { rangeDiff } from 'patchmail/review/rangeDiff.ts';
import { rangeDiffText } from 'patchmail/review/rangeDiffText.ts';
import { rangePatch } from 'patchmail/review/rangePatch.ts';
import { commitSubject } from 'patchmail/series/patchMail.ts';
import { changesHeading } from 'patchmail/series/sendChecks.ts';
import type { SeriesReading } from 'patchmail/series/seriesReading.ts';
import type { PatchsetReview } from '../../../store/lists/patchsets/patchsetReview.ts';
import type { PreparedSeries } from './savedSeries.ts';

/** A longer comparison hides the text of a letter. */
const longestRangeDiff = 20_000;

/** Facts of a cover letter on its patches, below the person's own text. */
export interface AboutPatches {
	readonly titles: readonly string[];
	/** Like `git diff --stat`. */
	readonly stat: string;
	/** Like `git range-diff` with the earlier version; empty without one. */
	readonly rangeDiff: string;
}

/** Initial cover letter: the one of the earlier version, with room for the changes. In English, like a list. */
export function coverText(
	{ to, cc }: PreparedSeries,
	{ titles, stat, rangeDiff: compared }: AboutPatches,
	earlier: PatchsetReview | undefined,
): string {
	const before = earlier?.series.cover?.reading;
	const mail = before?.kind === 'read' ? before.mail : undefined;
	const lines = (mail?.text ?? '').split('\n');
	// Programs write the list of commits, the statistics and the base below the text.
	const end = lines.findIndex(
		(line, at) =>
			/^-- ?$|^base-commit: | {2}1\. |^ \d+ files? changed|^Range-diff against v\d/.test(line) ||
			(/^\S.* \(\d+\):$/.test(line) && /^ {2}\S/.test(lines[at + 1] ?? '')),
	);
	const body = [
		(end === -1 ? lines : lines.slice(0, end)).join('\n').trim(),
		...(earlier ? [`${changesHeading(earlier.patchset.version)}\n- `] : []),
		...(titles.length === 0 ? [] : [titles.map((title, at) => `  ${at + 1}. ${title}`).join('\n')]),
		...(stat === '' ? [] : [stat]),
		...(earlier && compared !== '' ? [`Range-diff against v${earlier.patchset.version}:\n${compared}`] : []),
	];
	return mailDraftText({
		to,
		cc,
		subject: mail ? commitSubject(mail.subject) : '',
		body: `${body.join('\n\n')}\n`,
	});
}

/** Output like `git range-diff`, indented, so that no program takes it for a patch. Empty if it is too long. */
export async function comparedWith(
	earlier: SeriesReading,
	later: SeriesReading,
	clock: Clock,
	signal: AbortSignal,
): Promise<string> {
	const text = (await rangeDiffBetween(earlier, later, clock, signal)) ?? '';
	return text.length > longestRangeDiff ? '' : text.trimEnd().replaceAll(/^(?=.)/gm, '  ');
}

/** Output like `git range-diff`; `undefined` if the comparison takes too long. */
export async function rangeDiffBetween(
	earlier: SeriesReading,
	later: SeriesReading,
	clock: Clock,
	signal: AbortSignal,
): Promise<string | undefined> {
	const [before = [], after = []] = [earlier, later].map(({ patches }) =>
		patches.map(({ patch }) => rangePatch(patch, undefined)),
	);
	const compared = await runResting(rangeDiff(before, after), resting(clock), signal);
	return compared.kind === 'tooLarge' ? undefined : rangeDiffText(compared.pairs, before, after);
}
