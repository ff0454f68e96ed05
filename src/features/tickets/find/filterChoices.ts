import * as vscode from 'vscode';
import { filterRows, shownInBox, type FilterRow, type FilterRowFor } from '../../../editor/ask/filterRows.ts';
import { withoutPictures } from '../../../editor/ask/notify.ts';
import { completeFilter, type FilterCandidate } from '../../../engine/search/completeFilter.ts';
import type { FilterVocabulary } from '../../../engine/search/filterVocabulary.ts';
import type { FilterReading } from '../../../engine/search/parseFilter.ts';
import { filterProblemText } from '../../../editor/ask/filterProblemText.ts';
import type { SavedFilter } from '../choices/filterState.ts';

export interface TicketFilterRowsOf {
	readonly text: string;
	readonly reading: FilterReading;
	/** Number of matching tickets as text; `undefined` during the count. */
	readonly matching: string | undefined;
	readonly vocabulary: FilterVocabulary;
	readonly saved: readonly SavedFilter[];
	readonly isApplied: boolean;
}

/** Rows below the typed text. Assumes the caret at the end, because the editor hides its position. */
export function ticketFilterRows(box: TicketFilterRowsOf): readonly FilterRow[] {
	const { text, reading, matching, isApplied } = box;
	return filterRows({
		text,
		reading,
		matching,
		completion: completeFilter(text, text.length, box.vocabulary),
		termText,
		first: savedRows(box.saved),
		clearing: isApplied ? vscode.l10n.t('Show All Tickets') : undefined,
	});
}

function savedRows(saved: readonly SavedFilter[]): readonly FilterRowFor[] {
	return saved.map((each) => ({
		label: shownInBox(each.name),
		description: shownInBox(each.filter),
		...(each.problem ? { detail: withoutPictures(filterProblemText(each.problem)) } : {}),
		iconPath: new vscode.ThemeIcon(each.problem ? 'error' : 'list-filter'),
		alwaysShow: true,
		choice: each.problem ? { kind: 'write', text: each.filter } : { kind: 'saved', text: each.filter },
	}));
}

function termText({ kind, name }: FilterCandidate): string {
	switch (kind) {
		case 'key':
			return keyText(name);
		case 'label':
			return vscode.l10n.t('label');
		case 'person':
			return vscode.l10n.t('person');
		case 'word':
			return '';
	}
}

function keyText(key: string): string {
	switch (key) {
		case 'status':
			return vscode.l10n.t('open, closed, any, or one status');
		case 'submitter':
			return vscode.l10n.t('submitter: me, ~name or an email address');
		case 'assigned':
			return vscode.l10n.t('assignee: me or ~name');
		case 'label':
			return vscode.l10n.t('has this label');
		case 'no':
			return vscode.l10n.t('has no assignee, or no label');
		case 'is':
			return vscode.l10n.t('changed since you looked, new, or either (unread)');
		case 'sort':
			return vscode.l10n.t('latest or most first');
		default:
			return vscode.l10n.t('oldest or fewest first');
	}
}
