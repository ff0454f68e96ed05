import * as vscode from 'vscode';
import type { PatchsetRef } from '../../../forge/list.ts';
import { draftCountTexts, type DraftCounts } from '../review/draftCounts.ts';

/** Unsent parts of a review as a sentence; empty if there are none. */
export function reviewText(
	counts: Pick<DraftCounts, 'of'>,
	{ connectionKey, ref }: { readonly connectionKey: string; readonly ref: PatchsetRef },
): string {
	const texts = draftCountTexts(counts.of({ connectionKey, ref: ref.list, patchsetId: ref.id }));
	return texts.length === 0 ? '' : vscode.l10n.t('Your review is not sent: {0}.', texts.join(', '));
}
