import * as vscode from 'vscode';
import type { FolderBelongs } from '../../../editor/folderMapping.ts';
import { openDestination } from '../../../editor/openDestination.ts';
import { notify } from '../../../editor/notify.ts';
import { connectionOf } from '../../../editor/subjects.ts';
import { choose } from '../../../editor/ask.ts';
import type { Connections } from '../../../state/connection.ts';
import { shownName } from '../words.ts';

/** What going from a clone to its tracker and list needs of its surroundings. */
export interface BelongingParts {
	readonly connections: Connections;
	/** What a folder belongs to, as git and people say it. */
	readonly folderOf: (uri: vscode.Uri, signal: AbortSignal) => Promise<FolderBelongs | undefined>;
}

/** Opens the tracker or list that the file in front, or the folder of the workspace, belongs to. */
export async function openBelonging(
	{ connections, folderOf }: BelongingParts,
	kind: 'tracker' | 'list',
	subject: unknown,
	signal: AbortSignal,
): Promise<void> {
	const uri = await folderMeant(subject);
	const found = uri && (await folderOf(uri, signal))?.[kind];
	if (found) {
		const { ref, connectionKey } = found;
		return openDestination(connectionOf(connections, { connectionKey }), { kind, ref }, signal);
	}
	const say = vscode.l10n.t('Say What Folders Belong To…');
	void notify('information', nothingText(kind, uri !== undefined), ...(uri ? [say] : [])).then((chosen) =>
		chosen === say ? vscode.commands.executeCommand('forge.folders.show') : undefined,
	);
}

function nothingText(kind: 'tracker' | 'list', isFolderOpen: boolean): string {
	if (!isFolderOpen) {
		return vscode.l10n.t('No folder is open in this window. Open one first.');
	}
	switch (kind) {
		case 'tracker':
			return vscode.l10n.t('It is not known to which tracker this folder belongs. Say it once.');
		case 'list':
			return vscode.l10n.t(
				'It is not known to which list this folder belongs. Say it once, or set sendemail.to in git.',
			);
	}
}

/** The address handed over, the file in front, or a folder of the workspace, for which it is asked when there are several. */
async function folderMeant(subject: unknown): Promise<vscode.Uri | undefined> {
	const front = vscode.window.activeTextEditor?.document.uri;
	const given = [subject, front].find((each) => each instanceof vscode.Uri && each.scheme === 'file');
	if (given instanceof vscode.Uri) {
		return given;
	}
	const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
	return folders.length < 2
		? folders[0]?.uri
		: choose(
				vscode.l10n.t('Which folder?'),
				folders.map(({ name, uri }) => ({ label: shownName(name), value: uri })),
			);
}
