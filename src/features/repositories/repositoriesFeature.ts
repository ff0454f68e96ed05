import * as vscode from 'vscode';
import { openUri } from '../../editor/documents/showDocument.ts';
import { Disposables } from '@forge-desk/base/lifecycle.ts';
import { choose } from '../../editor/ask/ask.ts';
import { copyText } from '../../editor/ask/copyText.ts';
import { notify } from '../../editor/ask/notify.ts';
import { withProgress } from '../../editor/ask/progress.ts';
import type { CommandTable } from '../../editor/commands/feature.ts';
import { connectionOf, isRecord } from '../../editor/commands/subjects.ts';
import { followOwned, unfollowOwned } from '../../editor/owned/askOwned.ts';
import { pageRenderer } from '../../editor/pages/pageRenderer.ts';
import { isForgeError } from 'sourcehut/port/forgeError.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import type { TreePath } from 'sourcehut/port/repository.ts';
import { isBlob, entryKind, nameOf } from '../../store/repositories/repositoryEntries.ts';
import { treeOrPart } from '../../store/repositories/repositoryFolders.ts';
import { askAddress } from './clones/cloneQuestions.ts';
import { commitPage } from './commit/commitPage.ts';
import { compareCommands } from './compare/compareCommands.ts';
import { historyFeature } from './compare/historyFeature.ts';
import { repositoryFiles } from './files/repositoryFiles.ts';
import { findFeature } from './find/findFeature.ts';
import { withSelectedLines } from './links/fileInFront.ts';
import { manageFeature } from './manage/manageFeature.ts';
import { renamedFollows } from './manage/renamedFollows.ts';
import { openRevision } from './places/openPlaces.ts';
import { openRevisions, openWindow } from './places/openRevisions.ts';
import { openProject } from './projects/openProject.ts';
import { askCommit, askRepository } from './questions/repositoryQuestions.ts';
import {
	askSearchPlace,
	commitTarget,
	referenceOf,
	fileOf,
	orInFront,
	repositoryOf,
} from './questions/repositoryTarget.ts';
import { referencesFeature } from './references/referencesFeature.ts';
import { saveFile, tooLargeNotice } from './save/saveFile.ts';
import { repositoryPage } from './start/repositoryPage.ts';
import { defaultRevision } from './subjects/defaultRevision.ts';
import { uriOfPlace, placeOfUri } from './subjects/place.ts';
import { repositoryKind } from './subjects/repositoryKind.ts';
import { repositoriesSubject, type RepositoriesSubject } from './subjects/subjects.ts';
import { webLink } from './subjects/webLink.ts';
import { shownName } from './subjects/words.ts';
import { repositoryTree } from './tree/repositoryTree.ts';
import type { RepositoriesContext } from './parts/repositoriesContext.ts';
import type { Connections } from '../../store/connection.ts';
import { kindText } from './tree/entryRows.ts';

/** Repositories: view, commands and read-only file system. `given`: the context without its own file box and notices. */
export function repositoriesFeature(given: Omit<RepositoriesContext, 'askFile' | 'tooLarge'>) {
	const owned = new Disposables();
	const { connections } = given;
	const context: RepositoriesContext = {
		...given,
		askFile: (where, signal) => find.askFile(where, signal),
		tooLarge: tooLargeNotice(given.problems),
	};
	const tree = owned.add(repositoryTree(context, renamedFollows(context.followedIdsOf)));
	const references = owned.add(referencesFeature(context));
	const manage = owned.add(manageFeature(context));
	const files = owned.add(repositoryFiles(context));
	owned.add(openRevisions(context, openWindow(), () => files.tryRootsAgain()));
	owned.add(vscode.window.registerFileDecorationProvider(repositoryDecorations(connections)));
	const find = owned.add(findFeature(context, (subject, signal) => askSearchPlace(context, subject, signal)));
	const history = owned.add(historyFeature(context));
	const pages = repositoryPages(context);
	return {
		tree,
		/** Serves `forge:` URIs. */
		files,
		/** Text search results. */
		searchTree: find.tree,
		/** The commits that changed a file or folder. */
		historyTree: history.tree,
		known: find.known,
		commands: {
			...repositoryCommands(context),
			...pages.commands,
			...find.commands,
			...references.commands,
			...manage.commands,
			...compareCommands(context),
			...history.commands,
		},
		restorePage: pages.restorePage,
		/** Web addresses of repositories, references, folders, files and commits. */
		links: {
			name: vscode.l10n.t('A repository, file or commit'),
			webLink: (subject: unknown) => webLink(connections, withSelectedLines(subject)),
			askForLink: (signal: AbortSignal) => askForLink(context, signal),
		},
		dispose: () => owned.dispose(),
	};
}

