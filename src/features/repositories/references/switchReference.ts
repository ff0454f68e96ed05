import * as vscode from 'vscode';
import { cancelled, choose } from '../../../editor/ask/ask.ts';
import { offer } from '../../../editor/ask/askConnection.ts';
import { notify, tellBriefly } from '../../../editor/ask/notify.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import { bareSubject, connectionOf, isRecord } from '../../../editor/commands/subjects.ts';
import type { RepositoryRef } from '../../../forge/repository.ts';
import { isObjectId } from '../../../git/objectId.ts';
import type { Connection } from '../../../state/connection.ts';
import type { RepositoriesParts } from '../parts/repositoriesParts.ts';
import { repositoriesSubject, type ReferenceSubject } from '../subjects/subjects.ts';
import { shownName } from '../subjects/words.ts';
import type { LaterFiles } from '../places/laterFiles.ts';
import { isSingleFolderWindow, moveFiles, replaceFolder, type NewPlace } from '../places/movePlaces.ts';
import { fileInFront, isOf, openFiles, openFolders, type OpenFile } from '../places/openPlaces.ts';
import type { EntryPlace } from '../subjects/place.ts';
import { pickReference } from '../questions/pickReference.ts';

export interface SwitchParts extends Pick<RepositoriesParts, 'connections' | 'clock'> {
	readonly later: (connectionKey: string) => Pick<LaterFiles, 'keep'>;
}

/** A request to switch the reference. */
interface Switch {
	readonly connectionKey: string;
	readonly ref: RepositoryRef;
	/** The open place; `undefined` if there is none. */
	readonly from: EntryPlace | undefined;
	/** Target; `undefined` to ask the user. */
	readonly to: string | undefined;
}

/** Shows what is open of a repository at another branch, tag or commit: its folder in its place, and its files with it. */
export async function switchReference(parts: SwitchParts, subject: unknown, signal: AbortSignal): Promise<void> {
	const { connectionKey, ref, from, to } = switchOf(subject) ?? (await askWhat());
	const connection = connectionOf(parts.connections, { connectionKey });
	const current = from?.at.ref;
	const title = vscode.l10n.t('Choose a branch or tag to switch {0} to', shownName(ref.name));
	const nowMs = parts.clock.nowMs();
	const revision = to ?? (await pickReference({ connection, ref, title, current, nowMs }, signal));
	if (!from) {
		const goal: ReferenceSubject = { kind: 'reference', connectionKey, ref, revision };
		await vscode.commands.executeCommand('forge.repositories.mount', goal);
		return;
	}
	if (revision === current) {
		return goOn({ connection, from, revision }, signal);
	}
	// Confirm the target before changing anything.
	await withProgress(vscode.l10n.t('Opening {0}…', shownName(revision)), signal, (working) =>
		connection.repositories.newestPinned(ref, revision, working),
	);
	await go(parts, { connection, from, revision }, signal);
}

/** Opens a branch's places at its current commit. Commits never move. */
async function goOn(
	{ connection: { repositories }, from: { ref }, revision }: Goal,
	signal: AbortSignal,
): Promise<void> {
	if (isObjectId(revision)) {
		return;
	}
	const before = repositories.knownPinned(ref, revision)?.commit.id;
	await withProgress(vscode.l10n.t('Opening {0}…', shownName(revision)), signal, (working) =>
		repositories.advance(ref, revision, working),
	);
	const commit = repositories.knownPinned(ref, revision)?.commit;
	const name = shownName(revision);
	tellBriefly(
		commit === undefined || commit.id === before
			? vscode.l10n.t('{0} has not moved', name)
			: vscode.l10n.t('Switched to {0} at {1}', name, shownName(commit.id.slice(0, 7))),
	);
}

/** The request in a command's argument; `undefined` outside of repositories. */
function switchOf(subject: unknown): Switch | undefined {
	const bare = bareSubject(subject);
	const given = repositoriesSubject(bare);
	if (!given) {
		const front = fileInFront() ?? onlyFolder();
		return front && { connectionKey: front.connectionKey, ref: front.ref, from: front, to: undefined };
	}
	const { connectionKey, ref } = given;
	const from = openOf(connectionKey, ref);
	if (isRecord(bare) && bare['scheme'] === 'forge') {
		// An address is the open place, not the target.
		const revision = given.kind === 'file' ? given.at.ref : given.kind === 'reference' ? given.revision : undefined;
		const isOpenAt = openOf(connectionKey, ref, revision);
		return { connectionKey, ref, from: isOpenAt ?? from, to: undefined };
	}
	return { connectionKey, ref, from, to: given.kind === 'reference' ? given.revision : undefined };
}

