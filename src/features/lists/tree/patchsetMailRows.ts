import * as vscode from 'vscode';
import { isAbort } from '../../../base/abort.ts';
import type { Problems } from '../../../editor/ask/problems.ts';
import type { TreeNode } from '../../../editor/trees/treeNode.ts';
import type { PatchsetRef } from '../../../forge/list.ts';
import type { StatedChanges } from '../../../forge/statedChanges.ts';
import type { ParsedDiff } from '../../../patch/fileDiff.ts';
import type { Connection } from '../../../state/connection.ts';
import type { MailGlance } from '../../../state/lists/mailGlance.ts';
import { emptyRow } from './listRows.ts';
import { patchFileRow } from './patchFileRows.ts';
import { coverRow, patchRow } from './patchRows.ts';
import { knownAnswersByPatch } from './patchsetFacts.ts';
import { readPatch } from '../../../patchDocuments/patchReading.ts';

/** The first files of a patch get rows; a patch of more is read on its page. */
const mostFiles = 500;

/** The rows below that of a patchset. */
export type PatchsetMailRows = (
	row: TreeNode,
	patchset: { readonly connection: Connection; readonly ref: PatchsetRef },
	signal: AbortSignal,
) => Promise<readonly TreeNode[]>;

/** Below a patchset stand its cover letter and its patches, below these their files. */
export function patchsetMailRows(problems: Problems): PatchsetMailRows {
	/** Who unfolds a patchset is about to read it: its health and its answers come by themselves, and their row says them. */
	function lookCloser({ standings }: Connection, ref: PatchsetRef, signal: AbortSignal): void {
		if (!standings.known(ref)) {
			standings.read(ref, signal).catch((error: unknown) => {
				if (!isAbort(error)) {
					problems.log(error);
				}
			});
		}
	}

	async function filesBelow(
		connection: Connection,
		{ ref, mailId, row }: { readonly ref: PatchsetRef; readonly mailId: number; readonly row: TreeNode },
		signal: AbortSignal,
	): Promise<readonly TreeNode[]> {
		const { patch } = await readPatch(connection, mailId, signal);
		const files = patch?.diff.files ?? [];
		const rows = files
			.slice(0, mostFiles)
			.map((file, fileIndex) => patchFileRow({ connection, ref, mailId, parent: row }, file, fileIndex));
		if (files.length === 0) {
			return [emptyRow(row, vscode.l10n.t('No diff in this mail'))];
		}
		return files.length > mostFiles
			? [...rows, emptyRow(row, vscode.l10n.t('and {0} more', files.length - mostFiles))]
			: rows;
	}

	return async (row, { connection, ref }, signal) => {
		const { cover, patches } = await connection.lists.series(ref, signal);
		lookCloser(connection, ref, signal);
		const answers = knownAnswersByPatch(connection, ref);
		return [
			...(cover ? [coverRow({ connection, ref, mail: cover, parent: row })] : []),
			...inOrder(connection, ref, patches).map((mail) =>
				patchRow(
					{ connection, ref, mail: counted(connection, ref, mail), parent: row, answers: answers?.get(mail.id) },
					(of) => (below) => filesBelow(connection, { ref, mailId: mail.id, row: of }, below),
				),
			),
		];
	};
}

/** In the order of their subjects where the series was read, else as the forge sends them. */
function inOrder({ standings }: Connection, ref: PatchsetRef, patches: readonly MailGlance[]): readonly MailGlance[] {
	const read = standings.known(ref)?.series.patches ?? [];
	const places = new Map(read.map(({ mail }, place) => [mail.id, place]));
	const placeOf = ({ id }: MailGlance): number => places.get(id) ?? places.size;
	return patches.toSorted((a, b) => placeOf(a) - placeOf(b));
}

/** The mail with what its diff really changes, where that was read; what it states may be wrong. */
function counted({ standings }: Connection, ref: PatchsetRef, mail: MailGlance): MailGlance {
	const read = standings.known(ref)?.series.patches.find((patch) => patch.mail.id === mail.id);
	return read ? { ...mail, changes: changesOf(read.patch.diff) } : mail;
}

function changesOf({ files, added, removed }: ParsedDiff): StatedChanges {
	return { files: files.length, insertions: added, deletions: removed };
}
