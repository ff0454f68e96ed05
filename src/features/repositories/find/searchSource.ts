import * as vscode from 'vscode';
import { isAbort } from '../../../base/abort.ts';
import { choose, type Choice } from '../../../editor/ask/ask.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import { nameOf } from '../../../state/repositories/repositoryEntries.ts';
import type { CloneToSearch } from '../clones/cloneToSearch.ts';
import { shownName } from '../subjects/words.ts';
import type { FindSurroundings } from './findParts.ts';
import type { FileSearch } from '../questions/fileSearch.ts';

/** Source of the searched files. */
export type SearchSource =
	| { readonly kind: 'forge' }
	/** The requested commit, read from a clone. */
	| { readonly kind: 'commit'; readonly clone: CloneToSearch; readonly commit: string }
	/** Current files in a clone's folder, at any commit. */
	| { readonly kind: 'workingTree'; readonly clone: CloneToSearch };

/** Asks for the source if a clone is open; otherwise only the forge is available. */
export async function askSearchSource(
	{ cloneOf, problems }: Pick<FindSurroundings, 'cloneOf' | 'problems'>,
	where: FileSearch,
	signal: AbortSignal,
): Promise<SearchSource> {
	const forge: SearchSource = { kind: 'forge' };
	const clone = await cloneOf(where.connection, where.ref, signal);
	if (!clone) {
		return forge;
	}
	const revision = shownName(where.at.ref);
	const title = vscode.l10n.t('Checking whether the clone {0} has {1}…', cloneName(clone), revision);
	const { commit, isThere } = await withProgress(title, signal, async (working) => {
		const found = await unlessFailing(commitOf(where, working), problems);
		const has = found !== undefined && (await unlessFailing(clone.has(found, working), problems));
		return { commit: found, isThere: has === true };
	});
	const choices: readonly Choice<SearchSource>[] = [
		...(commit !== undefined && isThere
			? [
					{
						label: vscode.l10n.t('At {0}, from the clone {1}', revision, cloneName(clone)),
						detail: vscode.l10n.t('Commit {0} as it was committed. Sends no requests to the forge.', shortId(commit)),
						iconPath: new vscode.ThemeIcon('repo-clone'),
						value: { kind: 'commit', clone, commit } as const,
					},
				]
			: []),
		{
			label: vscode.l10n.t('In the working tree of the clone {0}', cloneName(clone)),
			detail: vscode.l10n.t(
				'Current files on this computer, with the search of the editor. Sends no requests to the forge.',
			),
			iconPath: new vscode.ThemeIcon('folder-opened'),
			value: { kind: 'workingTree', clone },
		},
		{
			label: vscode.l10n.t('On the forge, at {0}', revision),
			...(commit === undefined || isThere
				? {}
				: { detail: vscode.l10n.t('The clone does not have commit {0}.', shortId(commit)) }),
			iconPath: new vscode.ThemeIcon('cloud'),
			value: forge,
		},
	];
	return choose(vscode.l10n.t('Choose where to search'), choices);
}

/** As people call a clone. */
export function cloneName({ folder }: CloneToSearch): string {
	return shownName(nameOf(folder.path));
}

async function commitOf({ connection, ref, at }: FileSearch, signal: AbortSignal): Promise<string | undefined> {
	return (await connection.repositories.standing(ref, at.ref, signal))?.commit.id;
}

/** One failing source must not stop the others. */
async function unlessFailing<T>(
	asking: Promise<T>,
	problems: Pick<FindSurroundings['problems'], 'log'>,
): Promise<T | undefined> {
	try {
		return await asking;
	} catch (error) {
		if (isAbort(error)) {
			throw error;
		}
		problems.log(error);
		return undefined;
	}
}

function shortId(commit: string): string {
	return commit.slice(0, 7);
}
