import * as vscode from 'vscode';
import { visibleLine } from '../../engine/text/visible.ts';

/** Problems common to all filters. */
export type FilterFault =
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
