import * as vscode from 'vscode';
import { visibleLine } from '../../text/visible.ts';

/** What may be wrong with a filter, whatever it filters. */
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
 * Why a filter cannot be run and what to do, in one or two plain sentences that name the wrong part. `negation` is an
 * example of a term that is turned round.
 */
export function filterProblemText(problem: FilterFault, negation = '!label:bug'): string {
	const { t } = vscode.l10n;
	switch (problem.kind) {
		case 'unclosedQuote':
			return t('A quote is opened and not closed. Add {0} at its end.', problem.quote);
		case 'danglingEscape':
			return t('A backslash stands at the end. Write two of them, or take it away.');
		case 'emptyNegation':
			return t('An exclamation mark stands alone. Write what should not be, such as {0}.', negation);
		case 'unknownKey':
			return unknownKeyText(visibleLine(problem.key), problem.nearest);
		case 'missingValue':
			return missingValueText(problem.key, problem.values);
		case 'unknownValue':
			return unknownValueText(problem.key, visibleLine(problem.value), problem);
		case 'secondSort':
			return t('There are two orders. Keep one sort: or rsort:.');
		case 'negatedSort':
			return t(
				'An order cannot be turned round with an exclamation mark. Write rsort: for sort:, and the other way round.',
			);
		case 'tooLong':
			return t('A filter has at most {0} characters. Make it shorter.', problem.longest);
		case 'notAnEntry':
			return t('An entry of this setting needs a name and a filter. Correct it in the settings.');
	}
}

function unknownKeyText(key: string, nearest: string | undefined): string {
	return nearest === undefined
		? vscode.l10n.t('Nothing is called {0}: in filters. To look for the word itself, put it in quotes.', key)
		: vscode.l10n.t('Nothing is called {0}: in filters. Did you mean {1}:?', key, nearest);
}

function missingValueText(key: string, values: readonly string[]): string {
	return values.length === 0
		? vscode.l10n.t('After {0}: a name is missing.', key)
		: vscode.l10n.t('After {0}: a word is missing: {1}.', key, values.join(', '));
}

function unknownValueText(
	key: string,
	value: string,
	{ values, nearest }: { readonly values: readonly string[]; readonly nearest: string | undefined },
): string {
	return nearest === undefined
		? vscode.l10n.t('{0}: does not know {1}. It takes {2}.', key, value, values.join(', '))
		: vscode.l10n.t('{0}: does not know {1}. Did you mean {2}?', key, value, nearest);
}