/** The pages of repositories and commits, with the commands that open them. */
export function repositoryPages(context: RepositoriesContext) {
	const renderer = pageRenderer(context.render);
	const commands: CommandTable = {
		'forge.repositories.open': async (subject) => {
			const given = repositoriesSubject(subject);
			if (!given) {
				return vscode.commands.executeCommand('forge.goTo');
			}
			const repository = { kind: 'repository', connectionKey: given.connectionKey, ref: given.ref } as const;
			context.pages.open(repositoryPage(context, repository, renderer));
		},
		'forge.repositories.openCommit': async (subject, signal) => {
			const { connectionKey, ref, id } = await commitTarget(context, subject, signal);
			const { repositories } = connectionOf(context.connections, { connectionKey });
			const commit = await withProgress(
				vscode.l10n.t('Loading commit {0}…', shownName(id.slice(0, 7))),
				signal,
				(working) => repositories.folders.commit(ref, id, working),
			);
			// A commit has one page, under its full id.
			context.pages.open(commitPage(context, { kind: 'commit', connectionKey, ref, id: commit.id }));
		},
	};
	return {
		commands,
		/** Fills a page after a reload; `state` is the page's stored state. */
		restorePage: async (type: 'forge.repository' | 'forge.commit', panel: vscode.WebviewPanel, state: unknown) => {
			const subject = repositoriesSubject(isRecord(state) ? state['subject'] : undefined);
			if (type === 'forge.repository' && subject?.kind === 'repository') {
				context.pages.restore(panel, repositoryPage(context, subject, renderer));
			} else if (type === 'forge.commit' && subject?.kind === 'commit') {
				context.pages.restore(panel, commitPage(context, subject));
			} else {
				panel.dispose();
			}
			await Promise.resolve();
		},
	};
}

/** Commands on repositories. From the palette each asks for its target. */
export function repositoryCommands(context: RepositoriesContext): CommandTable {
	return {
		'forge.repositories.follow': (subject, signal) => followOwned(repositoryKind, context.connections, subject, signal),
		'forge.repositories.unfollow': async (subject) => {
			await unfollowOwned(repositoryKind, context.connections, subject);
		},
		'forge.repositories.openFile': async (subject, signal) => {
			const { connectionKey, ref, at, lines, selection } = await fileOf(context, subject ?? openRevision(), signal);
			const { repositories } = connectionOf(context.connections, { connectionKey });
			const uri = uriOfPlace({ kind: 'entry', connectionKey, ref, at });
			// Load the file first: for an unreadable file, the editor only shows a generic error.
			try {
				await withProgress(vscode.l10n.t('Loading {0}…', shownName(at.path)), signal, async (working) => {
					const found = await repositories.folders.find(ref, at, working);
					if (found.kind === 'entry' && isBlob(found.entry)) {
						await repositories.objects.size(ref, found.entry.id, working);
					}
				});
			} catch (error) {
				if (isForgeError(error) && error.problem.kind === 'tooLarge') {
					return context.tooLarge(uri, error);
				}
				throw error;
			}
			// A single line gets the caret. The editor clamps lines past the end.
			const end = lines && lines.last > lines.first ? Number.MAX_SAFE_INTEGER : 0;
			const shown = selection ?? (lines && new vscode.Range(lines.first - 1, 0, lines.last - 1, end));
			await openUri(uri, shown && { selection: shown });
		},
		'forge.repositories.copyCloneAddress': async (subject, signal) => {
			const { connectionKey, ref } = await repositoryOf(context, subject, signal);
			const connection = connectionOf(context.connections, { connectionKey });
			const question = vscode.l10n.t('Choose a URL of {0} to copy', shownName(ref.name));
			const found = await askAddress(connection, ref, question);
			if (!found) {
				return void notify('information', vscode.l10n.t('{0} has no clone URL.', shownName(ref.name)));
			}
			await copyText(found.address);
		},
		'forge.repositories.mount': (subject, signal) => mount(context, subject, signal),
		'forge.repositories.openProject': (subject, signal) =>
			openProject(context.connections, orInFront(context, subject), signal),
		'forge.repositories.download': (subject, signal) => saveFile(context, subject, signal),
	};
}

