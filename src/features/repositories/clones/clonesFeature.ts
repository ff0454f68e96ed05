import * as vscode from 'vscode';
import { addressInFront } from '../../../editor/commands/addressInFront.ts';
import { openUri } from '../../../editor/documents/showDocument.ts';
import { isAbort } from '@forge-desk/base/abort.ts';
import type { Clock } from '@forge-desk/base/clock.ts';
import { choose } from '../../../editor/ask/ask.ts';
import { notify } from '../../../editor/ask/notify.ts';
import type { Problems } from '../../../editor/ask/problems.ts';
import { withProgress, type ShownProgress } from '../../../editor/ask/progress.ts';
import type { CommandHandler, CommandTable } from '../../../editor/commands/feature.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import type { PageHost } from '../../../editor/pages/pageHost.ts';
import type { FolderBelongs } from '../../../editor/git/folderMapping.ts';
import type { FindGit } from '../../../editor/git/gitApi.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import type { TreePath, RepositoryRef } from 'sourcehut/port/repository.ts';
import { cloneRepository, type CloneProgress, type CloneWish } from 'hardened-git/cloneRepository.ts';
import { fileInClone } from 'hardened-git/fileInClone.ts';
import { GitFailure } from 'hardened-git/gitFailure.ts';
import { isSafeFolderName, isSafeRefName } from 'hardened-git/gitNames.ts';
import type { HardenedGit } from 'hardened-git/hardenedGit.ts';
import type { Connection, Connections } from '../../../store/connection.ts';
import { referenceKind, referenceOf, shortName } from '../../../store/repositories/repositoryReferences.ts';
import { cloneToSearch, openClones, type CloneToSearch, type OpenClones } from '../parts/openClones.ts';
import { askRepository } from '../questions/repositoryQuestions.ts';
import { orInFront } from '../questions/repositoryTarget.ts';
import { type Place, placeOfUri } from '../subjects/place.ts';
import { repositoriesSubject } from '../subjects/subjects.ts';
import { shownName } from '../subjects/words.ts';
import { askAddress, askFolder, askFolderName } from './cloneQuestions.ts';
import { tellingOfGit } from './failureText.ts';
import { keptWish, type WishStorage, type KeptWish, type SelectedText, type CloneWishedPlace } from './keptWish.ts';
import { openBelonging, openCounterpart } from './openCounterpart.ts';

type Way = 'here' | 'window' | 'workspace';

/** More folders with numbers are not tried. */
const mostTaken = 20;

/**
 * Asks where to open a folder and opens it. `before` runs after the choice, because opening it in this window can
 * restart the extension host.
 */
export async function openFolder(folder: vscode.Uri, before: () => Promise<void>): Promise<void> {
	const open = vscode.workspace.workspaceFolders ?? [];
	if (open.some(({ uri }) => uri.toString() === folder.toString())) {
		return before();
	}
	const way = await choose<Way>(
		vscode.l10n.t('Choose where to open {0}', shownName(folder.path.split('/').at(-1) ?? '')),
		[
			{ label: vscode.l10n.t('Open in New Window'), value: 'window' },
			{
				label: open.length > 0 ? vscode.l10n.t('Replace Current Folder') : vscode.l10n.t('Open in This Window'),
				value: 'here',
			},
			...(open.length > 0 ? [{ label: vscode.l10n.t('Add to Workspace'), value: 'workspace' as const }] : []),
		],
	);
	await before();
	await openBy(way, folder);
}

/** Offers to open a new clone. Resolves when the notice is gone. `name`: of the repository. */
async function offerToOpen(folder: vscode.Uri, name: string): Promise<void> {
	const offers: readonly (readonly [Way, string])[] = [
		['here', vscode.l10n.t('Open')],
		['window', vscode.l10n.t('Open in New Window')],
		['workspace', vscode.l10n.t('Add to Workspace')],
	];
	const isNumbered = isSafeFolderName(name) && folder.path.split('/').at(-1) !== name;
	const message = isNumbered
		? vscode.l10n.t('The clone is in {0}, because {1} already exists there.', shownName(folder.fsPath), shownName(name))
		: vscode.l10n.t('The clone is in {0}.', shownName(folder.fsPath));
	const chosen = await notify('information', message, ...offers.map(([, label]) => label));
	const way = offers.find(([, label]) => label === chosen)?.[0];
	if (way) {
		await openBy(way, folder);
	}
}

