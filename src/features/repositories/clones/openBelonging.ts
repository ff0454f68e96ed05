import * as vscode from 'vscode';
import type { FolderBelongs } from '../../../editor/git/folderMapping.ts';
import { openDestination } from '../../../editor/links/openDestination.ts';
import { notify } from '../../../editor/ask/notify.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import { choose } from '../../../editor/ask/ask.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import { isForgeError } from '../../../forge/port/forgeError.ts';
import type { ListRef } from '../../../forge/port/list.ts';
import { refText } from '../../../forge/port/namedRef.ts';
import type { Connections } from '../../../store/connection.ts';
import { shownName } from '../subjects/words.ts';

/** Opens the tracker or list that the file in front, or the folder of the workspace, belongs to. */
export async function openBelonging(
	connections: Connections,
	folderOf: (uri: vscode.Uri, signal: AbortSignal) => Promise<FolderBelongs | undefined>,
	kind: 'tracker' | 'list',
	subject: unknown,
	signal: AbortSignal,
): Promise<void> {
	const uri = await folderTarget(subject);
	const belongs = uri && (await folderOf(uri, signal));
	const found = belongs?.[kind] ?? (kind === 'list' ? await likelyList(connections, belongs, signal) : undefined);
	if (found) {
		const { ref, connectionKey } = found;
		return openDestination(connectionOf(connections, { connectionKey }), { kind, ref }, signal);
	}
	const say = vscode.l10n.t('Configure Folder…');
	// A remote folder has no settings of its own.
	const actions = uri?.scheme === 'file' ? [say] : [];
	void notify('information', nothingText(kind, { uri, belongs }), ...actions).then((chosen) =>
		chosen === say ? vscode.commands.executeCommand('forge.folders.show') : undefined,
	);
}

interface Folder {
	readonly uri: vscode.Uri | undefined;
	readonly belongs: FolderBelongs | undefined;
}

function nothingText(kind: 'tracker' | 'list', { uri, belongs }: Folder): string {
	if (!uri) {
		return vscode.l10n.t('No folder is open in this window. Open one first.');
	}
	const remote = uri.scheme === 'file' ? undefined : belongs?.repository;
	if (remote) {
		const name = shownName(refText(remote.ref));
		return kind === 'tracker'
			? vscode.l10n.t('No tracker with the name of {0} was found. Open it in the Tickets view.', name)
			: vscode.l10n.t('No list with the name of {0} was found. Open it in the Lists view.', name);
	}
	switch (kind) {
		case 'tracker':
			return vscode.l10n.t("This folder isn't linked to a tracker yet.");
		case 'list':
			return vscode.l10n.t("This folder isn't linked to a list yet. Configure it, or set sendemail.to in git.");
	}
}

/** Neither git nor an address names a list. Try the usual names; the forge must confirm that one exists. */
async function likelyList(
	connections: Connections,
	belongs: FolderBelongs | undefined,
	signal: AbortSignal,
): Promise<{ readonly ref: ListRef; readonly connectionKey: string } | undefined> {
	if (!belongs?.repository) {
		return undefined;
	}
	const { connectionKey, ref: repository } = belongs.repository;
	const { lists } = connectionOf(connections, { connectionKey });
	return withProgress(vscode.l10n.t('Searching the forge…'), signal, async (working) => {
		for (const name of [repository.name, `${repository.name}-devel`]) {
			const ref = { owner: repository.owner, name };
			if (await isThere(lists.list(ref, working))) {
				return { ref, connectionKey };
			}
		}
		return undefined;
	});
}

async function isThere(reading: Promise<unknown>): Promise<boolean> {
	try {
		await reading;
		return true;
	} catch (error) {
		if (isForgeError(error) && (error.problem.kind === 'notFound' || error.problem.kind === 'notAllowed')) {
			return false;
		}
		throw error;
	}
}

/** The given address, the active file, or a workspace folder; asks if there are several. */
async function folderTarget(subject: unknown): Promise<vscode.Uri | undefined> {
	const front = vscode.window.activeTextEditor?.document.uri;
	const given = [subject, front].find((each) => each instanceof vscode.Uri && isFolderScheme(each));
	if (given instanceof vscode.Uri) {
		return given;
	}
	const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => isFolderScheme(uri));
	return folders.length < 2
		? folders[0]?.uri
		: choose(
				vscode.l10n.t('Choose a folder'),
				folders.map(({ name, uri }) => ({ label: shownName(name), value: uri })),
			);
}

/** On the disk or on the forge. */
function isFolderScheme({ scheme }: vscode.Uri): boolean {
	return scheme === 'file' || scheme === 'forge';
}
