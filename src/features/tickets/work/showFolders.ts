import * as vscode from 'vscode';
import { askFor, choose, type Choice } from '../../../editor/ask/ask.ts';
import { asTyped, chooseOrType } from '../../../editor/ask/chooseOrType.ts';
import { notify, tellBriefly } from '../../../editor/ask/notify.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import type { FoundBy } from '../../../editor/git/folderMapping.ts';
import type { TicketsContext } from '../context/ticketsContext.ts';
import { folderParts, hostedNameOf, writeFolderSetting, type FolderPart } from '../../../editor/git/folderSetting.ts';
import { cachedTrackers } from '../../../store/cachedTrackers.ts';

/** Shows the mapping of each folder with its origin, and lets the user correct it. */
export async function showFolders(
	{ connections, folders, findGit }: TicketsContext,
	signal: AbortSignal,
): Promise<void> {
	const all = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri);
	if (all.length === 0) {
		void notify('information', vscode.l10n.t('No folder is open in this window. Open one first.'));
		return;
	}
	const belongs = await Promise.all(all.map((folder) => folders.of(folder, signal)));
	const hasGit = (await findGit(signal)) !== undefined;
	const rows = all.flatMap((folder, place) =>
		folderParts.map((part): Choice<Chosen> => {
			const found = belongs[place]?.[part];
			const now = found && refText(found.ref);
			const value = visibleLine(now ?? vscode.l10n.t('not configured'));
			const labels = {
				tracker: vscode.l10n.t('Tracker: {0}', value),
				list: vscode.l10n.t('List: {0}', value),
				repository: vscode.l10n.t('Repository: {0}', value),
			};
			const description = [
				found ? howFound(found.foundBy) : '',
				all.length > 1 ? visibleLine(vscode.workspace.asRelativePath(folder, true)) : '',
				isReadOnly(folder) ? vscode.l10n.t('read-only') : '',
			];
			return {
				label: labels[part],
				description: description.filter((fact) => fact !== '').join(' · '),
				value: { folder, part, now },
			};
		}),
	);
	const { folder, part, now } = await choose(
		all.every(isReadOnly)
			? vscode.l10n.t('Tracker, list and repository of these folders')
			: hasGit
				? vscode.l10n.t('Choose one to change')
				: vscode.l10n.t('Git is disabled or the folder is not trusted, so nothing is detected. Choose one to set.'),
		rows,
	);
	if (isReadOnly(folder)) {
		return tellBriefly(vscode.l10n.t('A remote folder is read-only.'));
	}
	const known = part === 'tracker' ? connections.all().flatMap((each) => cachedTrackers(each).map(refText)) : [];
	const choices: readonly Choice<'type' | 'forget' | { readonly name: string }>[] = [
		...Array.from(new Set(known), (name) => ({ label: visibleLine(name), value: { name } })),
		{ label: vscode.l10n.t('Enter a Name…'), alwaysShow: true, value: 'type' },
		{ label: vscode.l10n.t('Detect from git'), alwaysShow: true, value: 'forget' },
	];
	const { value: choice, typed } = await chooseOrType(
		{
			title: questionText(part),
			choices,
			exact: (text) => (hostedNameOf(text) ? asTyped(choices, text, { value: 'type' }) : undefined),
		},
		signal,
	);
	const said =
		choice === 'forget'
			? undefined
			: choice === 'type'
				? await askFor({
						title: questionText(part),
						typed,
						placeHolder: '~owner/name',
						...(now === undefined ? {} : { value: now }),
						complaint: (value) => (hostedNameOf(value) ? undefined : vscode.l10n.t('Write it as ~owner/name.')),
					})
				: choice.name;
	await writeFolderSetting(folder, part, said);
	tellBriefly(
		said === undefined ? vscode.l10n.t('Removed from folder settings') : vscode.l10n.t('Set in folder settings'),
	);
}

/** A remote folder has no writable settings. */
function isReadOnly({ scheme }: vscode.Uri): boolean {
	return scheme === 'forge';
}

interface Chosen {
	readonly folder: vscode.Uri;
	readonly part: FolderPart;
	/** Current value as `~owner/name`. */
	readonly now: string | undefined;
}

function questionText(part: FolderPart): string {
	switch (part) {
		case 'tracker':
			return vscode.l10n.t('Tracker of this folder');
		case 'list':
			return vscode.l10n.t('List of this folder');
		case 'repository':
			return vscode.l10n.t('Repository of this folder');
	}
}

function howFound(by: FoundBy): string {
	switch (by.kind) {
		case 'setting':
			return vscode.l10n.t('set in settings');
		case 'remote':
			return vscode.l10n.t('from the git remote {0}', visibleLine(by.name));
		case 'sendEmailTo':
			return vscode.l10n.t('from sendemail.to');
		case 'project':
			return vscode.l10n.t('from the project {0}', visibleLine(by.name));
		case 'sameName':
			return vscode.l10n.t('guessed: it has the name of the repository');
		case 'ownTracker':
			return vscode.l10n.t('guessed: your own tracker of that name');
		case 'address':
			return vscode.l10n.t('from the URL of the folder');
	}
}
