import * as vscode from 'vscode';
import { Disposables } from '../../base/lifecycle.ts';
import type { EditDescription } from '../../editor/documents/described.ts';
import type { Feature } from '../../editor/commands/feature.ts';
import type { TreeSource } from '../../editor/trees/treeSource.ts';
import type { GoToName, GoToThing } from '../../editor/links/goToThing.ts';
import type { LinkSource } from '../../editor/links/linkCommands.ts';
import type { KnownThings } from '../../search/rankThings.ts';
import type { KeptNames } from '../../state/shared/keptNames.ts';
import type { ClonesHere } from './compare/clonesHere.ts';
import { compareCommands } from './compare/compareCommands.ts';
import { historyFeature } from './compare/historyFeature.ts';
import { withSelectedLines } from './links/fileInFront.ts';
import { manageFeature } from './manage/manageFeature.ts';
import { renamedFollows } from './manage/renamedFollows.ts';
import { referencesFeature, type ReferencesParts } from './references/referencesFeature.ts';
import { repositoryDecorations } from './tree/decorations.ts';
import { findFeature, type FindFeatureParts } from './find/findFeature.ts';
import { openWindow } from './places/openWindow.ts';
import { openRevisions } from './places/openRevisions.ts';
import { askForLink, repositoryCommands } from './repositoryCommands.ts';
import { askSearchPlace } from './questions/repositoryTarget.ts';
import { repositoryFiles } from './files/repositoryFiles.ts';
import { repositoryPages, type RepositoryPages } from './pageCommands.ts';
import type { RepositoryPagesParts } from './pages/pageParts.ts';
import { openProject } from './projects/openProject.ts';
import { repositoryTree } from './tree/repositoryTree.ts';
import { saveFile } from './save/saveFile.ts';
import { tooLargeNotice } from './save/tooLargeNotice.ts';
import { webLink } from './subjects/webLink.ts';

/** Repositories: view, commands and read-only file system. */
export interface RepositoriesFeature extends Feature, Pick<RepositoryPages, 'restorePage'> {
	readonly tree: TreeSource;
	/** Text search results. */
	readonly searchTree: TreeSource;
	/** The commits that changed a file or folder. */
	readonly historyTree: TreeSource;
	/** Serves `forge:` URIs. */
	readonly files: vscode.FileSystemProvider;
	/** Web addresses of repositories, references, folders, files and commits. */
	readonly links: LinkSource;
	readonly known: KnownThings<GoToName, GoToThing>;
}

export interface RepositoriesFeatureParts extends FindFeatureParts, ReferencesParts, RepositoryPagesParts {
	/** Ids of an account's followed repositories. */
	readonly followedIdsOf: (connectionKey: string) => KeptNames;
	readonly clones: ClonesHere;
	readonly editDescription: EditDescription;
}

export function repositoriesFeature(parts: RepositoriesFeatureParts): RepositoriesFeature {
	const owned = new Disposables();
	const { connections, problems, clock } = parts;
	const tree = owned.add(repositoryTree(parts, renamedFollows(parts.followedIdsOf)));
	const references = owned.add(referencesFeature(parts));
	const manage = owned.add(manageFeature({ ...parts, later: references.later }));
	const tooLarge = tooLargeNotice(problems);
	const files = owned.add(repositoryFiles({ ...parts, tooLarge }));
	owned.add(
		openRevisions({ connections, problems, clock, window: openWindow(), lookedAgain: () => files.tryRootsAgain() }),
	);
	owned.add(vscode.window.registerFileDecorationProvider(repositoryDecorations(connections)));
	const find = owned.add(findFeature(parts, (subject, signal) => askSearchPlace(parts, subject, signal)));
	const history = owned.add(historyFeature(parts));
	const pages = repositoryPages(parts);
	const finding = { ...parts, askFile: find.askFile, tooLarge };
	return {
		tree,
		files,
		searchTree: find.tree,
		historyTree: history.tree,
		known: find.known,
		commands: {
			...repositoryCommands(finding),
			...pages.commands,
			...find.commands,
			...references.commands,
			...manage.commands,
			...compareCommands(parts),
			...history.commands,
			'forge.repositories.openProject': (subject, signal) => openProject(connections, subject, signal),
			'forge.repositories.download': (subject, signal) => saveFile(finding, subject, signal),
		},
		restorePage: (type, panel, state) => pages.restorePage(type, panel, state),
		links: {
			name: vscode.l10n.t('A repository, file or commit'),
			webLink: (subject) => webLink(connections, withSelectedLines(subject)),
			askForLink: (signal) => askForLink(finding, signal),
		},
		dispose: () => owned.dispose(),
	};
}
