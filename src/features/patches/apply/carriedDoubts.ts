import * as vscode from 'vscode';
import type { SeriesPatch } from 'patchmail/series/seriesReading.ts';
import type { PatchsetReview } from '../../../store/lists/patchsets/patchsetReview.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import { doubtfulBytesTexts } from '../../lists/subjects/trailerBytesTexts.ts';
import type { Doubt } from './doubts.ts';

/** Trailers inside of patches that their people gave to other changes, or in no known message. Git would commit them. */
export function carriedDoubts({ trailers }: PatchsetReview, patches: readonly SeriesPatch[]): readonly Doubt[] {
	const given = new Set(patches.map(({ index }) => index));
	const details = trailers
		.filter(({ isInPatch }) => isInPatch)
		.flatMap((trailer) =>
			doubtfulBytesTexts(trailer).flatMap(({ indexes, text }) =>
				indexes
					.filter((index) => given.has(index))
					.map((index) => `${index}. ${visibleLine(`${trailer.key}: ${trailer.value}`)}\n${text}`),
			),
		);
	return details.length === 0
		? []
		: [{ text: vscode.l10n.t('Trailers in the patches may have been given to other changes.'), details }];
}
