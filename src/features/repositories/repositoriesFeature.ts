import * as vscode from 'vscode';
import { Disposables } from '../../base/lifecycle.ts';
import type { Feature, TreeSource } from '../../editor/feature.ts';
import type { LinkSource } from '../../editor/linkCommands.ts';
import { repositoryDecorations } from './decorations.ts';
import { askForLink, repositoryCommands } from './repositoryCommands.ts';
import { repositoryFiles } from './repositoryFiles.ts';
import type { RepositoriesParts } from './repositoriesParts.ts';
import { repositoryTree } from './repositoryTree.ts';
import { webLink } from './webLink.ts';

/** Repositories in the editor: the view, the commands and the read-only file system. */
export interface RepositoriesFeature extends Feature {
	readonly tree: TreeSource;
	/** Behind `forge:` addresses. */
	readonly files: vscode.FileSystemProvider;
	/** Addresses of repositories, references, folders, files and commits. */
	readonly links: LinkSource;
}

/** Composes what belongs to repositories. */
export function repositoriesFeature(parts: RepositoriesParts): RepositoriesFeature {
	const owned = new Disposables();
	const tree = owned.add(repositoryTree(parts));
	const files = owned.add(repositoryFiles(parts));
	owned.add(vscode.window.registerFileDecorationProvider(repositoryDecorations(parts.connections)));
	return {
		tree,
		files,
		commands: repositoryCommands(parts),
		links: {
			name: vscode.l10n.t('A repository, file or commit'),
			webLink: (subject) => webLink(parts.connections, subject),
			askForLink: (signal) => askForLink(parts, signal),
		},
		dispose: () => owned.dispose(),
	};
}
