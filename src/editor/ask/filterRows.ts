import * as vscode from 'vscode';
import { pushAll } from '@forge-desk/base/longArrays.ts';
import type { Candidate } from '../../engine/search/filterGrammar.ts';
import type { FilterProblem, WrongText } from '../../engine/search/filterWords.ts';
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

/** A parse result without the filter itself. */
export type FilterTextReading = { readonly kind: 'filter' } | WrongText;

/**
 * Rows below the typed text. The first one accepts the text and has it as label: the editor sorts labels with that
 * prefix first, the shortest on top, so Enter accepts the text.
 */
export function filterRows({
	text,
	reading,
	matching,
	completion,
	termText,
	first,
	clearing,
}: {
	readonly text: string;
	readonly reading: FilterTextReading;
	/** Number of matches as text; `undefined` during the count. */
	readonly matching: string | undefined;
	/** Completions that replace the text from `range.start` on. */
	readonly completion: { readonly range: { readonly start: number }; readonly candidates: readonly Candidate[] };
	/** Description of a term; may be empty. */
	readonly termText: (term: Candidate) => string;
	/** Rows under the empty text: saved filters and the like. */
	readonly first: readonly FilterRowFor[];
	/** Label of the row that removes the applied filter; `undefined` without one. */
	readonly clearing: string | undefined;
}): readonly FilterRow[] {
	const rows: FilterRowFor[] = [];
	if (reading.kind === 'problem') {
		// Choosing the row fixes the wrong part, if there is a clear fix. The message below the box shows the problem.
		const mended = mendedText(text, reading.problem);
		rows.push({
			label: shownInBox(text),
			...(mended === undefined ? {} : { detail: vscode.l10n.t('Press Enter to change to: {0}', shownInBox(mended)) }),
			iconPath: new vscode.ThemeIcon('error'),
			alwaysShow: true,
			choice: mended === undefined ? { kind: 'wrong' } : { kind: 'write', text: mended },
		});
	} else if (text.trim() !== '') {
		rows.push({
			label: shownInBox(text),
			description: matching ?? vscode.l10n.t('counting…'),
			iconPath: new vscode.ThemeIcon('filter'),
			alwaysShow: true,
			choice: { kind: 'take' },
		});
	} else {
		if (clearing !== undefined) {
			const iconPath = new vscode.ThemeIcon('clear-all');
			rows.push({ label: clearing, iconPath, alwaysShow: true, choice: { kind: 'clear' } });
		}
		pushAll(rows, first);
	}
	for (const term of completion.candidates) {
		const after = text.slice(0, completion.range.start) + term.insert;
		if (after !== text) {
			// A key continues with its value; after a value, the next term starts.
			const isKey = term.kind === 'key' || term.kind === 'header';
			rows.push({
				label: shownInBox(term.insert),
				description: termText(term),
				iconPath: new vscode.ThemeIcon(termIcons[term.kind]),
				alwaysShow: true,
				choice: { kind: 'write', text: isKey ? after : `${after} ` },
			});
		}
	}
	return rows.map((row) => ({ ...row, forText: text }));
}

const termIcons = {
	key: 'symbol-key',
	header: 'symbol-key',
	word: 'symbol-enum',
	label: 'tag',
	prefix: 'tag',
	person: 'person',
};

/** The text with the wrong part as it was most likely meant. */
function mendedText(text: string, problem: FilterProblem): string | undefined {
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
			return undefined;
	}
}

/** A text as a row shows it: hidden characters written out, and never a picture. */
export function shownInBox(text: string): string {
	return withoutPictures(visibleLine(text));
}

/** Description of a completion that is no key; may be empty. */
export function valueText(kind: Exclude<Candidate['kind'], 'key'>): string {
	switch (kind) {
		case 'header':
			return vscode.l10n.t('message header');
		case 'label':
			return vscode.l10n.t('label');
		case 'person':
			return vscode.l10n.t('person');
		case 'prefix':
			return vscode.l10n.t('subject prefix');
		case 'word':
			return '';
	}
}

/**
 * Problem of a filter and the next step, in one or two sentences that quote the wrong part. `negation`: example of a
 * negated term.
 */
export function filterProblemText(
	problem: FilterProblem | { readonly kind: 'notAnEntry' },
	negation = '!label:bug',
): string {
	const { t } = vscode.l10n;
	switch (problem.kind) {
		case 'unclosedQuote':
			return t('A closing quote is missing. Add {0} at the end.', problem.quote);
		case 'danglingEscape':
			return t('The filter ends with a backslash. Double it or remove it.');
		case 'emptyNegation':
			return t('An exclamation mark needs a term to exclude, such as {0}.', negation);
		case 'unknownKey': {
			const key = visibleLine(problem.key);
			return problem.nearest === undefined
				? vscode.l10n.t('Unknown filter "{0}:". To search for the text itself, put it in quotes.', key)
				: vscode.l10n.t('Unknown filter "{0}:". Did you mean "{1}:"?', key, problem.nearest);
		}
		case 'missingValue':
			return problem.values.length === 0
				? vscode.l10n.t('"{0}:" needs a name.', problem.key)
				: vscode.l10n.t('"{0}:" needs a value: {1}.', problem.key, problem.values.join(', '));
		case 'unknownValue': {
			const value = visibleLine(problem.value);
			return problem.nearest === undefined
				? vscode.l10n.t('"{1}" is not a value of "{0}:". Use {2}.', problem.key, value, problem.values.join(', '))
				: vscode.l10n.t('"{1}" is not a value of "{0}:". Did you mean "{2}"?', problem.key, value, problem.nearest);
		}
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
