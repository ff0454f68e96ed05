import * as vscode from 'vscode';
import { turns } from '@forge-desk/base/timeSlice.ts';
import { choose } from '../../editor/ask/ask.ts';
import { askFilterText } from '../../editor/ask/filterBox.ts';
import { withProgress } from '../../editor/ask/progress.ts';
import type { CommandTable } from '../../editor/commands/feature.ts';
import type { ListChoice } from '../../store/lists/keptListChoices.ts';
import { knownLists, type KnownLists } from '../../store/lists/knownLists.ts';
import { visibleLine } from '../../engine/text/visible.ts';
import type { ListsContext } from './context/listsContext.ts';
import { listsSubject } from './subjects/subjects.ts';
import { leftText, listFilterRows, listProblemText, listVocabulary } from './find/listFilterRows.ts';
import { accountListOf, type AccountList } from './find/accountList.ts';

/** Patchsets between two looks at the clock. */
const atOnce = 4;

/** Commands for a list's filter and board; both persist per list. */
export function listFilterCommands(context: ListsContext): CommandTable {
	return {
		'forge.lists.filter': async (subject, signal) => {
			const seen = await accountListOf(context, subject, signal);
			const filter = await askListFilter(context, seen, signal);
			await choice(seen, { filter: filter ?? '' });
		},
		'forge.lists.clearFilter': async (subject, signal) => {
			if (listsSubject(subject)) {
				return choice(await accountListOf(context, subject, signal), { filter: '' });
			}
			// From anywhere else, the filters of all known lists.
			let failed: KnownLists['failure'];
			for (const connection of context.connections.all()) {
				const { lists, failure } = await knownLists(connection.lists.collection, signal);
				failed ??= failure;
				for (const list of lists.filter((each) => connection.listChoices.of(each).filter !== '')) {
					await choice({ connection, list }, { filter: '' });
				}
			}
			if (failed) {
				// Lists that failed to load may still have filters.
				throw failed.error;
			}
		},
		'forge.lists.group': async (subject, signal) => {
			const seen = await accountListOf(context, subject, signal);
			const now = seen.connection.listChoices.of(seen.list).patchsets;
			const title = vscode.l10n.t('Group the patchsets of {0}', visibleLine(seen.list.name));
			const as = (value: ListChoice['patchsets']): string => (value === now ? vscode.l10n.t('current') : '');
			const patchsets = await choose<ListChoice['patchsets']>(title, [
				{
					label: vscode.l10n.t('As a board'),
					description: as('board'),
					detail: vscode.l10n.t('Grouped by what they wait for: my review, revision, approved, done.'),
					iconPath: new vscode.ThemeIcon('project'),
					value: 'board',
				},
				{
					label: vscode.l10n.t('As one list'),
					description: as('newest'),
					detail: vscode.l10n.t('Newest first.'),
					iconPath: new vscode.ThemeIcon('list-flat'),
					value: 'newest',
				},
			]);
			await choice(seen, { patchsets });
		},
	};
}

function choice({ connection, list }: AccountList, change: Partial<ListChoice>): Promise<void> {
	return connection.listChoices.choose(list, { ...connection.listChoices.of(list), ...change });
}

/**
 * Asks for a filter of a list. Returns a valid text, or `undefined` for no filter. Throws an abort if the user closes
 * the box.
 */
async function askListFilter(
	context: ListsContext,
	seen: AccountList,
	signal: AbortSignal,
): Promise<string | undefined> {
	const { finder, problems } = context;
	const { connection, list } = seen;
	const applied = connection.listChoices.of(list).filter;
	await withProgress(vscode.l10n.t('Looking up your email address…'), signal, (working) =>
		finder.prepare(connection, working),
	);
	const vocabulary = listVocabulary(seen);
	const clearing = applied === '' ? undefined : vscode.l10n.t('Show Everything');
	return askFilterText(
		{
			title: vscode.l10n.t('Filter the patchsets and threads of {0}', visibleLine(list.name)),
			placeholder: 'status:proposed from:me prefix:project !is:reply',
			text: applied,
			hint: vscode.l10n.t('Other words search subjects and loaded messages. Prefix a term with ! to exclude it.'),
			complaint(text) {
				const reading = finder.read(seen, text);
				return reading.kind === 'problem' ? listProblemText(reading.problem) : undefined;
			},
			rows: (text, matching) => listFilterRows(text, finder.read(seen, text), matching, vocabulary, clearing),
			count: (text, counting) => countText(context, seen, text, counting),
			onDidChange: (listener) => connection.lists.onDidChange(() => listener()),
		},
		problems,
		signal,
	);
}

/** Counts matches among loaded items. Pauses regularly, because texts may be long. */
async function countText({ finder, clock }: ListsContext, seen: AccountList, text: string, signal: AbortSignal) {
	const known = seen.connection.lists.patchsets(seen.list).known()?.items;
	if (known === undefined) {
		return vscode.l10n.t('no patchsets loaded yet');
	}
	const reading = finder.read(seen, text);
	const turn = turns(clock);
	let shown = 0;
	let undecided = 0;
	for (let from = 0; from < known.length; from += atOnce) {
		const left = finder.patchsets(seen, reading, known.slice(from, from + atOnce));
		shown += left.shown.length;
		undecided += left.undecided.length;
		await turn(signal);
	}
	const counts = vscode.l10n.t('patchsets: {0}', leftText(shown, known.length));
	return undecided === 0 ? counts : `${counts} · ${vscode.l10n.t('not loaded for this filter: {0}', undecided)}`;
}
