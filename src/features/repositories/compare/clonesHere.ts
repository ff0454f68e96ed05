import * as vscode from 'vscode';
import { isRecord } from '../../../editor/commands/subjects.ts';
import type { RepositoryRef } from '../../../forge/repository.ts';
import { stepsOf } from '../../../state/repositories/repositoryEntries.ts';
import { walkLimits } from '../../../state/repositories/repositoryWalk.ts';
import type { ClonedFile } from '../links/permalinkOfClone.ts';

/** True for the address of a file on the disk. */
export function isLocal(value: unknown): value is vscode.Uri {
	return isRecord(value) && value['scheme'] === 'file';
}

/** A path of a repository, whatever stands there at which revision. */
export interface RemotePath {
	readonly connectionKey: string;
	readonly ref: RepositoryRef;
	readonly path: string;
}

/** What a comparison wants to know of the clones that are open in this window. */
export interface ClonesHere {
	/** A clone of a repository, by its top folder. */
	of(
		connectionKey: string,
		ref: RepositoryRef,
		signal: AbortSignal,
	): Promise<{ readonly root: vscode.Uri } | undefined>;
	/** The clone that holds a file, and the file's path in it. */
	at(file: vscode.Uri, signal: AbortSignal): Promise<ClonedFile | undefined>;
}

/** The file of an open clone at a path, whether it is there or not; never one outside of the clone. */
export async function fileInClone(
	clones: ClonesHere,
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

/** Where a local file stands in its repository; `undefined` when no clone of a known repository holds it. */
export async function remoteOf(
	clones: ClonesHere,
	file: vscode.Uri,
	signal: AbortSignal,
): Promise<RemotePath | undefined> {
	const found = await clones.at(file, signal);
	return found && { connectionKey: found.clone.connectionKey, ref: found.clone.ref, path: found.path };
}
