import * as vscode from 'vscode';
import { askFor, choose } from '../../editor/ask.ts';
import { offer } from '../../editor/askConnection.ts';
import type { CommandTable } from '../../editor/feature.ts';
import { withProgress } from '../../editor/progress.ts';
import { connectionOf } from '../../editor/subjects.ts';
import { repositoryRefText, type TreePath } from '../../forge/repository.ts';
import type { Connection } from '../../state/connection.ts';
import { isBlob } from '../../state/repositoryEntries.ts';
import { headRevision, revisionOf } from '../../state/repositoryReferences.ts';
import { askPath } from './askPath.ts';
import { uriOfPlace } from './placeUri.ts';
import { askAccount, askCommit, askReference, askRepository } from './repositoryQuestions.ts';
import type { RepositoriesParts } from './repositoriesParts.ts';
import {
	repositoriesSubject,
	type EntrySubject,
	type ReferenceSubject,
	type RepositoriesSubject,
	type RepositorySubject,
} from './subjects.ts';
import { pastedRepository, webLink } from './webLink.ts';
import { shownName } from './words.ts';
import { notify } from '../../editor/notify.ts';

/** The commands on repositories. From the palette each of them asks for what it needs. */
export function repositoryCommands(parts: RepositoriesParts): CommandTable {
	return {
		'forge.repositories.follow': (_, signal) => follow(parts, signal),
		'forge.repositories.unfollow': async (subject, signal) => {
			const given = repositoriesSubject(subject);
			const { ref, connectionKey } = given ?? (await askRepository(parts.connections, 'followed', signal));
			await connectionOf(parts.connections, { connectionKey }).repositories.unfollow(ref);
		},
		'forge.repositories.openFile': async (subject, signal) =>
			openFile(parts, await fileOf(parts, subject, signal), signal),
		'forge.repositories.openCommit': (subject, signal) => openCommit(parts, subject, signal),
		'forge.repositories.mount': (subject, signal) => mount(parts, subject, signal),
	};
}

