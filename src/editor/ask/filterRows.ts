import * as vscode from 'vscode';
import { visibleLine } from '../../text/visible.ts';
import type { FilterFault } from './filterProblemText.ts';
import { withoutPictures } from './notify.ts';

/** What choosing a row of a filter box does. */
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

/** A row of a filter box. */
export interface FilterRow extends vscode.QuickPickItem {
	readonly choice: FilterChoice;
	/** The typed text that the row was made for. */
	readonly forText: string;
}

/** The same before it is known which text it is for. */
export type FilterRowFor = Omit<FilterRow, 'forText'>;

/** Something that may stand at the caret. */
export interface OfferedTerm {
	readonly kind: 'key' | 'header' | 'word' | 'label' | 'prefix' | 'person';
	/** What it is called. */
	readonly name: string;
	readonly insert: string;
}

/** What the rows are made of. `T` is what may stand at the caret. */
export interface FilterRowsOf<T extends OfferedTerm> {
	readonly text: string;
	readonly reading: FilterTextReading;
	/** How many things match, in words; `undefined` while they are being counted. */
	readonly matching: string | undefined;
	/** What may come next, in the place of everything from where `range` starts. */
	readonly completion: { readonly range: { readonly start: number }; readonly candidates: readonly T[] };
	/** What a term is, in words; may be empty. */
	readonly termText: (term: T) => string;
	/** Rows under the empty text: saved filters and the like. */
	readonly first: readonly FilterRowFor[];
	/** What the row that takes off what is applied is called; `undefined` when nothing is. */
	readonly clearing: string | undefined;
}

/** Whether a text can be taken, and the wrong part of one that cannot. */
export type FilterTextReading =
	| { readonly kind: 'filter' }
	| { readonly kind: 'problem'; readonly problem: PlacedFault };

/** What is wrong in a text, and where. */
type PlacedFault = FilterFault & { readonly range: { readonly start: number; readonly end: number } };

/**
 * The rows under the typed text. The first stands for the text itself and is called as it is typed: the editor puts rows
 * first whose label begins with what was typed, the shortest before all, so that Enter means it.
 */
export function filterRows<T extends OfferedTerm>(box: FilterRowsOf<T>): readonly FilterRow[] {
	return rowsFor(box).map((row) => ({ ...row, forText: box.text }));
}

function rowsFor<T extends OfferedTerm>(box: FilterRowsOf<T>): readonly FilterRowFor[] {
	const { text, reading, clearing } = box;
	if (reading.kind === 'problem') {
		return [wrongRow(text, mendedText(text, reading.problem)), ...offeredRows(box)];
	}
	if (text.trim() !== '') {
		return [takeRow(box), ...offeredRows(box)];
	}
	return [...(clearing === undefined ? [] : [clearRow(clearing)]), ...box.first, ...offeredRows(box)];
}

function takeRow({ text, matching }: Pick<FilterRowsOf<OfferedTerm>, 'text' | 'matching'>): FilterRowFor {
	return {
		label: shownInBox(text),
		description: matching ?? vscode.l10n.t('counting…'),
		iconPath: new vscode.ThemeIcon('filter'),
		alwaysShow: true,
		choice: { kind: 'take' },
	};
}

function clearRow(label: string): FilterRowFor {
	return { label, iconPath: new vscode.ThemeIcon('clear-all'), alwaysShow: true, choice: { kind: 'clear' } };
}

/** Choosing it mends the wrong part, where it is clear how. What is wrong stands under the text already. */
function wrongRow(text: string, mended: string | undefined): FilterRowFor {
	return {
		label: shownInBox(text),
		...(mended === undefined ? {} : { detail: vscode.l10n.t('Press Enter to change to: {0}', shownInBox(mended)) }),
		iconPath: new vscode.ThemeIcon('error'),
		alwaysShow: true,
		choice: mended === undefined ? { kind: 'wrong' } : { kind: 'write', text: mended },
	};
}

/** The text with the wrong part as it was most likely meant. */
function mendedText(text: string, problem: PlacedFault): string | undefined {
	const { start, end } = problem.range;
	switch (problem.kind) {
		case 'unclosedQuote':
			return text + problem.quote;
		case 'unknownKey':
		case 'unknownValue':
			return problem.nearest === undefined ? undefined : text.slice(0, start) + problem.nearest + text.slice(end);
		case 'danglingEscape':
		case 'emptyNegation':
		case 'missingValue':
		case 'secondSort':
		case 'negatedSort':
		case 'tooLong':
		case 'notAnEntry':
			return undefined;
	}
}

/** A key still wants its value; behind a value the next term begins. */
function offeredRows<T extends OfferedTerm>({
	text,
	completion: { range, candidates },
	termText,
}: FilterRowsOf<T>): readonly FilterRowFor[] {
	return candidates
		.map((term) => ({ term, after: text.slice(0, range.start) + term.insert }))
		.filter(({ after }) => after !== text)
		.map(({ term, after }) => ({
			label: shownInBox(term.insert),
			description: termText(term),
			iconPath: new vscode.ThemeIcon(termIcon(term.kind)),
			alwaysShow: true,
			choice: { kind: 'write', text: term.kind === 'key' || term.kind === 'header' ? after : `${after} ` },
		}));
}

function termIcon(kind: OfferedTerm['kind']): string {
	switch (kind) {
		case 'key':
		case 'header':
			return 'symbol-key';
		case 'word':
			return 'symbol-enum';
		case 'label':
		case 'prefix':
			return 'tag';
		case 'person':
			return 'person';
	}
}

/** A text as a row shows it: hidden characters written out, and never a picture. */
export function shownInBox(text: string): string {
	return withoutPictures(visibleLine(text));
}