/** Open place of a repository: a folder first, then the active file, then any other file. */
function openOf(connectionKey: string, ref: RepositoryRef, revision?: string): EntryPlace | undefined {
	const front = fileInFront();
	return [...openFolders(), ...(front ? [{ place: front }] : []), ...openFiles()].find(({ place }) =>
		isOf(place, connectionKey, { ref, ...(revision === undefined ? {} : { revision }) }),
	)?.place;
}

function onlyFolder(): EntryPlace | undefined {
	const [first, ...others] = openFolders();
	return others.length === 0 ? first?.place : undefined;
}

async function askWhat(): Promise<Switch> {
	const folders = openFolders();
	if (folders.length === 0) {
		void offer(vscode.l10n.t('No remote folder and no remote file is open.'), {
			label: vscode.l10n.t('Open Remote Folder…'),
			command: 'forge.repositories.mount',
		});
		throw cancelled();
	}
	const from = await choose(
		vscode.l10n.t('Choose a folder to switch'),
		folders.map(({ folder, place }) => ({
			label: shownName(folder.name),
			description: shownName(place.at.ref),
			iconPath: new vscode.ThemeIcon('root-folder'),
			value: place,
		})),
	);
	return { connectionKey: from.connectionKey, ref: from.ref, from, to: undefined };
}

interface Goal {
	readonly connection: Connection;
	readonly from: EntryPlace;
	readonly revision: string;
}

async function go({ later }: SwitchParts, { connection, from, revision }: Goal, signal: AbortSignal): Promise<void> {
	const { connectionKey, ref, at } = from;
	const old = { ref, revision: at.ref };
	const to: NewPlace = (place) => ({ ...place, at: { ref: revision, path: place.at.path } });
	const folder = openFolders().find(({ place }) => isOf(place, connectionKey, old));
	const files = openFiles().filter(({ place }) => isOf(place, connectionKey, old));
	const taken = await filesTaken(files, { from, revision, isFolder: folder !== undefined });
	if (folder && isSingleFolderWindow()) {
		// The next window has its own tabs.
		await later(connectionKey).keep(
			to(folder.place),
			taken.map(({ place }) => to(place)),
		);
	} else {
		const { stayed } = await moveFiles(connection, taken, to, signal);
		tellStayed(stayed, revision);
	}
	if (folder && (await replaceFolder(folder, to(folder.place))) === 'refused') {
		void notify('error', vscode.l10n.t('The editor could not change the folder of the workspace. Try again.'));
	}
}

/** Files that switch along. The target itself needs no question. */
async function filesTaken(
	files: readonly OpenFile[],
	{ from, revision, isFolder }: { readonly from: EntryPlace; readonly revision: string; readonly isFolder: boolean },
): Promise<readonly OpenFile[]> {
	const meant = isFolder ? [] : files.filter(({ place }) => place.at.path === from.at.path);
	const others = files.filter((file) => !meant.includes(file));
	if (others.length === 0) {
		return meant;
	}
	const title =
		others.length === 1
			? vscode.l10n.t('Another file of {0} is open', shownName(from.at.ref))
			: vscode.l10n.t('{0} other files of {1} are open', others.length, shownName(from.at.ref));
	const takesAll = await choose<boolean>(title, [
		{ label: vscode.l10n.t('Open Them at {0} Too', shownName(revision)), value: true },
		{ label: vscode.l10n.t('Leave Them at {0}', shownName(from.at.ref)), value: false },
	]);
	return takesAll ? files : meant;
}

/** Says which files the other reference does not have. */
function tellStayed(stayed: readonly OpenFile[], revision: string): void {
	const [first] = stayed;
	if (first) {
		const name = shownName(first.place.at.path);
		const at = shownName(revision);
		const text =
			stayed.length === 1
				? vscode.l10n.t("{0} doesn't exist at {1}, so it was not switched.", name, at)
				: vscode.l10n.t("{0} files don't exist at {1}, so they were not switched.", stayed.length, at);
		void notify('information', text);
	} else {
		tellBriefly(vscode.l10n.t('Switched to {0}', shownName(revision)));
	}
}