async function openBy(way: Way, folder: vscode.Uri): Promise<void> {
	switch (way) {
		case 'here':
			await vscode.commands.executeCommand('vscode.openFolder', folder, { forceReuseWindow: true });
			return;
		case 'window':
			await vscode.commands.executeCommand('vscode.openFolder', folder, { forceNewWindow: true });
			return;
		case 'workspace': {
			const count = vscode.workspace.workspaceFolders?.length ?? 0;
			if (!vscode.workspace.updateWorkspaceFolders(count, 0, { uri: folder })) {
				void notify('error', vscode.l10n.t('The editor could not add this folder to the workspace. Try again.'));
			}
		}
	}
}

/** Context of the commands on clones. */
export interface ClonesContext {
	readonly connections: Connections;
	readonly pages: PageHost;
	/** Tracker, list and repository of a folder, from git and settings. */
	readonly folderOf: (uri: vscode.Uri, signal: AbortSignal) => Promise<FolderBelongs | undefined>;
	readonly findGit: FindGit;
	readonly git: HardenedGit;
	readonly isTrusted: () => boolean;
	/** The editor's, for all windows. */
	readonly storage: WishStorage;
	readonly problems: Problems;
	readonly clock: Clock;
}

/** Between repositories on the forge and their clones on this machine. */
export function clonesFeature(context: ClonesContext) {
	const ending = new AbortController();
	const clones = openClones(context.connections, context.findGit);
	const wishes = keptWish(context.storage, context.clock);
	const goOn = (): void => {
		continueInOpened(clones, wishes, ending.signal).catch(context.problems.log);
	};
	const watching = vscode.workspace.onDidChangeWorkspaceFolders(goOn);
	goOn();
	const told = (handler: CommandHandler): CommandHandler => tellingOfGit(context.problems, handler);
	const commands: CommandTable = {
		'forge.repositories.clone': told((subject, signal) => clone(context, subject, signal)),
		'forge.repositories.continueInClone': told((subject, signal) =>
			continueInClone(context, clones, wishes, subject, signal),
		),
		'forge.repositories.openTwin': (subject, signal) => openCounterpart(context.connections, clones, subject, signal),
		'forge.repositories.openTracker': (subject, signal) =>
			openBelonging(context.connections, context.folderOf, 'tracker', subject, signal),
		'forge.repositories.openList': (subject, signal) =>
			openBelonging(context.connections, context.folderOf, 'list', subject, signal),
	};
	return {
		clones,
		commands,
		/** Asks for method and parent folder, and clones. Returns the new folder. */
		make: (connectionKey: string, ref: RepositoryRef, signal: AbortSignal): Promise<vscode.Uri> =>
			makeClone(context, connectionOf(context.connections, { connectionKey }), ref, undefined, signal),
		toSearch: async (
			{ key }: Connection,
			ref: RepositoryRef,
			signal: AbortSignal,
		): Promise<CloneToSearch | undefined> => {
			const found = await clones.of(key, ref, signal);
			return found && cloneToSearch(context.git, found);
		},
		dispose() {
			watching.dispose();
			ending.abort();
		},
	};
}

/** Clones a repository, with the branch or tag of the given row checked out. */
async function clone(context: ClonesContext, subject: unknown, signal: AbortSignal): Promise<void> {
	const given = repositoriesSubject(orInFront(context, subject));
	const { connectionKey, ref } = given ?? (await askRepository(context.connections, 'another', signal));
	const connection = connectionOf(context.connections, { connectionKey });
	const { items } = connection.repositories.names.known(ref)?.references.known() ?? { items: [] };
	const reference = given?.kind === 'reference' ? referenceOf(given.revision, items) : undefined;
	const branch = reference && referenceKind(reference) !== 'other' ? shortName(reference) : undefined;
	const folder = await makeClone(context, connection, ref, branch, signal);
	// Not awaited: the notice may stay open for hours.
	void offerToOpen(folder, ref.name);
}

type EntryPlace = Extract<Place, { kind: 'entry' }>;

/**
 * Opens a remote file in a clone, at the same lines: an open clone, one on disk, or a new one. Uses the selection if
 * the file is in the active editor.
 */
