import * as vscode from 'vscode';
import { treeOrPart } from '../../state/repositories/repositoryFolders.ts';
import { copyText } from '../../editor/ask/copyText.ts';
import { choose } from '../../editor/ask/ask.ts';
import type { CommandTable } from '../../editor/commands/feature.ts';
import { withProgress } from '../../editor/ask/progress.ts';
import { connectionOf } from '../../editor/commands/subjects.ts';
import { isForgeError } from '../../forge/forgeError.ts';
import { refText } from '../../forge/namedRef.ts';
import type { TreePath } from '../../forge/repository.ts';
import { isBlob } from '../../state/repositories/repositoryEntries.ts';
import { askAddress } from './clones/cloneQuestions.ts';
import { defaultRevision } from './subjects/defaultRevision.ts';
import { uriOfPlace } from './subjects/placeUri.ts';
import { openRevision } from './places/openPlaces.ts';
import { askCommit, askRepository } from './questions/repositoryQuestions.ts';
import type { RepositoriesParts } from './parts/repositoriesParts.ts';
import { followOwned, unfollowOwned } from '../../editor/owned/followOwned.ts';
import { repositoryKind } from './subjects/repositoryKind.ts';
import { repositoriesSubject, type RepositoriesSubject } from './subjects/subjects.ts';
import { webLink } from './subjects/webLink.ts';
import { shownName } from './subjects/words.ts';
import { notify } from '../../editor/ask/notify.ts';
import {
	type FileTargetParts,
	fileOf,
	repositoryOf,
	referenceOf,
	type FileSubject,
} from './questions/repositoryTarget.ts';

export interface CommandParts extends FileTargetParts {
	/** Handles a file over the editor's size limit. */
	readonly tooLarge: (uri: vscode.Uri, error: unknown) => void;
}

/** Commands on repositories. From the palette each asks for its target. */
export function repositoryCommands(parts: CommandParts): CommandTable {
	return {
		'forge.repositories.follow': (_, signal) => followOwned(repositoryKind, parts.connections, signal),
		'forge.repositories.unfollow': async (subject) => {
			await unfollowOwned(repositoryKind, parts.connections, subject);
		},
		'forge.repositories.openFile': async (subject, signal) =>
			openFile(parts, await fileOf(parts, subject ?? openRevision(), signal), signal),
		'forge.repositories.copyCloneAddress': (subject, signal) => copyCloneAddress(parts, subject, signal),
		'forge.repositories.mount': (subject, signal) => mount(parts, subject, signal),
	};
}

/** Copies a clone address. */
async function copyCloneAddress(parts: CommandParts, subject: unknown, signal: AbortSignal): Promise<void> {
	const { connectionKey, ref } = await repositoryOf(parts, subject, signal);
	const connection = connectionOf(parts.connections, { connectionKey });
	const question = vscode.l10n.t('Choose a URL of {0} to copy', shownName(ref.name));
	const found = await askAddress(connection, ref, question);
	if (!found) {
		return void notify('information', vscode.l10n.t('{0} has no clone URL.', shownName(ref.name)));
	}
	await copyText(found.address);
}

/** Asks for a page of a repository and returns its web address. */
export async function askForLink(parts: CommandParts, signal: AbortSignal): Promise<string> {
	const repository = await askRepository(parts.connections, 'any', signal);
	const ask = await choose<() => Promise<RepositoriesSubject>>(
		vscode.l10n.t('Choose a page of {0}', shownName(repository.ref.name)),
		[
			{ label: vscode.l10n.t('The repository'), value: () => Promise.resolve(repository) },
			{ label: vscode.l10n.t('A branch or tag…'), value: () => referenceOf(parts, repository, signal) },
			{ label: vscode.l10n.t('A file…'), value: () => fileOf(parts, repository, signal) },
			{
				label: vscode.l10n.t('A commit…'),
				value: async () => askCommit(parts, await referenceOf(parts, repository, signal), signal),
			},
		],
	);
	return webLink(parts.connections, await ask()) ?? '';
}

/** Loads the file first: for an unreadable file, the editor only shows a generic error. */
async function openFile(
	{ connections, tooLarge }: CommandParts,
	{ connectionKey, ref, at, lines, selection }: FileSubject,
	signal: AbortSignal,
): Promise<void> {
	const { repositories } = connectionOf(connections, { connectionKey });
	const uri = uriOfPlace({ kind: 'entry', connectionKey, ref, at });
	try {
		await withProgress(vscode.l10n.t('Loading {0}…', shownName(at.path)), signal, async (working) => {
			const found = await repositories.find(ref, at, working);
			if (found.kind === 'entry' && isBlob(found.entry)) {
				await repositories.size(ref, found.entry.id, working);
			}
		});
	} catch (error) {
		if (isForgeError(error) && error.problem.kind === 'tooLarge') {
			return tooLarge(uri, error);
		}
		throw error;
	}
	// A single line gets the caret. The editor clamps lines past the end.
	const end = lines && lines.last > lines.first ? Number.MAX_SAFE_INTEGER : 0;
	const shown = selection ?? (lines && new vscode.Range(lines.first - 1, 0, lines.last - 1, end));
	await vscode.commands.executeCommand('vscode.open', uri, ...(shown ? [{ selection: shown }] : []));
}

/** Adds the root of a reference to the workspace; for a repository, its default branch. */
async function mount(parts: RepositoriesParts, subject: unknown, signal: AbortSignal): Promise<void> {
	const given = repositoriesSubject(subject);
	const { connectionKey, ref, revision } =
		given?.kind === 'repository'
			? {
					...given,
					revision: await defaultRevision(connectionOf(parts.connections, given).repositories, given.ref, signal),
				}
			: await referenceOf(parts, subject, signal);
	const { repositories } = connectionOf(parts.connections, { connectionKey });
	const at: TreePath = { ref: revision, path: '' };
	// An unreadable folder would stay in the workspace and only show an error.
	await withProgress(vscode.l10n.t('Opening {0}…', shownName(refText(ref))), signal, async (working) => {
		await repositories.newestPinned(ref, revision, working);
		await treeOrPart(repositories.folder(ref, at, working));
	});
	const uri = uriOfPlace({ kind: 'entry', connectionKey, ref, at });
	const open = vscode.workspace.workspaceFolders ?? [];
	if (open.some((folder) => folder.uri.toString() === uri.toString())) {
		await vscode.commands.executeCommand('revealInExplorer', uri);
		return;
	}
	if (await opensInstead(open.length)) {
		await vscode.commands.executeCommand('vscode.openFolder', uri, { forceReuseWindow: true });
		return;
	}
	const name = `${shownName(ref.name)} · ${shownName(revision)}`;
	if (!vscode.workspace.updateWorkspaceFolders(open.length, 0, { uri, name })) {
		void notify('error', vscode.l10n.t('The editor could not add this folder to the workspace. Try again.'));
	}
}

/**
 * True to replace the open folder. A browser editor without a multi-root workspace creates one and reloads, and shows the new
 * folder only after another reload. So the user chooses there.
 */
async function opensInstead(openFolders: number): Promise<boolean> {
	if (vscode.env.uiKind !== vscode.UIKind.Web || vscode.workspace.workspaceFile) {
		return false;
	}
	return (
		openFolders === 0 ||
		(await choose<boolean>(vscode.l10n.t('Where should the remote folder open?'), [
			{ label: vscode.l10n.t('Replace Current Folder'), value: true },
			{
				label: vscode.l10n.t('Add to Workspace'),
				detail: vscode.l10n.t('The window reloads. If the workspace is empty then, reload it once more.'),
				value: false,
			},
		]))
	);
}
