import * as vscode from 'vscode';
import { askFilterText } from '../../../editor/ask/filterBox.ts';
import type { Clock } from '../../../base/clock.ts';
import type { Problems } from '../../../editor/ask/problems.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import { turns } from '../../../base/timeSlice.ts';
import { visibleLine } from '../../../text/visible.ts';
import { leftText } from './filteredText.ts';
import type { ListFinder } from './listFinder.ts';
import type { SeenList } from './seenList.ts';
import { listFilterRows } from './listFilterRows.ts';
import { listProblemText } from './listProblemText.ts';
import { listVocabulary } from './listVocabulary.ts';

export interface ListFilterParts {
	readonly finder: ListFinder;
	readonly problems: Pick<Problems, 'log'>;
	readonly clock: Clock;
}

/**
 * Asks for a filter of a list. Returns a valid text, or `undefined` for no filter. Throws an abort if the user closes
 * the box.
 */
export async function askListFilter(
	seen: SeenList,
	{ finder, problems, clock }: ListFilterParts,
	signal: AbortSignal,
): Promise<string | undefined> {
	const { connection, list } = seen;
	const applied = connection.listChoices.of(list).filter;
	await withProgress(vscode.l10n.t('Looking up your email address…'), signal, (working) =>
		finder.prepare(connection, working),
	);
	const vocabulary = listVocabulary(seen);
	return askFilterText(
		{
			title: vscode.l10n.t('Filter the patchsets and threads of {0}', visibleLine(list.name)),
			placeholder: 'status:proposed from:me prefix:project !is:reply',
			text: applied,
			hint: vscode.l10n.t('Other words search subjects and loaded messages. Prefix a term with ! to exclude it.'),
			complaint(text) {
				const reading = finder.read(seen, text);
				return reading.kind === 'problem' ? listProblemText(reading.problem) : undefined;
			},
			rows: (text, matching) =>
				listFilterRows({ text, reading: finder.read(seen, text), matching, vocabulary, isApplied: applied !== '' }),
			count: (text, counting) => countText({ finder, clock }, seen, text, counting),
			onDidChange: (listener) => connection.lists.onDidChange(() => listener()),
		},
		problems,
		signal,
	);
}

/** Patchsets between two looks at the clock. */
const atOnce = 4;

/** Counts matches among loaded items. Pauses regularly, because texts may be long. */
async function countText(
	{ finder, clock }: Pick<ListFilterParts, 'finder' | 'clock'>,
	seen: SeenList,
	text: string,
	signal: AbortSignal,
): Promise<string> {
	const known = seen.connection.lists.knownPatchsets(seen.list)?.items;
	if (known === undefined) {
		return vscode.l10n.t('no patchsets loaded yet');
	}
	const reading = finder.read(seen, text);
	const turn = turns(clock);
	let shown = 0;
	let untold = 0;
	for (let from = 0; from < known.length; from += atOnce) {
		const left = finder.patchsets(seen, reading, known.slice(from, from + atOnce));
		shown += left.shown.length;
		untold += left.untold.length;
		await turn(signal);
	}
	const counts = vscode.l10n.t('patchsets: {0}', leftText(shown, known.length));
	return untold === 0 ? counts : `${counts} · ${vscode.l10n.t('not loaded for this filter: {0}', untold)}`;
}
