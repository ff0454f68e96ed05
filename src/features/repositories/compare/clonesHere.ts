import * as vscode from 'vscode';
import { isRecord } from '../../../editor/commands/subjects.ts';
import type { RepositoryRef } from '../../../forge/port/repository.ts';
import { stepsOf } from '../../../store/repositories/repositoryEntries.ts';
import { walkLimits } from '../../../store/repositories/repositoryWalk.ts';
import type { OpenClones } from '../parts/openClones.ts';

/** True for the address of a file on the disk. */
export function isLocal(value: unknown): value is vscode.Uri {
	return isRecord(value) && value['scheme'] === 'file';
}

/** A repository path without a revision. */
export interface RemotePath {
	readonly connectionKey: string;
	readonly ref: RepositoryRef;
	readonly path: string;
}

/** File of an open clone at a path, existing or not; never outside of the clone. */
export async function fileInClone(
	clones: OpenClones,
	{ connectionKey, ref, path }: RemotePath,
	signal: AbortSignal,
): Promise<vscode.Uri | undefined> {
	const clone = await clones.of(connectionKey, ref, signal);
	if (!clone || !stepsOf(path, walkLimits.depth)) {
		return undefined;
	}
	const { scheme, authority, path: root } = clone.root;
	return vscode.Uri.from({ scheme, authority, path: `${root.replace(/\/$/, '')}/${path}` });
}

/** Repository path of a local file; `undefined` outside clones of known repositories. */
export async function remoteOf(
	clones: OpenClones,
	file: vscode.Uri,
	signal: AbortSignal,
): Promise<RemotePath | undefined> {
	const found = await clones.at(file, signal);
	return found && { connectionKey: found.clone.connectionKey, ref: found.clone.ref, path: found.path };
}
