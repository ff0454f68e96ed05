import * as vscode from 'vscode';
import { filterRows, type FilterRow, type FilterRowFor } from '../../../editor/ask/filterRows.ts';
import type { FilterProblem } from '../../../engine/search/filterProblem.ts';
import {
	completeListFilter,
	type ListCandidate,
	type ListVocabulary,
} from '../../../engine/search/mails/completeListFilter.ts';
import type { ListFilterReading } from '../../../engine/search/mails/parseListFilter.ts';
import { visibleLine } from '../../../engine/text/visible.ts';

export interface ListFilterRowsOf {
	readonly text: string;
	readonly reading: ListFilterReading;
	/** Number of matching patchsets as text; `undefined` during the count. */
	readonly matching: string | undefined;
	readonly vocabulary: ListVocabulary;
	readonly isApplied: boolean;
	/** Predicate for valid examples. */
	readonly isExample?: (text: string) => boolean;
}

/** Rows below the typed text. Assumes the caret at the end, because the editor hides its position. */
export function listFilterRows({
	text,
	reading,
	matching,
	vocabulary,
	isApplied,
	isExample = () => true,
}: ListFilterRowsOf): readonly FilterRow[] {
	return filterRows({
		text,
		reading,
		matching: reading.kind === 'filter' && matching !== undefined ? withHint(matching, reading.filter.hints) : matching,
		completion: completeListFilter(text, text.length, vocabulary),
		termText,
		first: text.trim() === '' ? examples().filter(({ label }) => isExample(label)) : [],
		clearing: isApplied ? vscode.l10n.t('Show Everything') : undefined,
	});
}

/** An unknown key searches a mail header, but may be a typo. */
function withHint(matching: string, [hint]: readonly FilterProblem[]): string {
	return hint?.kind === 'unknownKey' && hint.nearest !== undefined
		? `${matching} · ${vscode.l10n.t('"{0}:" searches a message header. Did you mean "{1}:"?', visibleLine(hint.key), hint.nearest)}`
		: matching;
}

/** Filters that are often wanted. */
function examples(): readonly FilterRowFor[] {
	return [
		{ text: 'status:proposed', what: vscode.l10n.t('no decision yet') },
		{ text: 'from:me', what: vscode.l10n.t('sent by me') },
		{ text: 'is:unread', what: vscode.l10n.t('not viewed by me yet') },
		{ text: 'is:request-pull', what: vscode.l10n.t('pull requests') },
	].map(({ text, what }) => ({
		label: text,
		description: what,
		iconPath: new vscode.ThemeIcon('list-filter'),
		alwaysShow: true,
		choice: { kind: 'saved', text },
	}));
}

function termText({ kind, name }: ListCandidate): string {
	switch (kind) {
		case 'key':
			return keyText(name);
		case 'header':
			return vscode.l10n.t('message header');
		case 'person':
			return vscode.l10n.t('person');
		case 'prefix':
			return vscode.l10n.t('subject prefix');
		case 'word':
			return '';
	}
}

function keyText(key: string): string {
	switch (key) {
		case 'status':
			return vscode.l10n.t('patchset status');
		case 'is':
			return vscode.l10n.t('patch, reply, request-pull, thread, changed, new or unread');
		case 'from':
			return vscode.l10n.t('sender: me, ~name, an email address or part of a name');
		case 'to':
		case 'cc':
			return vscode.l10n.t('To / Cc recipients');
		case 'prefix':
			return vscode.l10n.t('project in the brackets of the subject');
		default:
			return vscode.l10n.t('date sent: a date or a range of dates');
	}
}
