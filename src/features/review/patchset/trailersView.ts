import * as vscode from 'vscode';
import type { GivenTrailer } from 'patchmail/series/seriesReading.ts';
import { rangesText } from '../../../engine/text/rangesText.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import type { TrailerBytesView, TrailersView, TrailerView } from '../../../pages/protocol/patchsetProtocol.ts';
import { trailerBytesTexts } from '../../lists/subjects/trailerBytesTexts.ts';
import { personView } from './patchView.ts';

/** One row for each person, in the order of their first trailers. `count`: patches of the series. */
export function trailersView(trailers: readonly GivenTrailer[], count: number): readonly TrailersView[] {
	const people = Map.groupBy(trailers, ({ person: { name, address } }) =>
		address === '' ? name : address.toLowerCase(),
	);
	return [...people.values()].flatMap((own) => {
		const [first] = own;
		// Trailers with the same words differ in their patches alone.
		const given = Map.groupBy(own, (each) => `${each.key}\n${standingOf(each)}\n${each.mailId}`);
		return first
			? [{ person: personView(first.person), given: [...given.values()].flatMap((same) => trailerView(same, count)) }]
			: [];
	});
}

function trailerView(same: readonly GivenTrailer[], count: number): readonly TrailerView[] {
	const [first] = same;
	const indexes = [...new Set(same.flatMap(({ patchIndexes }) => patchIndexes))].toSorted((a, b) => a - b);
	const patches =
		indexes.length >= count && count > 1
			? vscode.l10n.t('all patches')
			: indexes.length === 1
				? vscode.l10n.t('patch {0}', indexes[0] ?? 0)
				: vscode.l10n.t('patches {0}', rangesText(indexes));
	return first
		? [
				{
					key: visibleLine(first.key),
					patches,
					standing: standingOf(first),
					isForOther: first.isForOther,
					mailId: first.mailId,
					bytes: bytesViews(same, indexes.length),
				},
			]
		: [];
}

/** The classes of a trailer, the most doubtful first. `count`: its patches. */
function bytesViews(same: readonly GivenTrailer[], count: number): readonly TrailerBytesView[] {
	return same.slice(0, 1).flatMap((first) =>
		trailerBytesTexts({ ...first, bytes: same.flatMap(({ bytes = [] }) => bytes) }).map(
			({ kind, text, indexes, patchsetId }) => {
				const numbers = [...new Set(indexes)].toSorted((a, b) => a - b);
				return { kind, text, patches: numbers.length === count ? '' : rangesText(numbers), patchsetId };
			},
		),
	);
}

function standingOf({
	isInPatch,
	isForOther,
	isOnlyToGit,
	earlierVersion,
	condition,
	isForSeries,
}: GivenTrailer): string {
	const standing = [
		isOnlyToGit
			? vscode.l10n.t('only git reads it, and would commit it')
			: isInPatch
				? vscode.l10n.t('in the patch')
				: earlierVersion === undefined
					? vscode.l10n.t('given in a reply')
					: vscode.l10n.t('given on v{0}, patch unchanged', earlierVersion),
		...(isForOther && !isOnlyToGit ? [vscode.l10n.t('by someone else')] : []),
		...(isForSeries ? [vscode.l10n.t('to the whole series, below another patch')] : []),
		...(condition === undefined ? [] : [vscode.l10n.t('on a condition: "{0}"', visibleLine(condition))]),
	];
	return standing.join(', ');
}
