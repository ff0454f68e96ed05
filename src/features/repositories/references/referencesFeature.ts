import * as vscode from 'vscode';
import { Disposables, type Disposable } from '@forge-desk/base/lifecycle.ts';
import { cancelled, choose } from '../../../editor/ask/ask.ts';
import { offer } from '../../../editor/ask/askConnection.ts';
import { withoutPictures, notify, tellBriefly } from '../../../editor/ask/notify.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import type { Feature } from '../../../editor/commands/feature.ts';
import { bareSubject, connectionOf, isRecord } from '../../../editor/commands/subjects.ts';
import { untrustedMarkdown } from '../../../editor/documents/untrustedMarkdown.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import type { Reference, RepositoryRef } from 'sourcehut/port/repository.ts';
import { isObjectId } from 'patchmail/git/objectId.ts';
import type { Connections, Connection } from '../../../store/connection.ts';
import { referenceKind, referenceOf } from '../../../store/repositories/repositoryReferences.ts';
import { escapeMarkdown } from '../../../engine/text/escapeMarkdown.ts';
import { orInFront } from '../questions/repositoryTarget.ts';
import { downloadArtifact } from '../artifacts/downloadArtifact.ts';
import { laterFiles, fileInFront, isOf, openFolders, openFiles, type OpenFile } from '../places/openPlaces.ts';
import { isSingleFolderWindow, moveFiles, replaceFolder, type NewPlace } from '../places/movePlaces.ts';
import { pickReference } from '../questions/pickReference.ts';
import type { EntryPlace } from '../subjects/place.ts';
import { repositoriesSubject, type ReferenceSubject } from '../subjects/subjects.ts';
import { shownName, titleOf } from '../subjects/words.ts';
import type { RepositoriesContext } from '../parts/repositoriesContext.ts';

/** A status bar has room for more than one thing. */
const longestName = 40;

/** Composes what is done with branches, tags and their files. */
export function referencesFeature(context: RepositoriesContext): Feature {
	const { connections, ready, problems } = context;
	const owned = new Disposables();
	owned.add(referenceStatus(connections));

	ready()
		.then(async () => {
			for (const { key } of connections.all()) {
				await laterFiles(context.laterFilesOf(key)).open();
			}
		})
		.catch(problems.log);

	return {
		commands: {
			'forge.repositories.switchReference': (subject, signal) => switchReference(context, subject, signal),
			'forge.repositories.downloadArtifact': (subject, signal) =>
				downloadArtifact(context, orInFront(context, subject), signal),
		},
		dispose: () => owned.dispose(),
	};
}

/**
 * Status bar item with the reference of the active remote file, or of the workspace folder. A click switches. It makes
 * no requests beyond those of the file itself.
 */
export function referenceStatus(connections: Connections): Disposable {
	const owned = new Disposables();
	const item = owned.add(vscode.window.createStatusBarItem('forge.reference', vscode.StatusBarAlignment.Left, 100));
	item.name = vscode.l10n.t('Remote reference');
	item.command = 'forge.repositories.switchReference';
	const ending = new AbortController();
	let watching = watch();

	function watch(): Disposables {
		const subscriptions = new Disposables();
		for (const { repositories } of connections.all()) {
			subscriptions.add(repositories.onDidChange(show));
		}
		return subscriptions;
	}

	function show(): void {
		const place = placeShown();
		if (!place) {
			item.hide();
			return;
		}
		say(place);
		const { ref, at, connectionKey } = place;
		const repositories = connections.byKey(connectionKey)?.repositories;
		if (repositories?.folders.knownPinned(ref, at.ref) === undefined) {
			// The file's own editor shows the error.
			repositories?.folders.standing(ref, at.ref, ending.signal).then(
				(standing) => {
					const now = placeShown();
					if (standing && now && isOf(now, connectionKey, { ref, revision: at.ref })) {
						say(place);
					}
				},
				() => undefined,
			);
		}
	}

	function say(place: EntryPlace): void {
		const repositories = connections.byKey(place.connectionKey)?.repositories;
		const { ref, at } = place;
		const commitId = repositories?.folders.knownPinned(ref, at.ref)?.commit.id;
		const commit = commitId === undefined ? undefined : repositories?.objects.knownCommit(ref, commitId);
		const reference = referenceOf(at.ref, repositories?.names.known(ref)?.references.known()?.items ?? []);
		item.text = textOf(place, reference, commitId);
		item.accessibilityInformation = {
			label: vscode.l10n.t('{0} is shown at {1}', shownName(refText(ref)), shownName(at.ref)),
		};
		item.tooltip = untrustedMarkdown([
			`**${escapeMarkdown(shownName(refText(ref)))}**`,
			escapeMarkdown(shownName(reference?.name ?? at.ref)),
			escapeMarkdown(commitId ?? ''),
			escapeMarkdown(commit ? titleOf(commit) : ''),
			escapeMarkdown(vscode.l10n.t('Click to switch to another branch, tag or commit')),
		]);
		item.show();
	}

	owned.add(
		connections.onDidChange(() => {
			watching.dispose();
			watching = watch();
			show();
		}),
	);
	owned.add(vscode.window.tabGroups.onDidChangeTabs(show));
	owned.add(vscode.window.tabGroups.onDidChangeTabGroups(show));
	owned.add(vscode.workspace.onDidChangeWorkspaceFolders(show));
	show();
	return {
		dispose() {
			ending.abort();
			watching.dispose();
			owned.dispose();
		},
	};
}

