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

/** What the box is opened with. */
export interface ListFilterParts {
	readonly finder: ListFinder;
	readonly problems: Pick<Problems, 'log'>;
	readonly clock: Clock;
}

/**
 * Asks how a list's patchsets and threads shall be filtered. Answers a text that can be read, or `undefined` for no filter
 * at all. Throws an abort when the box is closed.
 */
export async function askListFilter(
	seen: SeenList,
	{ finder, problems, clock }: ListFilterParts,
	signal: AbortSignal,
): Promise<string | undefined> {
	const { connection, list } = seen;
	const applied = connection.listChoices.of(list).filter;
	await withProgress(vscode.l10n.t('Looking up your address…'), signal, (working) =>
		finder.prepare(connection, working),
	);
	const vocabulary = listVocabulary(seen);
	return askFilterText(
		{
			title: vscode.l10n.t('Filter the patchsets and threads of {0}', visibleLine(list.name)),
			placeholder: 'status:proposed from:me prefix:project !is:reply',
			text: applied,
			hint: vscode.l10n.t('Other words search subjects and loaded mails. Prefix a term with ! to exclude it.'),
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

/** So many patchsets are looked at between two looks at the clock. */
const atOnce = 4;

/** How much matches of what was read. Texts may be long, so others have their turns between. */
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
