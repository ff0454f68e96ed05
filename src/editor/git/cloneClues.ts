import type * as vscode from 'vscode';
import { isForgeError } from 'sourcehut/port/forgeError.ts';
import type { Connection } from '../../store/connection.ts';
import type { CloneClue } from '../../store/wholeFiles/repositoryOfPatch.ts';
import type { FolderBelongs } from './folderMapping.ts';
import type { FindGit } from './gitApi.ts';
import { remotesOnForges } from './remotesOnForges.ts';

/** Hints from this window's clones about the repositories of an account's patches. */
export type CloneClues = (connection: Connection, signal: AbortSignal) => Promise<readonly CloneClue[]>;

/**
 * Remotes of clones on the account's forge, and the clones' settings. `folderOf`: tracker, list and repository of a
 * folder, from git and settings.
 */
export function cloneClues(
	findGit: FindGit,
	folderOf: (uri: vscode.Uri, signal: AbortSignal) => Promise<FolderBelongs | undefined>,
): CloneClues {
	return async (connection, signal) => {
		const clones = (await findGit(signal))?.repositories ?? [];
		const clues = await Promise.all(
			clones.map(async (clone): Promise<readonly CloneClue[]> => {
				const folder = await folderOf(clone.rootUri, signal).catch((error: unknown) => {
					if (!isForgeError(error)) {
						throw error;
					}
					return undefined;
				});
				const { list, repository } = folder ?? {};
				const ofAccount = (each: { readonly connectionKey: string } | undefined): boolean =>
					each?.connectionKey === connection.key;
				const said = repository && ofAccount(repository) ? [repository.ref] : [];
				const refs = [...said, ...remotesOnForges(clone, [connection]).map(({ ref }) => ref)];
				return refs.map((ref) => ({ ref, list: ofAccount(list) ? list?.ref : undefined }));
			}),
		);
		return clues.flat();
	};
}
