import * as vscode from 'vscode';
import { visibleLine } from '../../../engine/text/visible.ts';
import type { ListFinder } from './listFinder.ts';
import type { SeenList } from './seenList.ts';
import { listProblemText } from './listProblemText.ts';

/** Filter and number of matches for a list's row; `undefined` without filter. */
export function filteredText(finder: ListFinder, seen: SeenList): string | undefined {
	const { connection, list } = seen;
	const reading = finder.applied(seen);
	if (!reading) {
		return undefined;
	}
	if (reading.kind === 'problem') {
		return vscode.l10n.t('The filter is invalid: {0}', listProblemText(reading.problem));
	}
	const text = vscode.l10n.t('filtered: {0}', visibleLine(connection.listChoices.of(list).filter));
	const known = connection.lists.patchsets(list).known()?.items;
	return known === undefined
		? text
		: `${text} · ${leftText(finder.patchsets(seen, reading, known).shown.length, known.length)}`;
}

/** "12 of 340" among loaded items. */
export function leftText(shown: number, known: number): string {
	const number = new Intl.NumberFormat(vscode.env.language);
	return vscode.l10n.t('{0} of {1}', number.format(shown), number.format(known));
}
