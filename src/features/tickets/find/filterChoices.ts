import * as vscode from 'vscode';
import { withoutPictures } from '../../../editor/notify.ts';
import { completeFilter, type FilterCandidate } from '../../../search/completeFilter.ts';
import type { FilterVocabulary } from '../../../search/filterVocabulary.ts';
import type { FilterReading } from '../../../search/parseFilter.ts';
import { visibleLine } from '../../../text/visible.ts';
import { filterProblemText } from './filterProblemText.ts';
import type { SavedFilter } from './filterState.ts';

/** What choosing a row of the filter box does. */
export type FilterChoice =
	/** Takes the typed text as it is. */
	| { readonly kind: 'take' }
	/** Puts another text into the box, to go on typing; `text` is the whole of it. */
	| { readonly kind: 'write'; readonly text: string }
	/** Takes a saved filter. */
	| { readonly kind: 'saved'; readonly text: string }
	/** Takes off what is applied. */
	| { readonly kind: 'clear' }
	/** The text cannot be taken: nothing happens, and the box stays. */
	| { readonly kind: 'wrong' };

/** A row of the filter box. */
export interface FilterRow extends vscode.QuickPickItem {
	readonly choice: FilterChoice;
	/** The typed text that the row was made for. */
	readonly forText: string;
}

/** What the rows are made of. */
export interface FilterRowsOf {
	readonly text: string;
	readonly reading: FilterReading;
	/** How many tickets match, in words; `undefined` while they are being counted. */
	readonly matching: string | undefined;
	readonly vocabulary: FilterVocabulary;
	readonly saved: readonly SavedFilter[];
	readonly isApplied: boolean;
}

/**
 * The rows under the typed text. The first stands for the text itself and is called as it is typed: the editor puts rows
 * first whose label begins with what was typed, the shortest before all, so that Enter means it.
 */
export function filterRows(box: FilterRowsOf): readonly FilterRow[] {
	return rowsFor(box).map((row) => ({ ...row, forText: box.text }));
}

type Row = Omit<FilterRow, 'forText'>;

function rowsFor(box: FilterRowsOf): readonly Row[] {
	const { text, reading, isApplied } = box;
	const off: Row = {
		label: vscode.l10n.t('Show all tickets'),
		iconPath: new vscode.ThemeIcon('clear-all'),
		alwaysShow: true,
		choice: { kind: 'clear' },
	};
	if (reading.kind === 'problem') {
		return [wrongRow(text, reading.problem), ...completionRows(box)];
	}
	const isEmpty = text.trim() === '';
	return [
		...(isEmpty ? [] : [takeRow(box)]),
		...(isEmpty && isApplied ? [off] : []),
		...(isEmpty ? savedRows(box.saved) : []),
		...completionRows(box),
	];
}

function takeRow({ text, matching }: FilterRowsOf): Row {
	return {
		label: shown(text),
		description: matching ?? vscode.l10n.t('counting…'),
		iconPath: new vscode.ThemeIcon('filter'),
		alwaysShow: true,
		choice: { kind: 'take' },
	};
}

/** Choosing it mends the wrong part, where it is clear how. What is wrong stands under the text already. */
function wrongRow(text: string, problem: Extract<FilterReading, { kind: 'problem' }>['problem']): Row {
	const mended = mendedText(text, problem);
	return {
		label: shown(text),
		...(mended === undefined ? {} : { detail: vscode.l10n.t('Enter writes: {0}', shown(mended)) }),
		iconPath: new vscode.ThemeIcon('error'),
		alwaysShow: true,
		choice: mended === undefined ? { kind: 'wrong' } : { kind: 'write', text: mended },
	};
}

/** The text with the wrong part as it was most likely meant. */
function mendedText(text: string, problem: Extract<FilterReading, { kind: 'problem' }>['problem']): string | undefined {
	const { start, end } = problem.range;
	if (problem.kind === 'unclosedQuote') {
		return text + problem.quote;
	}
	const isMistyped = problem.kind === 'unknownKey' || problem.kind === 'unknownValue';
	return isMistyped && problem.nearest !== undefined
		? text.slice(0, start) + problem.nearest + text.slice(end)
		: undefined;
}

function savedRows(saved: readonly SavedFilter[]): readonly Row[] {
	return saved.map((each) => ({
		label: shown(each.name),
		description: shown(each.filter),
		...(each.problem ? { detail: withoutPictures(filterProblemText(each.problem)) } : {}),
		iconPath: new vscode.ThemeIcon(each.problem ? 'error' : 'list-filter'),
		alwaysShow: true,
		choice: each.problem ? { kind: 'write', text: each.filter } : { kind: 'saved', text: each.filter },
	}));
}

/** The caret is taken to stand at the end: the editor does not tell where it is. */
function completionRows({ text, vocabulary }: FilterRowsOf): readonly Row[] {
	const { range, candidates } = completeFilter(text, text.length, vocabulary);
	return candidates
		.map((candidate) => ({ candidate, after: text.slice(0, range.start) + candidate.insert }))
		.filter(({ after }) => after !== text)
		.map(({ candidate, after }) => ({
			label: shown(candidate.insert),
			description: kindText(candidate),
			iconPath: new vscode.ThemeIcon(kindIcon(candidate.kind)),
			alwaysShow: true,
			// A key still wants its value; behind a value the next term begins.
			choice: { kind: 'write', text: candidate.kind === 'key' ? after : `${after} ` },
		}));
}

function kindText({ kind, name }: FilterCandidate): string {
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
			return vscode.l10n.t('who wrote it: me, ~name or an address');
		case 'assigned':
			return vscode.l10n.t('who works on it: me or ~name');
		case 'label':
			return vscode.l10n.t('has this label');
		case 'no':
			return vscode.l10n.t('has no assignee, or no label');
		case 'sort':
			return vscode.l10n.t('latest or most first');
		default:
			return vscode.l10n.t('oldest or fewest first');
	}
}

function kindIcon(kind: FilterCandidate['kind']): string {
	switch (kind) {
		case 'key':
			return 'symbol-key';
		case 'word':
			return 'symbol-enum';
		case 'label':
			return 'tag';
		case 'person':
			return 'person';
	}
}

function shown(text: string): string {
	return withoutPictures(visibleLine(text));
}
