import * as vscode from 'vscode';
import { addressInFront } from '../../../editor/commands/addressInFront.ts';
import { openUri } from '../../../editor/documents/showDocument.ts';
import { choose } from '../../../editor/ask/ask.ts';
import { notify, tellBriefly } from '../../../editor/ask/notify.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import type { FolderBelongs } from '../../../editor/git/folderMapping.ts';
import { openDestination } from '../../../editor/links/openDestination.ts';
import { isForgeError } from 'sourcehut/port/forgeError.ts';
import { unlessMissing } from 'sourcehut/port/isAway.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import type { Connections, Connection } from '../../../store/connection.ts';
import { headRevision, revisionOf } from '../../../store/repositories/repositoryReferences.ts';
import { isPushed } from '../links/permalinkOfClone.ts';
import type { OpenClone, OpenClones } from '../parts/openClones.ts';
import { uriOfPlace } from '../subjects/place.ts';
import { shownName } from '../subjects/words.ts';

/** Opens the tracker or list that the file in front, or the folder of the workspace, belongs to. */
export async function openBelonging(
	connections: Connections,
	folderOf: (uri: vscode.Uri, signal: AbortSignal) => Promise<FolderBelongs | undefined>,
	kind: 'tracker' | 'list',
	subject: unknown,
	signal: AbortSignal,
): Promise<void> {
	const uri = await folderTarget(subject);
	const belongs = uri && (await folderOf(uri, signal));
	const found = belongs?.[kind] ?? (kind === 'list' ? await likelyList(connections, belongs, signal) : undefined);
	if (found) {
		const { ref, connectionKey } = found;
		return openDestination(connectionOf(connections, { connectionKey }), { kind, ref }, signal);
	}
	const say = vscode.l10n.t('Configure Folder…');
	// A remote folder has no settings of its own.
	const actions = uri?.scheme === 'file' ? [say] : [];
	void notify('information', nothingText(kind, { uri, belongs }), ...actions).then((chosen) =>
		chosen === say ? vscode.commands.executeCommand('forge.folders.show') : undefined,
	);
}

interface Folder {
	readonly uri: vscode.Uri | undefined;
	readonly belongs: FolderBelongs | undefined;
}

function nothingText(kind: 'tracker' | 'list', { uri, belongs }: Folder): string {
	if (!uri) {
		return vscode.l10n.t('No folder is open in this window. Open one first.');
	}
	const remote = uri.scheme === 'file' ? undefined : belongs?.repository;
	if (remote) {
		const name = shownName(refText(remote.ref));
		return kind === 'tracker'
			? vscode.l10n.t('No tracker with the name of {0} was found. Open it in the Tickets view.', name)
			: vscode.l10n.t('No list with the name of {0} was found. Open it in the Lists view.', name);
	}
	switch (kind) {
		case 'tracker':
			return vscode.l10n.t("This folder isn't linked to a tracker yet.");
		case 'list':
			return vscode.l10n.t("This folder isn't linked to a list yet. Configure it, or set sendemail.to in git.");
	}
}

/** Neither git nor an address names a list. Try the usual names; the forge must confirm that one exists. */
async function likelyList(connections: Connections, belongs: FolderBelongs | undefined, signal: AbortSignal) {
	if (!belongs?.repository) {
		return undefined;
	}
	const { connectionKey, ref: repository } = belongs.repository;
	const { lists } = connectionOf(connections, { connectionKey });
	return withProgress(vscode.l10n.t('Searching the forge…'), signal, async (working) => {
		for (const name of [repository.name, `${repository.name}-devel`]) {
			const ref = { owner: repository.owner, name };
			if (await isThere(lists.list(ref, working))) {
				return { ref, connectionKey };
			}
		}
		return undefined;
	});
}

async function isThere(reading: Promise<unknown>): Promise<boolean> {
	try {
		await reading;
		return true;
	} catch (error) {
		if (isForgeError(error) && (error.problem.kind === 'notFound' || error.problem.kind === 'notAllowed')) {
			return false;
		}
		throw error;
	}
}

/** The given address, the active file, or a workspace folder; asks if there are several. */
async function folderTarget(subject: unknown): Promise<vscode.Uri | undefined> {
	const front = addressInFront();
	const given = [subject, front].find((each) => each instanceof vscode.Uri && isFolderScheme(each));
	if (given instanceof vscode.Uri) {
		return given;
	}
	const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => isFolderScheme(uri));
	return folders.length < 2
		? folders[0]?.uri
		: choose(
				vscode.l10n.t('Choose a folder'),
				folders.map(({ name, uri }) => ({ label: shownName(name), value: uri })),
			);
}

/** On the disk or on the forge. */
function isFolderScheme({ scheme }: vscode.Uri): boolean {
	return scheme === 'file' || scheme === 'forge';
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
	const uri = (subject instanceof vscode.Uri && subject.scheme === 'file' ? subject : undefined) ?? addressInFront();
	const file = uri?.scheme === 'file' ? await clones.at(uri, signal) : undefined;
	if (!uri || !file || file.path === '') {
		void notify(
			'information',
			vscode.l10n.t(
				'This file is not in an open clone of a repository on a forge that you are signed in to. Open a file of a clone first.',
			),
		);
		return;
	}
	const connection = connectionOf(connections, file.clone);
	const counterpart = await unlessMissing(
		withProgress(vscode.l10n.t('Searching the forge…'), signal, async (working) => {
			const found = await counterpartOf(connection, file.clone, working);
			await connection.repositories.folders.find(file.clone.ref, { ref: found.revision, path: file.path }, working);
			return found;
		}),
	);
	if (!counterpart) {
		void notify(
			'information',
			vscode.l10n.t(
				"{0} doesn't exist there on the forge. Push it first, or choose another branch.",
				shownName(file.path),
			),
		);
		return;
	}
	const { revision, isOther } = counterpart;
	const { connectionKey, ref } = file.clone;
	const selection = editor?.document.uri.toString() === uri.toString() ? editor.selection : undefined;
	await openUri(uriOfPlace({ kind: 'entry', connectionKey, ref, at: { ref: revision, path: file.path } }), {
		preview: false,
		...(selection === undefined ? {} : { selection: new vscode.Range(selection.start, selection.end) }),
	});
	if (isOther) {
		tellBriefly(
			vscode.l10n.t(
				'The forge does not have all commits of this clone, so lines may differ from {0}',
				shownName(revision),
			),
		);
	}
}

/** A revision on the forge for a clone, and whether it may differ from the checkout. */
async function counterpartOf(connection: Connection, clone: OpenClone, signal: AbortSignal) {
	const { ref, head, remote } = clone;
	const { repositories } = connection;
	repositories.forgetBefore(ref);
	const { items } = await repositories.references(ref).first(signal);
	const followed = head?.upstream?.remote === remote ? `refs/heads/${head.upstream.name}` : undefined;
	const branch = items.find(({ name }) => name === followed);
	if (branch) {
		const revision = revisionOf(branch, items);
		const standing = await repositories.folders.standing(ref, revision, signal);
		return { revision, isOther: standing?.commit.id !== head?.commit };
	}
	return head?.commit !== undefined && (await isPushed(connection, ref, head.commit, signal))
		? { revision: head.commit, isOther: false }
		: { revision: headRevision, isOther: true };
}
