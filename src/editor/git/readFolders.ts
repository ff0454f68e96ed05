import type * as vscode from 'vscode';
import type { Clock } from '@forge-desk/base/clock.ts';
import type { FolderBelongs, FolderMapping, RemoteFolder, FoundBy } from './folderMapping.ts';
import { repositoryOf, type FindGit, type GitRepository } from './gitApi.ts';
import { remotesOnForges } from './remotesOnForges.ts';
import { isForgeError } from 'sourcehut/port/forgeError.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import { refOfResource, type ProjectResource } from 'sourcehut/port/project.ts';
import type { RepositoryRef } from 'sourcehut/port/repository.ts';
import type { TrackerRef } from 'sourcehut/port/tracker.ts';
import { isObjectId } from 'patchmail/git/objectId.ts';
import type { Connection, Connections } from '../../store/connection.ts';
import { listOfAddresses, type HostedName } from '../../engine/text/remoteAddress.ts';
import { cachedTrackers, isTrackerCached } from '../../store/cachedTrackers.ts';
import { readFolderSetting, type FolderSetting } from './folderSetting.ts';
import { originOf } from 'sourcehut/port/instance.ts';

/** A missing tracker rarely appears soon; other failures are often short. */
const missingLifeMs = 10 * 60_000;

const failedLifeMs = 30_000;

/** The git settings of a repository hold for that long without another look, because a look runs git. */
const configLifeMs = 60_000;

/**
 * Determines the tracker, list and repository of folders: from the setting, otherwise from git if trusted.
 * `workspaceFolderOf`: top folder of the workspace that a file is in. `remoteFolderOf`: the repository on the forge that
 * a file or folder is of, by its address.
 */