async function continueInClone(
	context: ClonesContext,
	clones: OpenClones,
	wishes: KeptWish,
	subject: unknown,
	signal: AbortSignal,
): Promise<void> {
	const place = placeTarget(subject);
	if (!place) {
		void notify('information', vscode.l10n.t('Open a remote file first, then try again.'));
		return;
	}
	const { connectionKey, ref, at } = place;
	const connection = connectionOf(context.connections, { connectionKey });
	const seen = { path: at.path, selected: selectedIn(place), commit: await commitOf(connection, place, signal) };
	const clone = await clones.of(connectionKey, ref, signal);
	if (clone) {
		return showInClone(seen, clone.root, clone.head?.commit);
	}
	const where = await choose<'make' | 'find'>(
		vscode.l10n.t('No clone of {0} is open in this window', shownName(ref.name)),
		[
			{ label: vscode.l10n.t('Clone It Now…'), iconPath: new vscode.ThemeIcon('repo-clone'), value: 'make' },
			{
				label: vscode.l10n.t('Open an Existing Clone…'),
				iconPath: new vscode.ThemeIcon('folder-opened'),
				value: 'find',
			},
		],
	);
	const root =
		where === 'make'
			? await makeClone(context, connection, ref, await branchOf(connection, place, signal), signal)
			: await askFolder(context.findGit, vscode.l10n.t('Folder of the clone'), vscode.l10n.t('Open Clone'), signal);
	await openFolder(root, () => wishes.keep({ ...seen, root: root.toString() }));
	// For a folder that is already open; otherwise the next window does it.
	await continueInOpened(clones, wishes, signal);
}

/**
 * Opens the place that an earlier window stored before it opened the clone. Runs at the start and when folders appear.
 */
async function continueInOpened(clones: OpenClones, wishes: KeptWish, signal: AbortSignal): Promise<void> {
	const folders = vscode.workspace.workspaceFolders ?? [];
	const wish = await wishes.take(folders.map(({ uri }) => uri.toString()));
	const root = folders.find(({ uri }) => uri.toString() === wish?.root)?.uri;
	if (wish && root) {
		// Without git the file still opens, without a comparison of commits.
		const head = (await clones.at(root, signal))?.clone.head?.commit;
		await showInClone(wish, root, head);
	}
}

function placeTarget(subject: unknown): EntryPlace | undefined {
	const given = repositoriesSubject(subject);
	if (given?.kind === 'file' || given?.kind === 'folder') {
		return { kind: 'entry', connectionKey: given.connectionKey, ref: given.ref, at: given.at };
	}
	const front = addressInFront();
	const place = given || !front ? undefined : placeOfUri(front);
	return place?.kind === 'entry' && place.at.path !== '' ? place : undefined;
}

function selectedIn(place: EntryPlace): SelectedText {
	const keyOf = ({ connectionKey, ref, at }: EntryPlace): string =>
		JSON.stringify([connectionKey, ref.owner, ref.name, at.ref, at.path]);
	const editor = vscode.window.activeTextEditor;
	const shown = editor && placeOfUri(editor.document.uri);
	if (!editor || shown?.kind !== 'entry' || keyOf(shown) !== keyOf(place)) {
		return { line: 0, character: 0, endLine: 0, endCharacter: 0 };
	}
	const { start, end } = editor.selection;
	return { line: start.line, character: start.character, endLine: end.line, endCharacter: end.character };
}

/** Commit of a remote place; `undefined` if the forge fails, because the file matters more. */
async function commitOf(
	{ repositories }: Connection,
	{ ref, at }: { readonly ref: EntryPlace['ref']; readonly at: TreePath },
	signal: AbortSignal,
): Promise<string | undefined> {
	try {
		return (await repositories.folders.standing(ref, at.ref, signal))?.commit.id;
	} catch (error) {
		if (isAbort(error)) {
			throw error;
		}
		return undefined;
	}
}

/** Branch or tag for a new clone, if the place has one. */
async function branchOf({ repositories }: Connection, { ref, at }: EntryPlace, signal: AbortSignal) {
	const { items } = await repositories.references(ref).first(signal);
	const reference = referenceOf(at.ref, items);
	const name = reference && /^refs\/(?:heads|tags)\//.test(reference.name) ? shortName(reference) : undefined;
	return name !== undefined && isSafeRefName(name) ? name : undefined;
}

