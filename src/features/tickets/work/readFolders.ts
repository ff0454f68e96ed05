import type * as vscode from 'vscode';
import type { Clock } from '../../../base/clock.ts';
import type { Connection, Connections } from '../../../state/connection.ts';
import { listOfAddresses, type HostedName } from '../../../text/remoteAddress.ts';
import type {
	FolderBelongs,
	FolderMapping,
	RemoteFolder,
	RepositoryOfFolder,
} from '../../../editor/git/folderMapping.ts';
import { isForgeError } from '../../../forge/forgeError.ts';
import type { RepositoryRef } from '../../../forge/repository.ts';
import { isObjectId } from '../../../git/objectId.ts';
import type { FolderSetting } from './folderSetting.ts';
import { repositoryOf, type FindGit, type GitRepository } from '../../../editor/git/gitApi.ts';
import { remotesOnForges } from '../../../editor/git/remotesOnForges.ts';
import { knowsTracker } from '../subjects/knownTrackers.ts';
import { guessTracker, type GuessTracker, type Named } from './guessTracker.ts';
import { inProject } from './inProject.ts';

export interface FoldersParts {
	readonly connections: Connections;
	readonly findGit: FindGit;
	readonly readSetting: (uri: vscode.Uri) => FolderSetting;
	/** Top folder of the workspace that a file is in. */
	readonly workspaceFolderOf: (uri: vscode.Uri) => vscode.Uri | undefined;
	/** The repository on the forge that a file or folder is of, by its address. */
	readonly remoteFolderOf: (uri: vscode.Uri) => RemoteFolder | undefined;
	readonly clock: Clock;
}

/** The git settings of a repository hold for that long without another look, because a look runs git. */
const configLifeMs = 60_000;

/** Determines the tracker, list and repository of folders: from the setting, otherwise from git if trusted. */
export function readFolders(parts: FoldersParts): FolderMapping {
	const guess = guessTracker(parts.clock);
	const configs = new Map<string, { readonly atMs: number; readonly sendTo: Promise<string> }>();

	function sendEmailTo(repository: GitRepository): Promise<string> {
		const key = repository.rootUri.toString();
		const known = configs.get(key);
		if (known && parts.clock.nowMs() - known.atMs < configLifeMs) {
			return known.sendTo;
		}
		const sendTo = repository.getConfigs().then(
			(all) =>
				all
					.filter((entry) => entry.key.toLowerCase() === 'sendemail.to')
					.map(({ value }) => value)
					.join(','),
			() => '',
		);
		configs.set(key, { atMs: parts.clock.nowMs(), sendTo });
		return sendTo;
	}

	async function ofLocal(uri: vscode.Uri, signal: AbortSignal): Promise<FolderBelongs | undefined> {
		const git = await parts.findGit(signal);
		const clone = git && repositoryOf(git, uri);
		const root = clone?.rootUri ?? parts.workspaceFolderOf(uri);
		if (!root) {
			return undefined;
		}
		const all = parts.connections.all();
		const setting = parts.readSetting(uri);
		const clones = clone ? repositoriesOf(clone, all) : [];
		const account = clones[0]?.connection;
		const repository = said(setting.repository, all, account) ?? clones[0];
		const likely = [repository, ...clones].filter((each) => each !== undefined);
		const told: ToldParts = {
			tracker: said(setting.tracker, all, account),
			list: said(setting.list, all, account) ?? (clone && listBy(await sendEmailTo(clone), all)),
		};
		return {
			root,
			repository: repository && withState(repository, root, clone),
			...(await completed(told, { likely, guess }, signal)),
		};
	}

	return {
		of(uri, signal) {
			const remote = parts.remoteFolderOf(uri);
			return remote
				? ofRemote({ connections: parts.connections, guess }, remote, parts.readSetting(uri), signal)
				: ofLocal(uri, signal);
		},
	};
}

/** From the setting and from git. */
type ToldParts = { readonly [Each in 'tracker' | 'list']: Named | undefined };

/** Adds the project's tracker and list, then guesses. */
async function completed(
	{ tracker, list }: ToldParts,
	{ likely, guess }: { readonly likely: readonly Named[]; readonly guess: GuessTracker },
	signal: AbortSignal,
): Promise<Pick<FolderBelongs, 'tracker' | 'list'>> {
	const project = tracker && list ? undefined : await inProject(likely, signal);
	return {
		tracker: bare(tracker ?? project?.tracker ?? (await guess(likely, signal))),
		list: bare(list ?? project?.list),
	};
}

interface RemoteParts extends Pick<FoldersParts, 'connections'> {
	readonly guess: GuessTracker;
}

/** The address contains account and repository, so no setting or git call is needed for them. */
async function ofRemote(
	{ connections, guess }: RemoteParts,
	{ connectionKey, ref, root, revision }: RemoteFolder,
	setting: FolderSetting,
	signal: AbortSignal,
): Promise<FolderBelongs | undefined> {
	const connection = connections.byKey(connectionKey);
	if (!connection) {
		return undefined;
	}
	const named: Named = { connection, ref, foundBy: { kind: 'address' } };
	const head = revision === undefined ? undefined : await commitAt(connection, { ref, revision }, signal);
	const all = connections.all();
	const told = { tracker: said(setting.tracker, all, connection), list: said(setting.list, all, connection) };
	return {
		root,
		repository: { ref, connectionKey, foundBy: named.foundBy, root, head, isPushed: true },
		...(await completed(told, { likely: [named], guess }, signal)),
	};
}

/** The open files came from this repository, so it exists; an offline forge must not hide the rest. */
async function commitAt(
	{ repositories }: Connection,
	{ ref, revision }: { readonly ref: RepositoryRef; readonly revision: string },
	signal: AbortSignal,
): Promise<string | undefined> {
	try {
		return isObjectId(revision) ? revision : (await repositories.standing(ref, revision, signal))?.commit.id;
	} catch (error) {
		if (isForgeError(error)) {
			return undefined;
		}
		throw error;
	}
}

/** A setting names no account. Prefer git's account, then one that knows the name, then the first. */
function said(
	ref: HostedName | undefined,
	all: readonly Connection[],
	account: Connection | undefined,
): Named | undefined {
	const connection = ref && (account ?? all.find((each) => knowsTracker(each, ref)) ?? all[0]);
	return ref && connection && { connection, ref, foundBy: { kind: 'setting' } };
}

function repositoriesOf(clone: GitRepository, all: readonly Connection[]): readonly Named[] {
	return remotesOnForges(clone, all).map(({ connection, ref, remote }) => ({
		connection,
		ref,
		foundBy: { kind: 'remote', name: remote },
	}));
}

function listBy(addresses: string, all: readonly Connection[]): Named | undefined {
	for (const connection of all) {
		const ref = listOfAddresses(addresses, connection.instance.areas.lists);
		if (ref) {
			return { connection, ref, foundBy: { kind: 'sendEmailTo' } };
		}
	}
	return undefined;
}

function bare(named: Named | undefined): FolderBelongs['tracker'] {
	return named && { ref: named.ref, connectionKey: named.connection.key, foundBy: named.foundBy };
}

function withState(
	{ connection, ref, foundBy }: Named,
	root: vscode.Uri,
	clone: GitRepository | undefined,
): RepositoryOfFolder {
	const head = clone?.state.HEAD;
	return {
		ref,
		connectionKey: connection.key,
		foundBy,
		root,
		head: head?.commit,
		isPushed: head?.upstream && head.ahead !== undefined ? head.ahead === 0 : undefined,
	};
}