export function readFolders(
	connections: Connections,
	findGit: FindGit,
	workspaceFolderOf: (uri: vscode.Uri) => vscode.Uri | undefined,
	remoteFolderOf: (uri: vscode.Uri) => RemoteFolder | undefined,
	clock: Clock,
): FolderMapping {
	const guess = guessTracker(clock);
	const configs = new Map<string, { readonly atMs: number; readonly sendTo: Promise<string> }>();

	function sendEmailTo(repository: GitRepository): Promise<string> {
		const key = repository.rootUri.toString();
		const known = configs.get(key);
		if (known && clock.nowMs() - known.atMs < configLifeMs) {
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
		configs.set(key, { atMs: clock.nowMs(), sendTo });
		return sendTo;
	}

	async function ofLocal(uri: vscode.Uri, signal: AbortSignal): Promise<FolderBelongs | undefined> {
		const git = await findGit(signal);
		const clone = git && repositoryOf(git, uri);
		const root = clone?.rootUri ?? workspaceFolderOf(uri);
		if (!root) {
			return undefined;
		}
		const all = connections.all();
		const setting = readFolderSetting(uri);
		const clones: readonly Named[] = clone
			? remotesOnForges(clone, all).map(({ connection, ref, remote }) => ({
					connection,
					ref,
					foundBy: { kind: 'remote', name: remote },
				}))
			: [];
		const account = clones[0]?.connection;
		const repository = said(setting.repository, all, account) ?? clones[0];
		const likely = [repository, ...clones].filter((each) => each !== undefined);
		const tracker = said(setting.tracker, all, account);
		const list = said(setting.list, all, account) ?? (clone && listBy(await sendEmailTo(clone), all));
		const head = clone?.state.HEAD;
		return {
			root,
			repository: repository && {
				ref: repository.ref,
				connectionKey: repository.connection.key,
				foundBy: repository.foundBy,
				root,
				head: head?.commit,
				isPushed: head?.upstream && head.ahead !== undefined ? head.ahead === 0 : undefined,
			},
			...(await completed(tracker, list, likely, signal)),
		};
	}

	/** Adds the project's tracker and list, then guesses. */
	async function completed(
		tracker: Named | undefined,
		list: Named | undefined,
		likely: readonly Named[],
		signal: AbortSignal,
	) {
		const project = tracker && list ? undefined : await inProject(likely, signal);
		return {
			tracker: bare(tracker ?? project?.tracker ?? (await guess(likely, signal))),
			list: bare(list ?? project?.list),
		};
	}

	/** The address contains account and repository, so no setting or git call is needed for them. */
	async function ofRemote(
		{ connectionKey, ref, root, revision }: RemoteFolder,
		setting: FolderSetting,
		signal: AbortSignal,
	): Promise<FolderBelongs | undefined> {
		const connection = connections.byKey(connectionKey);
		if (!connection) {
			return undefined;
		}
		const named: Named = { connection, ref, foundBy: { kind: 'address' } };
		const head = revision === undefined ? undefined : await commitAt(connection, ref, revision, signal);
		const all = connections.all();
		const [tracker, list] = [said(setting.tracker, all, connection), said(setting.list, all, connection)];
		return {
			root,
			repository: { ref, connectionKey, foundBy: named.foundBy, root, head, isPushed: true },
			...(await completed(tracker, list, [named], signal)),
		};
	}

	return {
		of(uri, signal) {
			const remote = remoteFolderOf(uri);
			return remote ? ofRemote(remote, readFolderSetting(uri), signal) : ofLocal(uri, signal);
		},
	};
}

/** The open files came from this repository, so it exists; an offline forge must not hide the rest. */
async function commitAt(
	{ repositories }: Connection,
	ref: RepositoryRef,
	revision: string,
	signal: AbortSignal,
): Promise<string | undefined> {
	try {
		return isObjectId(revision) ? revision : (await repositories.folders.standing(ref, revision, signal))?.commit.id;
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
	const connection = ref && (account ?? all.find((each) => isTrackerCached(each, ref)) ?? all[0]);
	return ref && connection && { connection, ref, foundBy: { kind: 'setting' } };
}

function listBy(addresses: string, all: readonly Connection[]): Named | undefined {
	for (const connection of all) {
		const ref = listOfAddresses(addresses, originOf(connection.instance, 'lists'));
		if (ref) {
			return { connection, ref, foundBy: { kind: 'sendEmailTo' } };
		}
	}
	return undefined;
}

function bare(named: Named | undefined): FolderBelongs['tracker'] {
	return named && { ref: named.ref, connectionKey: named.connection.key, foundBy: named.foundBy };
}

/**
 * Tracker and list from the project of the first repository that has one. Among several, prefers the one with the
 * repository's name or for developers; otherwise the choice is ambiguous and stays empty.
 */
async function inProject(clones: readonly Named[], signal: AbortSignal) {
	for (const { connection, ref } of clones) {
		const project = await connection.projects?.ofRepository(ref, signal);
		if (project) {
			const named = (found: ProjectResource | undefined): Named | undefined =>
				found && { connection, ref: refOfResource(found), foundBy: { kind: 'project', name: project.name } };
			return {
				tracker: named(likeliest(project.trackers, [ref.name])),
				list: named(likeliest(project.lists, [`${ref.name}-devel`, ref.name])),
			};
		}
	}
	return undefined;
}

function likeliest(all: readonly ProjectResource[], names: readonly string[]): ProjectResource | undefined {
	const [only, ...others] = all;
	const byName = names.map((name) => all.find((each) => each.name === name)).find((each) => each !== undefined);
	return others.length === 0 ? only : byName;
}

/** The likely tracker of a clone of one of these repositories, the likeliest first. */
type GuessTracker = (clones: readonly Named[], signal: AbortSignal) => Promise<Named | undefined>;

/**
 * Git names no tracker, so guess: the tracker with the repository's owner and name, or the account's own with that
 * name. If its existence is unknown, asks once.
 */
function guessTracker(clock: Clock): GuessTracker {
	/** Until when a tracker counts as missing, by its reference. Held by the connection, so that nothing outlives a sign-out. */
	const missing = new WeakMap<Connection, Map<string, number>>();

	async function isThere(connection: Connection, ref: TrackerRef, signal: AbortSignal): Promise<boolean> {
		const key = refText(ref);
		const untilMs = missing.get(connection) ?? new Map<string, number>();
		missing.set(connection, untilMs);
		if (isTrackerCached(connection, ref)) {
			return true;
		}
		if (clock.nowMs() < (untilMs.get(key) ?? 0)) {
			return false;
		}
		let lifeMs = missingLifeMs;
		try {
			if (ref.owner === connection.me) {
				await connection.tickets.ownTrackers(signal);
			} else {
				await connection.tickets.tracker(ref, signal);
			}
		} catch (error) {
			// Any failure of the forge means no guess.
			if (!isForgeError(error)) {
				throw error;
			}
			const { kind } = error.problem;
			lifeMs = kind === 'notFound' || kind === 'notAllowed' ? missingLifeMs : failedLifeMs;
		}
		if (isTrackerCached(connection, ref)) {
			return true;
		}
		untilMs.set(key, clock.nowMs() + lifeMs);
		return false;
	}

	return async (clones, signal) => {
		for (const clone of clones) {
			if (await isThere(clone.connection, clone.ref, signal)) {
				return { ...clone, foundBy: { kind: 'sameName' } };
			}
		}
		for (const { connection, ref } of clones) {
			const own = cachedTrackers(connection).find(
				({ owner, name }) => owner === connection.me && name.toLowerCase() === ref.name.toLowerCase(),
			);
			if (own) {
				return { connection, ref: own, foundBy: { kind: 'ownTracker' } };
			}
		}
		return undefined;
	};
}

/** Something that a folder belongs to, with the account that reaches it. */
interface Named {
	readonly connection: Connection;
	readonly ref: HostedName;
	readonly foundBy: FoundBy;
}