/** Asks what of a repository is meant, and answers its address on the web. */
export async function askForLink(parts: RepositoriesParts, signal: AbortSignal): Promise<string> {
	const repository = await askRepository(parts.connections, 'any', signal);
	const ask = await choose<() => Promise<RepositoriesSubject>>(
		vscode.l10n.t('Address of what in {0}?', shownName(repository.ref.name)),
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

async function repositoryOf(
	{ connections }: RepositoriesParts,
	subject: unknown,
	signal: AbortSignal,
): Promise<RepositorySubject> {
	const given = repositoriesSubject(subject);
	return given
		? { kind: 'repository', connectionKey: given.connectionKey, ref: given.ref }
		: askRepository(connections, 'any', signal);
}

async function referenceOf(parts: RepositoriesParts, subject: unknown, signal: AbortSignal): Promise<ReferenceSubject> {
	const given = repositoriesSubject(subject);
	if (given?.kind === 'reference') {
		return given;
	}
	const { connectionKey, ref } = await repositoryOf(parts, subject, signal);
	return askReference(connectionOf(parts.connections, { connectionKey }), ref, signal);
}

/** The file that a command is about; asks for it, below a folder or reference when it was handed one. */
async function fileOf(parts: RepositoriesParts, subject: unknown, signal: AbortSignal): Promise<EntrySubject> {
	const given = repositoriesSubject(subject);
	if (given?.kind === 'file' || given?.kind === 'submodule') {
		return given;
	}
	const { connectionKey, ref, at } = given?.kind === 'folder' ? given : await rootOf(parts, subject, signal);
	const { repositories } = connectionOf(parts.connections, { connectionKey });
	const title = vscode.l10n.t('Open a file of {0} at {1}', shownName(repositoryRefText(ref)), shownName(at.ref));
	const path = await askPath(title, parts.problems, (walking) =>
		repositories.walk(ref, at, AbortSignal.any([signal, walking])),
	);
	return { kind: 'file', connectionKey, ref, at: { ref: at.ref, path } };
}

async function rootOf(
	parts: RepositoriesParts,
	subject: unknown,
	signal: AbortSignal,
): Promise<{ readonly connectionKey: string; readonly ref: RepositorySubject['ref']; readonly at: TreePath }> {
	const { connectionKey, ref, revision } = await referenceOf(parts, subject, signal);
	return { connectionKey, ref, at: { ref: revision, path: '' } };
}

/** The editor itself says of a file that cannot be read only that there was an error, so it is read before. */
async function openFile(
	{ connections }: RepositoriesParts,
	{ connectionKey, ref, at }: EntrySubject,
	signal: AbortSignal,
): Promise<void> {
	const { repositories } = connectionOf(connections, { connectionKey });
	await withProgress(vscode.l10n.t('Loading {0}…', shownName(at.path)), signal, async (working) => {
		const found = await repositories.find(ref, at, working);
		if (found.kind === 'entry' && isBlob(found.entry)) {
			await repositories.size(ref, found.entry.id, working);
		}
	});
	await vscode.commands.executeCommand('vscode.open', uriOfPlace({ kind: 'entry', connectionKey, ref, at }));
}

async function openCommit(parts: RepositoriesParts, subject: unknown, signal: AbortSignal): Promise<void> {
	const given = repositoriesSubject(subject);
	const { connectionKey, ref, id } =
		given?.kind === 'commit' ? given : await askCommit(parts, await referenceOf(parts, subject, signal), signal);
	const { repositories } = connectionOf(parts.connections, { connectionKey });
	await withProgress(vscode.l10n.t('Loading commit {0}…', shownName(id.slice(0, 7))), signal, (working) =>
		repositories.commit(ref, id, working),
	);
	await vscode.commands.executeCommand('vscode.open', uriOfPlace({ kind: 'commit', connectionKey, ref, id }));
}

/** Adds the root of a reference to the workspace; a repository is taken at its default branch. */
async function mount(parts: RepositoriesParts, subject: unknown, signal: AbortSignal): Promise<void> {
	const given = repositoriesSubject(subject);
	const { connectionKey, ref, revision } =
		given?.kind === 'repository'
			? await defaultReference(connectionOf(parts.connections, given), given, signal)
			: await referenceOf(parts, subject, signal);
	const { repositories } = connectionOf(parts.connections, { connectionKey });
	const at: TreePath = { ref: revision, path: '' };
	// A folder that cannot be read would stay in the workspace and only show an error.
	await withProgress(vscode.l10n.t('Opening {0}…', shownName(repositoryRefText(ref))), signal, (working) =>
		repositories.folder(ref, at, working),
	);
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
 * Whether the folder takes the place of what is open. An editor in a browser that has no workspace of several folders
 * yet makes one and reloads, and then shows such a folder only after another reload; so the user is asked there.
 */
async function opensInstead(openFolders: number): Promise<boolean> {
	if (vscode.env.uiKind !== vscode.UIKind.Web || vscode.workspace.workspaceFile) {
		return false;
	}
	return (
		openFolders === 0 ||
		(await choose<boolean>(vscode.l10n.t('Where should the remote folder open?'), [
			{ label: vscode.l10n.t('In this window, instead of what is open'), value: true },
			{
				label: vscode.l10n.t('In a workspace, beside what is open'),
				detail: vscode.l10n.t('The window reloads. If the workspace is empty then, reload it once more.'),
				value: false,
			},
		]))
	);
}

async function defaultReference(
	{ repositories }: Connection,
	{ connectionKey, ref }: RepositorySubject,
	signal: AbortSignal,
): Promise<ReferenceSubject> {
	const branch = await repositories.defaultBranch(ref, signal);
	const { items } = await repositories.references(ref, signal);
	const reference =
		branch?.isCertain === true ? items.find(({ name }) => name === `refs/heads/${branch.name}`) : undefined;
	const revision = reference ? revisionOf(reference, items) : headRevision;
	return { kind: 'reference', connectionKey, ref, revision };
}

async function follow(parts: RepositoriesParts, signal: AbortSignal): Promise<void> {
	const connection = await askAccount(parts.connections);
	const { git } = connection.instance.areas;
	const answer = await askFor({
		title: vscode.l10n.t('Follow a repository'),
		prompt: vscode.l10n.t('Its reference, or its address on the web or for cloning'),
		placeHolder: '~owner/name',
		complaint: (value) =>
			pastedRepository(value, git)
				? undefined
				: vscode.l10n.t('Write ~owner/name, or paste an address that begins with {0}.', git),
	});
	const wanted = pastedRepository(answer, git);
	if (!wanted) {
		return;
	}
	const ref = await withProgress(vscode.l10n.t('Looking for {0}…', repositoryRefText(wanted)), signal, (working) =>
		connection.repositories.follow(wanted, working),
	);
	if (ref.owner === connection.me) {
		await offer(vscode.l10n.t('{0} is your own repository and already in the view.', repositoryRefText(ref)), {
			label: vscode.l10n.t('Show'),
			command: 'forge.repositories.focus',
		});
	}
}
