import * as vscode from 'vscode';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import { unlessMissing } from 'sourcehut/port/isAway.ts';
import type { LineRange, RepositoryRef, TreePath } from 'sourcehut/port/repository.ts';
import { isObjectId } from 'patchmail/git/objectId.ts';
import type { Connection, Connections } from '../../../store/connection.ts';
import { isBlob } from '../../../store/repositories/repositoryEntries.ts';
import { headRevision, revisionOf } from '../../../store/repositories/repositoryReferences.ts';

import type { FileInFront } from './fileInFront.ts';
import type { FileOfClone } from '../parts/openClones.ts';
import { webOf } from '../../../editor/links/webOf.ts';

/** Result of the search for a clone file's address. */
export type CloneLink =
	| {
			readonly kind: 'permalink';
			/** `undefined` for names that no address can hold. */
			readonly address: string | undefined;
			/** The selected lines are other ones in the commit than on the disk. */
			readonly linesDiffer: boolean;
	  }
	/** The forge lacks the checked-out commit. */
	| { readonly kind: 'notPushed'; readonly commit: string; readonly onBranch: BranchLink | undefined }
	/** The commit lacks the file, because it is untracked or ignored. */
	| { readonly kind: 'notInCommit'; readonly commit: string }
	| { readonly kind: 'noCommit' };

/** The same file on the branch of the forge; its content may change. */
export interface BranchLink {
	/** Without `refs/heads/`. */
	readonly branch: string;
	readonly address: string | undefined;
}

/** Address of a file at the commit that its clone has checked out, once the forge has shown that it knows both. */
export async function permalinkOfClone(
	connections: Connections,
	{ clone: { connectionKey, ref, head }, path }: FileOfClone,
	file: FileInFront,
	signal: AbortSignal,
): Promise<CloneLink> {
	const connection = connectionOf(connections, { connectionKey });
	const commit = head?.commit;
	const addressAt = (revision: string): string | undefined =>
		webOf(connection.instance).address({
			kind: 'file',
			ref,
			at: { ref: revision, path },
			...(file.lines ? { lines: file.lines } : {}),
		});
	if (commit === undefined || !isObjectId(commit)) {
		return { kind: 'noCommit' };
	}
	if (!(await isPushed(connection, ref, commit, signal))) {
		const branch = await branchOf(connection, ref, [head?.upstream?.name, head?.name], signal);
		return {
			kind: 'notPushed',
			commit,
			onBranch: branch && { branch: branch.name, address: addressAt(branch.revision) },
		};
	}
	const there = await contentOf(connection, ref, { ref: commit, path }, file, signal);
	return there.kind === 'missing'
		? { kind: 'notInCommit', commit }
		: { kind: 'permalink', address: addressAt(commit), linesDiffer: there.linesDiffer };
}

/** Servers resolve names before ids, so the answer must have exactly this id. */
export async function isPushed({ repositories }: Connection, ref: RepositoryRef, id: string, signal: AbortSignal) {
	return (await unlessMissing(repositories.folders.commit(ref, id, signal)))?.id === id;
}

/** The first wanted branch that the forge has, otherwise its default branch, or `HEAD` if that is unknown. */
export async function branchOf(
	{ repositories }: Connection,
	ref: RepositoryRef,
	wanted: readonly (string | undefined)[],
	signal: AbortSignal,
) {
	repositories.forgetBefore(ref);
	const { items } = await repositories.references(ref).first(signal);
	const first = await repositories.names.defaultBranch(ref, signal);
	const certain = first?.isCertain === true ? first.name : undefined;
	for (const name of [...wanted, certain]) {
		const reference = items.find((each) => each.name === `refs/heads/${name ?? ''}`);
		if (reference && name !== undefined) {
			return { name, revision: revisionOf(reference, items) };
		}
	}
	return first && { name: certain ?? headRevision, revision: headRevision };
}

/** Checks that the commit has the file and the same selected lines. */
async function contentOf(
	{ repositories }: Connection,
	ref: RepositoryRef,
	at: TreePath,
	{ document, lines }: FileInFront,
	signal: AbortSignal,
): Promise<{ readonly kind: 'missing' } | { readonly kind: 'there'; readonly linesDiffer: boolean }> {
	const found = await unlessMissing(repositories.folders.find(ref, at, signal));
	if (found?.kind !== 'entry' || !isBlob(found.entry)) {
		return { kind: 'missing' };
	}
	if (!document || !lines) {
		return { kind: 'there', linesDiffer: false };
	}
	const { bytes } = await repositories.objects.blob(ref, found.entry.id, signal);
	const text = await vscode.workspace.decode(bytes, { encoding: document.encoding });
	return { kind: 'there', linesDiffer: marked(text, lines) !== marked(document.getText(), lines) };
}

/** Ends of lines are often others on the disk than in the commit. */
function marked(text: string, { first, last }: LineRange): string {
	return text
		.split(/\r\n|\r|\n/)
		.slice(first - 1, last)
		.join('\n');
}
