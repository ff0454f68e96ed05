import * as vscode from 'vscode';
import { notify, tellBriefly } from '../../../editor/ask/notify.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import { isForgeError } from '../../../forge/port/forgeError.ts';
import type { Connection, Connections } from '../../../store/connection.ts';
import { headRevision, revisionOf } from '../../../store/repositories/repositoryReferences.ts';
import { uriOfPlace } from '../subjects/placeUri.ts';
import { shownName } from '../subjects/words.ts';
import type { FileOfClone, OpenClone, OpenClones } from '../parts/openClones.ts';

/** A revision on the forge for a clone, and whether it may differ from the checkout. */
interface Counterpart {
	readonly revision: string;
	readonly isOther: boolean;
}

/**
 * Opens a clone's file on the forge at the same line: on the upstream branch, otherwise at the checked-out commit,
 * otherwise on the default branch.
 */
export async function openCounterpart(
	connections: Connections,
	clones: OpenClones,
	subject: unknown,
	signal: AbortSignal,
): Promise<void> {
	const editor = vscode.window.activeTextEditor;
	const uri = localUri(subject) ?? editor?.document.uri;
	const file = uri?.scheme === 'file' ? await clones.at(uri, signal) : undefined;
	if (!uri || !file || file.path === '') {
		return tellNoClone();
	}
	const connection = connectionOf(connections, file.clone);
	const { revision, isOther } = await withProgress(vscode.l10n.t('Searching the forge…'), signal, async (working) => {
		const counterpart = await counterpartOf(connection, file.clone, working);
		await connection.repositories.folders.find(file.clone.ref, { ref: counterpart.revision, path: file.path }, working);
		return counterpart;
	}).catch((error: unknown) => {
		if (isForgeError(error) && error.problem.kind === 'notFound') {
			return { revision: undefined, isOther: false };
		}
		throw error;
	});
	if (revision === undefined) {
		void notify(
			'information',
			vscode.l10n.t(
				"{0} doesn't exist there on the forge. Push it first, or choose another branch.",
				shownName(file.path),
			),
		);
		return;
	}
	await show(file, revision, editor?.document.uri.toString() === uri.toString() ? editor.selection : undefined);
	if (isOther) {
		tellBriefly(
			vscode.l10n.t(
				'The forge does not have all commits of this clone, so lines may differ from {0}',
				shownName(revision),
			),
		);
	}
}

async function show(
	{ clone, path }: FileOfClone,
	revision: string,
	selection: vscode.Selection | undefined,
): Promise<void> {
	const { connectionKey, ref } = clone;
	const uri = uriOfPlace({ kind: 'entry', connectionKey, ref, at: { ref: revision, path } });
	await vscode.commands.executeCommand('vscode.open', uri, {
		preview: false,
		...(selection === undefined ? {} : { selection: new vscode.Range(selection.start, selection.end) }),
	});
}

async function counterpartOf(
	{ repositories }: Connection,
	clone: OpenClone,
	signal: AbortSignal,
): Promise<Counterpart> {
	const { ref, head, remote } = clone;
	repositories.forgetBefore(ref);
	const { items } = await repositories.references(ref).first(signal);
	const followed = head?.upstream?.remote === remote ? `refs/heads/${head.upstream.name}` : undefined;
	const branch = items.find(({ name }) => name === followed);
	if (branch) {
		const revision = revisionOf(branch, items);
		const standing = await repositories.folders.standing(ref, revision, signal);
		return { revision, isOther: standing?.commit.id !== head?.commit };
	}
	if (head?.commit !== undefined) {
		try {
			await repositories.folders.commit(ref, head.commit, signal);
			return { revision: head.commit, isOther: false };
		} catch (error) {
			if (!isForgeError(error) || error.problem.kind !== 'notFound') {
				throw error;
			}
		}
	}
	return { revision: headRevision, isOther: true };
}

/** A file address from a command's argument, such as a tab's menu. */
function localUri(subject: unknown): vscode.Uri | undefined {
	return subject instanceof vscode.Uri && subject.scheme === 'file' ? subject : undefined;
}

function tellNoClone(): void {
	void notify(
		'information',
		vscode.l10n.t(
			'This file is not in an open clone of a repository on a forge that you are signed in to. Open a file of a clone first.',
		),
	);
}
