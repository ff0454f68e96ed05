import * as vscode from 'vscode';
import { isAbort } from '@forge-desk/base/abort.ts';
import { Disposables } from '@forge-desk/base/lifecycle.ts';
import { askFor, cancelled } from '../../../editor/ask/ask.ts';
import { plainUnderBox } from '../../../editor/ask/notify.ts';
import {
	readTextQuery,
	type TextPattern,
	type TextQuery,
	type TextQueryProblem,
} from '../../../engine/search/texts/textQuery.ts';
import { visibleLine } from '../../../engine/text/visible.ts';

/** Query and file filter of a search. */
export interface SearchWish {
	readonly query: TextQuery;
	/** Patterns of files as `pathFilter` reads them; empty for all. */
	readonly include: string;
}

/** A validated request. */
export interface ReadWish extends SearchWish {
	readonly pattern: TextPattern;
}

/** Initial state of the search box. */
export const noWish: SearchWish = {
	query: { text: '', matchCase: false, wholeWord: false, isRegex: false },
	include: '',
};

type Toggle = 'matchCase' | 'wholeWord' | 'isRegex';

/** Longer than anybody types. */
const longestInclude = 500;

/** Title and prompt of the search box. */
export interface SearchHeading {
	readonly title: string;
	/** Search scope and cost, for a search in all files. */
	readonly prompt: string;
}

/**
 * Asks for the query, with an earlier request as default. `keep` receives every change, so that the input survives a
 * close. Throws an abort when the user closes the box.
 */
export async function askSearch(
	heading: SearchHeading,
	before: SearchWish,
	keep: (wish: SearchWish) => void,
	signal: AbortSignal,
): Promise<ReadWish> {
	let wish = before;
	const change = (changed: Partial<SearchWish>): void => {
		wish = { ...wish, ...changed };
		keep(wish);
	};
	for (;;) {
		const answer = await askQuery(heading, wish, (query) => change({ query }), signal);
		if (answer.kind === 'search') {
			return { ...wish, pattern: answer.pattern };
		}
		try {
			change({
				include: await askFor({
					title: heading.title,
					value: wish.include,
					prompt: vscode.l10n.t('Files to search, separated by commas. Prefix with ! to exclude; leave empty for all.'),
					placeHolder: 'src, *.c, doc/**, !test',
					complaint: (typed) =>
						typed.length > longestInclude ? vscode.l10n.t('Enter at most {0} characters.', longestInclude) : undefined,
				}),
			});
		} catch (error) {
			// Closing the second box returns to the first with its state.
			if (!isAbort(error) || signal.aborted) {
				throw error;
			}
		}
	}
}

type QueryAnswer = { readonly kind: 'search'; readonly pattern: TextPattern } | { readonly kind: 'include' };

async function askQuery(
	{ title, prompt }: SearchHeading,
	{ query: before, include }: SearchWish,
	changed: (query: TextQuery) => void,
	signal: AbortSignal,
): Promise<QueryAnswer> {
	using owned = new Disposables();
	const box = owned.add(vscode.window.createInputBox());
	const { promise, resolve, reject } = Promise.withResolvers<QueryAnswer>();
	const toggles = {
		matchCase: toggle('case-sensitive', vscode.l10n.t('Match case'), before.matchCase),
		wholeWord: toggle('whole-word', vscode.l10n.t('Match whole word'), before.wholeWord),
		isRegex: toggle('regex', vscode.l10n.t('Use regular expression'), before.isRegex),
	};
	const files: vscode.QuickInputButton = {
		iconPath: new vscode.ThemeIcon('list-filter'),
		tooltip: vscode.l10n.t('Only Some Files…'),
		location: vscode.QuickInputButtonLocation.Title,
	};

	const isOn = (name: Toggle): boolean => toggles[name].toggle.checked;
	const query = (): TextQuery => ({
		text: box.value,
		matchCase: isOn('matchCase'),
		wholeWord: isOn('wholeWord'),
		isRegex: isOn('isRegex'),
	});

	function tell(): void {
		changed(query());
		const reading = readTextQuery(query());
		box.validationMessage = reading.kind === 'problem' ? plainUnderBox(searchProblemText(reading.problem)) : undefined;
	}

	box.title = title;
	box.placeholder = vscode.l10n.t('Text to search for');
	box.prompt = plainUnderBox(include === '' ? prompt : vscode.l10n.t('Only in: {0}', visibleLine(include)));
	box.ignoreFocusOut = true;
	box.buttons = [files, toggles.matchCase, toggles.wholeWord, toggles.isRegex];
	box.value = before.text;
	box.valueSelection = [0, before.text.length];
	owned.add(box.onDidChangeValue(tell));
	owned.add(
		box.onDidTriggerButton((button) => {
			if (button === files) {
				resolve({ kind: 'include' });
			} else {
				tell();
			}
		}),
	);
	owned.add(
		box.onDidAccept(() => {
			const reading = readTextQuery(query());
			if (reading.kind === 'pattern' && box.value !== '') {
				resolve({ kind: 'search', pattern: reading.pattern });
			}
		}),
	);
	owned.add(box.onDidHide(() => reject(cancelled())));
	const giveUp = (): void => reject(cancelled());
	signal.addEventListener('abort', giveUp, { once: true });
	owned.add({ dispose: () => signal.removeEventListener('abort', giveUp) });
	tell();
	box.show();
	return await promise;
}

function toggle(icon: string, tooltip: string, checked: boolean) {
	return {
		iconPath: new vscode.ThemeIcon(icon),
		tooltip,
		location: vscode.QuickInputButtonLocation.Input,
		toggle: { checked },
	} satisfies vscode.QuickInputButton;
}

/** Problem of a query as a sentence. */
function searchProblemText(problem: TextQueryProblem): string {
	switch (problem.kind) {
		case 'tooLong':
			return vscode.l10n.t('Enter at most {0} characters.', problem.longest);
		case 'lineBreak':
			return vscode.l10n.t('Files are searched line by line, so line breaks are never found.');
		case 'noPattern':
			return vscode.l10n.t(
				'The regular expression is invalid: {0}. Correct it, or turn regular expressions off.',
				problem.why,
			);
	}
}
