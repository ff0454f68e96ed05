import * as vscode from 'vscode';
import { resting, runResting, turns } from '@forge-desk/base/timeSlice.ts';
import type { Clock } from '@forge-desk/base/clock.ts';
import { writtenOut } from '../../../editor/patchDocuments/diffSides.ts';
import { interdiff, type FileBetween, type SeriesVersion } from 'patchmail/review/interdiff.ts';
import { rangeDiff, type RangeDiff } from 'patchmail/review/rangeDiff.ts';
import { rangeDiffText } from 'patchmail/review/rangeDiffText.ts';
import { rangePatch, rawPatch, type RangePatch } from 'patchmail/review/rangePatch.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import { unreadPatches } from '../../lists/subjects/problemTexts.ts';
import { trailerBytesTexts } from '../../lists/subjects/trailerBytesTexts.ts';
import type { GivenTrailer, SeriesPatch, SeriesReading } from 'patchmail/series/seriesReading.ts';

/** Two versions of a series, read. */
export interface ReadPair {
	readonly earlier: SeriesReading;
	readonly later: SeriesReading;
}

/** Two versions of a series and their patches in comparable form. */
export interface ComparedPair {
	readonly before: readonly RangePatch[];
	readonly after: readonly RangePatch[];
	readonly compared: RangeDiff;
}

export async function comparePair(
	{ earlier, later }: ReadPair,
	clock: Clock,
	signal: AbortSignal,
): Promise<ComparedPair> {
	const turn = turns(clock);
	const forms = async (patches: readonly SeriesPatch[]): Promise<readonly RangePatch[]> => {
		const made: RangePatch[] = [];
		for (const { patch, mail } of patches) {
			// Mails contain no commit ids. An unreadable patch takes part as raw text.
			made.push(mail.reading.kind === 'raw' ? rawPatch(mail.subject, mail.reading.text) : rangePatch(patch, undefined));
			await turn(signal);
		}
		return made;
	};
	const [before, after] = [await forms(earlier.patches), await forms(later.patches)];
	return { before, after, compared: await runResting(rangeDiff(before, after), resting(clock), signal) };
}

/**
 * Output like `git range-diff`. A line replaces it if the comparison takes too long. `carried`: trailers of the later version, and why
 * some may be missing.
 */
export async function rangeDiffOf(
	pair: ReadPair,
	carried: { readonly trailers: readonly GivenTrailer[]; readonly failure: string | undefined },
	clock: Clock,
	signal: AbortSignal,
): Promise<string> {
	const { before, after, compared } = await comparePair(pair, clock, signal);
	if (compared.kind === 'tooLarge') {
		return `${vscode.l10n.t('These versions have too many patches or lines to compare.')}\n`;
	}
	const [earlier, later] = [unreadPatches(pair.earlier), unreadPatches(pair.later)];
	const notes = [
		...(earlier === undefined
			? []
			: [vscode.l10n.t('Patches of the earlier version that are not parsed, and compared as raw text: {0}.', earlier)]),
		...(later === undefined
			? []
			: [vscode.l10n.t('Patches of the later version that are not parsed, and compared as raw text: {0}.', later)]),
		...(compared.isRough
			? [vscode.l10n.t('Not all patches were compared with each other: that would take too long.')]
			: []),
		...(carried.failure === undefined
			? []
			: [vscode.l10n.t('Not all replies to earlier versions were loaded. {0}', carried.failure)]),
		...carriedTrailers(carried.trailers),
	];
	return [...notes, rangeDiffText(compared.pairs, before, after)].join('\n\n');
}

/** Trailers that were given to another patch than the one that has them now, or to an unknown one. */
function carriedTrailers(trailers: readonly GivenTrailer[]): readonly string[] {
	return trailers.flatMap((trailer) =>
		trailerBytesTexts(trailer)
			.filter(({ kind, patchsetId }) => kind !== 'these' || patchsetId !== undefined)
			.map(({ indexes, text }) => {
				const line = visibleLine(`${trailer.key}: ${trailer.value}`);
				return `${indexes.join(', ')}:  ${line}\n    ${text}`;
			}),
	);
}

/** Differing files of two versions, according to their hunks. */
export function hunksBetween(
	{ earlier, later }: ReadPair,
	clock: Clock,
	signal: AbortSignal,
): Promise<readonly FileBetween[]> {
	const version = ({ patches }: SeriesReading): SeriesVersion => ({
		patches: patches.map(({ patch }) => patch),
		whole: () => undefined,
	});
	return runResting(interdiff(version(earlier), version(later)), resting(clock), signal);
}

/** A file after a version, limited to its patches' hunks. */
export function sideText({ texts }: FileBetween, kind: 'earlier' | 'later'): string {
	if (texts.kind !== 'hunks') {
		return `⋯ ${vscode.l10n.t('This file cannot be compared: it has no lines, or the patches of one version do not fit each other.')} ⋯\n`;
	}
	return (kind === 'earlier' ? texts.before : texts.after)
		.map((piece) => {
			if (piece.kind === 'line') {
				return `${writtenOut(piece.text)}${piece.hasLineEnd ? '\n' : ''}`;
			}
			// Line numbers before all patches, so that the same lines read the same on both sides.
			const { from, to } = piece;
			const gap =
				to === undefined
					? vscode.l10n.t('line {0} of the original file and all that follow are not in the patches', from)
					: from === to
						? vscode.l10n.t('line {0} of the original file is not in the patches', from)
						: vscode.l10n.t('lines {0} to {1} of the original file are not in the patches', from, to);
			return `⋯ ${gap} ⋯\n`;
		})
		.join('');
}
