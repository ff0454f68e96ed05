import * as vscode from 'vscode';
import { withProgress } from '../../../editor/ask/progress.ts';
import type { PatchsetRef } from 'sourcehut/port/list.ts';
import type { Connection } from '../../../store/connection.ts';
import { seriesAlone } from '../../../store/lists/patchsets/seriesAlone.ts';
import { localReading } from './carriedTrailers.ts';
import type { SeriesMailOfCommit } from './commitMails.ts';
import { rangeDiffBetween } from './coverLetter.ts';
import type { SubmitContext } from './submitContext.ts';

/** Shows an earlier version beside commits that are not sent yet, as a document of this window. */
export async function showDifference(
	{ appliedDocuments, clock }: SubmitContext,
	connection: Connection,
	{ ref, title }: { readonly ref: PatchsetRef; readonly title: string },
	patches: readonly SeriesMailOfCommit[],
	signal: AbortSignal,
): Promise<void> {
	const text = await withProgress(vscode.l10n.t('Comparing versions…'), signal, async (working) =>
		rangeDiffBetween(await seriesAlone(connection, ref, working), localReading(patches), clock, working),
	);
	const none = `${vscode.l10n.t('These versions have too many patches or lines to compare.')}\n`;
	await appliedDocuments.open(`${title}.range-diff`, new TextEncoder().encode(text ?? none));
}
