import * as vscode from 'vscode';
import { readingTool } from '../../../editor/models/languageTool.ts';
import type { LanguageTools, RepositoryToolName } from '../../../editor/models/languageTools.ts';
import type { RepositoriesParts } from '../parts/repositoriesParts.ts';
import { listFolder } from './listFolder.ts';
import { readFile } from './readFile.ts';

/** Read-only repository tools for language models. All repository content carries the remote mark. */
export function repositoryTools({
	connections,
	problems,
}: Pick<RepositoriesParts, 'connections' | 'problems'>): Pick<LanguageTools, RepositoryToolName> {
	return {
		forge_readFile: readingTool(
			problems,
			(input, signal) => readFile(connections, input, signal),
			() => vscode.l10n.t('Loading a file of a repository'),
		),
		forge_listFolder: readingTool(
			problems,
			(input, signal) => listFolder(connections, input, signal),
			() => vscode.l10n.t('Listing a folder of a repository'),
		),
	};
}
