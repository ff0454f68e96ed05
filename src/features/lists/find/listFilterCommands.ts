import * as vscode from 'vscode';
import { choose } from '../../../editor/ask/ask.ts';
import type { CommandTable } from '../../../editor/commands/feature.ts';
import { knownLists, type KnownLists } from '../../../state/lists/knownLists.ts';
import type { ListChoice } from '../../../state/lists/keptListChoices.ts';
import { visibleLine } from '../../../text/visible.ts';
import type { TargetParts } from '../subjects/listTargets.ts';
import type { ListsParts } from '../parts/listsParts.ts';
import { listsSubject } from '../subjects/subjects.ts';
import { askListFilter } from './listFilterBox.ts';
import type { ListFinder } from './listFinder.ts';
import { seenListOf, type SeenList } from './seenList.ts';

export interface ListFilterCommandParts extends TargetParts, Pick<ListsParts, 'problems' | 'clock'> {
	readonly finder: ListFinder;
}

/** Commands for a list's filter and board; both persist per list. */
export function listFilterCommands(parts: ListFilterCommandParts): CommandTable {
	return {
		'forge.lists.filter': async (subject, signal) => {
			const seen = await seenListOf(parts, subject, signal);
			const filter = await askListFilter(seen, parts, signal);
			await choice(seen, { filter: filter ?? '' });
		},
		'forge.lists.clearFilter': (subject, signal) => clear(parts, subject, signal),
		'forge.lists.group': async (subject, signal) => {
			const seen = await seenListOf(parts, subject, signal);
			const now = seen.connection.listChoices.of(seen.list).patchsets;
			const title = vscode.l10n.t('Group the patchsets of {0}', visibleLine(seen.list.name));
			await choice(seen, { patchsets: await choose(title, ways(now)) });
		},
	};
}

function ways(now: ListChoice['patchsets']): readonly {
	readonly label: string;
	readonly description: string;
	readonly detail: string;
	readonly iconPath: vscode.ThemeIcon;
	readonly value: ListChoice['patchsets'];
}[] {
	const as = (value: ListChoice['patchsets']): string => (value === now ? vscode.l10n.t('current') : '');
	return [
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
	];
}

function choice({ connection, list }: SeenList, change: Partial<ListChoice>): Promise<void> {
	return connection.listChoices.choose(list, { ...connection.listChoices.of(list), ...change });
}

/** Clears the row's filter, or from anywhere else the filters of all known lists. */
async function clear(parts: ListFilterCommandParts, subject: unknown, signal: AbortSignal): Promise<void> {
	const meant = listsSubject(subject);
	if (meant) {
		return choice(await seenListOf(parts, subject, signal), { filter: '' });
	}
	let failed: KnownLists['failure'];
	for (const connection of parts.connections.all()) {
		const { lists, failure } = await knownLists(connection.lists, signal);
		failed ??= failure;
		for (const list of lists.filter((each) => connection.listChoices.of(each).filter !== '')) {
			await choice({ connection, list }, { filter: '' });
		}
	}
	if (failed) {
		// Lists that failed to load may still have filters.
		throw failed.error;
	}
}