/**
 * Opens a file of a clone with the same selection. Warns if the clone is at another commit or lacks the file. Never
 * follows a link out of the clone. `head`: the checked-out commit.
 */
async function showInClone(
	{ path, selected, commit }: Omit<CloneWishedPlace, 'root'>,
	root: vscode.Uri,
	head: string | undefined,
): Promise<void> {
	const found = await fileInClone(root.fsPath, path);
	const isOther = commit !== undefined && head !== undefined && commit !== head;
	switch (found) {
		case 'file': {
			const { line, character, endLine, endCharacter } = selected;
			const options = { selection: new vscode.Range(line, character, endLine, endCharacter), preview: false };
			await openUri(vscode.Uri.joinPath(root, path), options);
			break;
		}
		case 'folder':
			await vscode.commands.executeCommand('revealInExplorer', vscode.Uri.joinPath(root, path));
			break;
		case 'outside':
			return tell(vscode.l10n.t('In the clone, {0} points outside the clone. It was not opened.', shownName(path)));
		case 'missing':
			return tell(
				isOther
					? vscode.l10n.t(
							'The clone has no file {0}: it is at {1}, and you viewed {2}. Check that commit out, or fetch it.',
							shownName(path),
							shortId(head),
							shortId(commit),
						)
					: vscode.l10n.t('The clone has no file {0} in its working tree.', shownName(path)),
			);
	}
	if (isOther) {
		tell(
			vscode.l10n.t('The clone is at {0}, and you viewed {1}, so lines may differ.', shortId(head), shortId(commit)),
		);
	}
}

function shortId(id: string): string {
	return visibleLine(id.slice(0, 7));
}

/** Not awaited: the notice may stay open for hours. */
function tell(message: string): void {
	void notify('information', message);
}

/**
 * Asks for method and parent folder, and clones. Returns the new folder, with a number if its name is taken. `branch`:
 * branch or tag to check out instead of the default branch.
 */
async function makeClone(
	{ git, isTrusted, findGit }: ClonesContext,
	connection: Connection,
	ref: RepositoryRef,
	branch: string | undefined,
	signal: AbortSignal,
) {
	if (!isTrusted()) {
		throw new GitFailure({ kind: 'notTrusted' });
	}
	const way = await askAddress(connection, ref, vscode.l10n.t('Clone {0} over', shownName(ref.name)));
	if (!way) {
		throw new GitFailure({ kind: 'refused', what: 'address' });
	}
	const title = vscode.l10n.t('Folder to clone {0} into', shownName(ref.name));
	const { fsPath: parent } = await askFolder(findGit, title, vscode.l10n.t('Clone Here'), signal);
	const own = isSafeFolderName(ref.name) ? ref.name : await askFolderName();
	for (let count = 0; ; count += 1) {
		// Numbered as by the editor's own clone.
		const name = count === 0 ? own : `${own}-${count}`;
		try {
			const wish = { address: way.address, parent, name, ...(branch === undefined ? {} : { branch }) };
			return vscode.Uri.file(await cloneShown(git, wish, ref, signal));
		} catch (error) {
			const isTaken = error instanceof GitFailure && error.problem.kind === 'folderTaken';
			if (!isTaken || count === mostTaken) {
				throw error;
			}
		}
	}
}

function cloneShown(git: HardenedGit, wish: CloneWish, ref: RepositoryRef, signal: AbortSignal): Promise<string> {
	let shown: ShownProgress | undefined;
	let told = 0;
	const tell = ({ step, share }: CloneProgress): void => {
		const percent = new Intl.NumberFormat(vscode.env.language, { style: 'percent' }).format(share);
		// Receiving takes most of the time.
		const { now, message } = {
			receiving: { now: 70 * share, message: vscode.l10n.t('receiving objects, {0}', percent) },
			resolving: { now: 70 + 20 * share, message: vscode.l10n.t('resolving deltas, {0}', percent) },
			writing: { now: 90 + 10 * share, message: vscode.l10n.t('updating files, {0}', percent) },
		}[step];
		shown?.report({ message, increment: Math.max(0, now - told) });
		told = Math.max(told, now);
	};
	return withProgress(
		vscode.l10n.t('Cloning {0}…', shownName(ref.name)),
		signal,
		(working) => cloneRepository(git, wish, tell, working),
		(announced) => {
			shown = announced;
			told = 0;
		},
	);
}