function textOf({ ref, at }: EntryPlace, reference: Reference | undefined, commitId: string | undefined): string {
	const name = clipped(shownName(ref.name));
	const short = commitId?.slice(0, 7);
	if (short !== undefined && commitId === at.ref) {
		return `$(git-commit) ${withoutPictures(`${name}: ${shownName(short)}`)}`;
	}
	const icon = reference && referenceKind(reference) === 'tag' ? '$(tag)' : '$(git-branch)';
	const facts = [clipped(shownName(at.ref)), ...(short === undefined ? [] : [shownName(short)])];
	return `${icon} ${withoutPictures(`${name}: ${facts.join(' · ')}`)}`;
}

function placeShown(): EntryPlace | undefined {
	return fileInFront() ?? openFolders()[0]?.place;
}

function clipped(name: string): string {
	const characters = Array.from(name);
	return characters.length > longestName ? `${characters.slice(0, longestName - 1).join('')}…` : name;
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
export async function switchReference(
	context: RepositoriesContext,
	subject: unknown,
	signal: AbortSignal,
): Promise<void> {
	const { connectionKey, ref, from, to } = switchOf(subject) ?? (await askWhat());
	const connection = connectionOf(context.connections, { connectionKey });
	const current = from?.at.ref;
	const title = vscode.l10n.t('Choose a branch or tag to switch {0} to', shownName(ref.name));
	const nowMs = context.clock.nowMs();
	const revision = to ?? (await pickReference({ connection, ref, title, current, nowMs }, signal));
	if (!from) {
		const goal: ReferenceSubject = { kind: 'reference', connectionKey, ref, revision };
		await vscode.commands.executeCommand('forge.repositories.mount', goal);
		return;
	}
	const { repositories } = connection;
	const name = shownName(revision);
	const opening = vscode.l10n.t('Opening {0}…', name);
	if (revision !== current) {
		// Confirm the target before changing anything.
		await withProgress(opening, signal, (working) => repositories.newestPinned(ref, revision, working));
		return go(context, { connection, from, revision }, signal);
	}
	// Commits never move.
	if (isObjectId(revision)) {
		return;
	}
	const before = repositories.folders.knownPinned(ref, revision)?.commit.id;
	await withProgress(opening, signal, (working) => repositories.advance(ref, revision, working));
	const commit = repositories.folders.knownPinned(ref, revision)?.commit;
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
		const folders = openFolders();
		const front = fileInFront() ?? (folders.length === 1 ? folders[0]?.place : undefined);
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

async function go({ laterFilesOf }: RepositoriesContext, { connection, from, revision }: Goal, signal: AbortSignal) {
	const { connectionKey, ref, at } = from;
	const old = { ref, revision: at.ref };
	const to: NewPlace = (place) => ({ ...place, at: { ref: revision, path: place.at.path } });
	const folder = openFolders().find(({ place }) => isOf(place, connectionKey, old));
	const files = openFiles().filter(({ place }) => isOf(place, connectionKey, old));
	const taken = await filesTaken(files, { from, revision, isFolder: folder !== undefined });
	if (folder && isSingleFolderWindow()) {
		// The next window has its own tabs.
		await laterFiles(laterFilesOf(connectionKey)).keep(
			to(folder.place),
			taken.map(({ place }) => to(place)),
		);
	} else {
		const { stayed } = await moveFiles(connection, taken, to, signal);
		const [first] = stayed;
		const target = shownName(revision);
		if (!first) {
			tellBriefly(vscode.l10n.t('Switched to {0}', target));
		} else {
			const name = shownName(first.place.at.path);
			const text =
				stayed.length === 1
					? vscode.l10n.t("{0} doesn't exist at {1}, so it was not switched.", name, target)
					: vscode.l10n.t("{0} files don't exist at {1}, so they were not switched.", stayed.length, target);
			void notify('information', text);
		}
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
