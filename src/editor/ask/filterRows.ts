import * as vscode from 'vscode';
import { visibleLine } from '../../engine/text/visible.ts';
import { withoutPictures } from './notify.ts';

/** Action of a filter row. */
export type FilterChoice =
	/** Takes the typed text as it is. */
	| { readonly kind: 'take' }
	/** Replaces the text in the box and continues; `text` is complete. */
	| { readonly kind: 'write'; readonly text: string }
	/** Takes a saved filter. */
	| { readonly kind: 'saved'; readonly text: string }
	/** Removes the applied filter. */
	| { readonly kind: 'clear' }
	/** Invalid text: the box stays open. */
	| { readonly kind: 'wrong' };

/** A row of a filter box. */
export interface FilterRow extends vscode.QuickPickItem {
	readonly choice: FilterChoice;
	/** The typed text for which the row exists. */
	readonly forText: string;
}

/** A row before its text is known. */
export type FilterRowFor = Omit<FilterRow, 'forText'>;

/** A completion at the caret. */
export interface OfferedTerm {
	readonly kind: 'key' | 'header' | 'word' | 'label' | 'prefix' | 'person';
	/** Readable name. */
	readonly name: string;
	readonly insert: string;
}

/** Inputs of the rows. `T`: type of completions. */
export interface FilterRowsOf<T extends OfferedTerm> {
	readonly text: string;
	readonly reading: FilterTextReading;
	/** Number of matches as text; `undefined` during the count. */
	readonly matching: string | undefined;
	/** Completions that replace the text from `range.start` on. */
	readonly completion: { readonly range: { readonly start: number }; readonly candidates: readonly T[] };
	/** Description of a term; may be empty. */
	readonly termText: (term: T) => string;
	/** Rows under the empty text: saved filters and the like. */
	readonly first: readonly FilterRowFor[];
	/** Label of the row that removes the applied filter; `undefined` without one. */
	readonly clearing: string | undefined;
}

/** Parse result, with the position of a problem. */
export type FilterTextReading =
	| { readonly kind: 'filter' }
	| { readonly kind: 'problem'; readonly problem: PlacedFault };

/** A problem with its position. */
type PlacedFault = FilterFault & { readonly range: { readonly start: number; readonly end: number } };

/**
 * Rows below the typed text. The first one accepts the text and has it as label: the editor sorts labels with that
 * prefix first, the shortest on top, so Enter accepts the text.
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
		return [takeRow(text, box.matching), ...offeredRows(box)];
	}
	return [...(clearing === undefined ? [] : [clearRow(clearing)]), ...box.first, ...offeredRows(box)];
}

function takeRow(text: string, matching: string | undefined): FilterRowFor {
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

/** Choosing the row fixes the wrong part, if there is a clear fix. The message below the box shows the problem. */
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

/** A key continues with its value; after a value, the next term starts. */
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

/** Problems common to all filters. */
type FilterFault =
	| { readonly kind: 'unclosedQuote'; readonly quote: string }
	| { readonly kind: 'danglingEscape' | 'emptyNegation' | 'secondSort' | 'negatedSort' | 'notAnEntry' }
	| { readonly kind: 'unknownKey'; readonly key: string; readonly nearest: string | undefined }
	| { readonly kind: 'missingValue'; readonly key: string; readonly values: readonly string[] }
	| {
			readonly kind: 'unknownValue';
			readonly key: string;
			readonly value: string;
			readonly values: readonly string[];
			readonly nearest: string | undefined;
	  }
	| { readonly kind: 'tooLong'; readonly longest: number };

/**
 * Problem of a filter and the next step, in one or two sentences that quote the wrong part. `negation`: example of a
 * negated term.
 */
export function filterProblemText(problem: FilterFault, negation = '!label:bug'): string {
	const { t } = vscode.l10n;
	switch (problem.kind) {
		case 'unclosedQuote':
			return t('A closing quote is missing. Add {0} at the end.', problem.quote);
		case 'danglingEscape':
			return t('The filter ends with a backslash. Double it or remove it.');
		case 'emptyNegation':
			return t('An exclamation mark needs a term to exclude, such as {0}.', negation);
		case 'unknownKey':
			return unknownKeyText(visibleLine(problem.key), problem.nearest);
		case 'missingValue':
			return missingValueText(problem.key, problem.values);
		case 'unknownValue':
			return unknownValueText(problem.key, visibleLine(problem.value), problem);
		case 'secondSort':
			return t('There is more than one sort order. Keep one "sort:" or "rsort:".');
		case 'negatedSort':
			return t('A sort order cannot be negated. Use "rsort:" instead of "sort:", or the reverse.');
		case 'tooLong':
			return t('A filter can have at most {0} characters. Shorten it.', problem.longest);
		case 'notAnEntry':
			return t('An entry of this setting needs a name and a filter. Correct it in the settings.');
	}
}

function unknownKeyText(key: string, nearest: string | undefined): string {
	return nearest === undefined
		? vscode.l10n.t('Unknown filter "{0}:". To search for the text itself, put it in quotes.', key)
		: vscode.l10n.t('Unknown filter "{0}:". Did you mean "{1}:"?', key, nearest);
}

function missingValueText(key: string, values: readonly string[]): string {
	return values.length === 0
		? vscode.l10n.t('"{0}:" needs a name.', key)
		: vscode.l10n.t('"{0}:" needs a value: {1}.', key, values.join(', '));
}

function unknownValueText(
	key: string,
	value: string,
	{ values, nearest }: { readonly values: readonly string[]; readonly nearest: string | undefined },
): string {
	return nearest === undefined
		? vscode.l10n.t('"{1}" is not a value of "{0}:". Use {2}.', key, value, values.join(', '))
		: vscode.l10n.t('"{1}" is not a value of "{0}:". Did you mean "{2}"?', key, value, nearest);
}
