import * as vscode from 'vscode';
import { choose } from '../../../editor/ask/ask.ts';
import { askFilterText } from '../../../editor/ask/filterBox.ts';
import { shownInBox, type FilterRow } from '../../../editor/ask/filterRows.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import { shortAge } from '../../../engine/text/age.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import type { ShortEmail } from 'sourcehut/port/list.ts';
import type { AccountList } from '../find/accountList.ts';
import type { ListsContext } from '../context/listsContext.ts';
import { titleOf } from '../subjects/words.ts';

/** Searches in the words of an email archive. Resolves to the search and the chosen message. */
export async function searchOnServer(
	{ problems, clock }: ListsContext,
	{ connection, list }: AccountList,
	before: string,
	signal: AbortSignal,
): Promise<{ readonly text: string; readonly mail: ShortEmail }> {
	const { search, searchPrefixes } = connection.lists.uncached;
	if (!search) {
		throw new ForgeError({ kind: 'notOffered' }, { isUnsent: true });
	}
	const name = visibleLine(list.name);
	// The box works without them.
	const prefixes = (await searchPrefixes?.(list, signal).catch(problems.log)) ?? [];
	for (let text = before; ;) {
		text =
			(await askFilterText(
				{
					title: vscode.l10n.t('Search all messages of {0}', name),
					placeholder: 's:subject f:author dfn:src/main.c d:2026-05-01..',
					text,
					hint: vscode.l10n.t('The archive searches in its own words. Enter searches, and a row adds its prefix.'),
					complaint: () => undefined,
					rows(typed): readonly FilterRow[] {
						const [, above = '', word = ''] = /^(.*?)(\S*)$/s.exec(typed) ?? [];
						return [
							{ label: shownInBox(typed), choice: { kind: 'take' }, forText: typed, alwaysShow: true },
							...prefixes
								.filter(({ name: prefix }) => prefix.startsWith(word))
								.map((prefix): FilterRow => ({
									label: `${shownInBox(above)}${prefix.name}:`,
									description: shownInBox(prefix.text),
									choice: { kind: 'write', text: `${above}${prefix.name}:` },
									forText: typed,
									alwaysShow: true,
								})),
						];
					},
					count: async () => '',
					onDidChange: () => ({ dispose: () => undefined }),
				},
				problems,
				signal,
			)) ?? '';
		const title = vscode.l10n.t('Searching for {0}…', visibleLine(text));
		const page = await withProgress(title, signal, (working) => search(list, text, working).next());
		const found = page.done === true ? [] : page.value.items;
		const rows = found.map((mail) => ({
			label: titleOf(mail.subject),
			description: [visibleLine(mail.from ?? ''), shortAge(mail.createdMs, clock.nowMs(), vscode.env.language)].join(
				' · ',
			),
			value: mail,
		}));
		const back = {
			label: found.length === 0 ? vscode.l10n.t('No message matches') : vscode.l10n.t('Change the search'),
			description: vscode.l10n.t('at most 200 are shown, newest first'),
			iconPath: new vscode.ThemeIcon('arrow-left'),
			value: undefined,
		};
		const mail = await choose<ShortEmail | undefined>(vscode.l10n.t('{0} in {1}', visibleLine(text), name), [
			...rows,
			back,
		]);
		if (mail) {
			return { text, mail };
		}
	}
}