/** Asks for a page of a repository and returns its web address. */
export async function askForLink(context: RepositoriesContext, signal: AbortSignal): Promise<string> {
	const repository = await askRepository(context.connections, 'any', signal);
	const ask = await choose<() => Promise<RepositoriesSubject>>(
		vscode.l10n.t('Choose a page of {0}', shownName(repository.ref.name)),
		[
			{ label: vscode.l10n.t('The repository'), value: () => Promise.resolve(repository) },
			{ label: vscode.l10n.t('A branch or tag…'), value: () => referenceOf(context, repository, signal) },
			{ label: vscode.l10n.t('A file…'), value: () => fileOf(context, repository, signal) },
			{
				label: vscode.l10n.t('A commit…'),
				value: async () => askCommit(context, await referenceOf(context, repository, signal), signal),
			},
		],
	);
	return webLink(context.connections, await ask()) ?? '';
}

/** Adds the root of a reference to the workspace; for a repository, its default branch. */
async function mount(context: RepositoriesContext, subject: unknown, signal: AbortSignal): Promise<void> {
	const given = repositoriesSubject(orInFront(context, subject));
	const { connectionKey, ref, revision } =
		given?.kind === 'repository'
			? {
					...given,
					revision: await defaultRevision(connectionOf(context.connections, given).repositories, given.ref, signal),
				}
			: await referenceOf(context, subject, signal);
	const { repositories } = connectionOf(context.connections, { connectionKey });
	const at: TreePath = { ref: revision, path: '' };
	// An unreadable folder would stay in the workspace and only show an error.
	await withProgress(vscode.l10n.t('Opening {0}…', shownName(refText(ref))), signal, async (working) => {
		await repositories.newestPinned(ref, revision, working);
		await treeOrPart(repositories.folders.folder(ref, at, working));
	});
	const uri = uriOfPlace({ kind: 'entry', connectionKey, ref, at });
	const open = vscode.workspace.workspaceFolders ?? [];
	if (open.some((folder) => folder.uri.toString() === uri.toString())) {
		await vscode.commands.executeCommand('revealInExplorer', uri);
		return;
	}
	// A browser editor without a multi-root workspace creates one and reloads. It shows the new folder only after another
	// reload, so the user chooses there.
	const reloads = vscode.env.uiKind === vscode.UIKind.Web && !vscode.workspace.workspaceFile;
	if (
		reloads &&
		(open.length === 0 ||
			(await choose<boolean>(vscode.l10n.t('Where should the remote folder open?'), [
				{ label: vscode.l10n.t('Replace Current Folder'), value: true },
				{
					label: vscode.l10n.t('Add to Workspace'),
					detail: vscode.l10n.t('The window reloads. If the workspace is empty then, reload it once more.'),
					value: false,
				},
			])))
	) {
		await vscode.commands.executeCommand('vscode.openFolder', uri, { forceReuseWindow: true });
		return;
	}
	const name = `${shownName(ref.name)} · ${shownName(revision)}`;
	if (!vscode.workspace.updateWorkspaceFolders(open.length, 0, { uri, name })) {
		void notify('error', vscode.l10n.t('The editor could not add this folder to the workspace. Try again.'));
	}
}

/**
 * A badge for names with hidden characters, since the Explorer draws them raw, and a letter for submodules, since they look
 * like files.
 */
export function repositoryDecorations(connections: Connections): vscode.FileDecorationProvider {
	return {
		provideFileDecoration(uri) {
			const place = placeOfUri(uri);
			const name = place?.kind === 'entry' ? nameOf(place.at.path) : '';
			if (shownName(name) !== name) {
				return new vscode.FileDecoration(
					'⚠',
					vscode.l10n.t('The name contains hidden characters: {0}', shownName(name)),
					new vscode.ThemeColor('list.warningForeground'),
				);
			}
			const repositories = connections.byKey(place?.connectionKey ?? '')?.repositories;
			const entry = place?.kind === 'entry' ? repositories?.folders.knownEntry(place.ref, place.at) : undefined;
			return entry && entryKind(entry) === 'submodule'
				? new vscode.FileDecoration('S', kindText('submodule'))
				: undefined;
		},
	};
}
