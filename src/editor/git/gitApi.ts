import * as vscode from 'vscode';
import { abortReason } from '@forge-desk/base/abort.ts';

/*
 * The used part of the editor's git extension API, version 1. The extension is off in untrusted folders, and then
 * nothing here runs git either.
 */

/** One repository that is open in the editor. */
export interface GitRepository {
	readonly rootUri: vscode.Uri;
	readonly inputBox: { value: string };
	readonly state: GitState;
	readonly onDidCommit: vscode.Event<void>;
	readonly onDidCheckout: vscode.Event<void>;
	/** The repository's own settings, keys in lower case. */
	getConfigs(): Promise<readonly { readonly key: string; readonly value: string }[]>;
	getRefs(query: { readonly pattern?: string | string[] }): Promise<readonly GitRef[]>;
	createBranch(name: string, checkout: boolean): Promise<void>;
	checkout(treeish: string): Promise<void>;
	/** Refreshes `state` after changes by other programs. */
	status(): Promise<void>;
	/** `refNames` go to git unchanged, so they must be object ids or full reference names. */
	log(options: { readonly refNames: string[]; readonly maxEntries: number }): Promise<readonly GitCommit[]>;
}

export interface GitState {
	readonly HEAD: GitHead | undefined;
	readonly remotes: readonly GitRemote[];
	readonly mergeChanges: readonly unknown[];
	readonly indexChanges: readonly unknown[];
	readonly workingTreeChanges: readonly unknown[];
	readonly onDidChange: vscode.Event<void>;
}

/** State of the working tree; without a name if detached. */
export interface GitHead {
	readonly name?: string;
	readonly commit?: string;
	readonly upstream?: { readonly remote: string; readonly name: string };
	/** Commits that the upstream branch has not. */
	readonly ahead?: number;
	readonly behind?: number;
}

export interface GitRemote {
	readonly name: string;
	readonly fetchUrl?: string;
	readonly pushUrl?: string;
	/** Addresses as resolved by git and ssh, if different. */
	readonly places?: readonly string[];
}

export interface GitRef {
	readonly name?: string;
	readonly commit?: string;
}

export interface GitCommit {
	readonly hash: string;
	readonly message: string;
}

/** All repositories that are open in the editor. */
export interface GitApi {
	/** The program that the editor runs; not always a whole path. */
	readonly git: { readonly path: string };
	readonly state: 'uninitialized' | 'initialized';
	readonly onDidChangeState: vscode.Event<'uninitialized' | 'initialized'>;
	readonly repositories: readonly GitRepository[];
	/** Also outside of the workspace. `null` if there is no repository. */
	openRepository(root: vscode.Uri): Promise<GitRepository | null>;
	readonly onDidOpenRepository: vscode.Event<GitRepository>;
	readonly onDidCloseRepository: vscode.Event<GitRepository>;
}

/** Resolves after git's search for repositories; `undefined` if git is off, missing, or the folder untrusted. */
export type FindGit = (signal: AbortSignal) => Promise<GitApi | undefined>;

/** The editor's git extension. Query it each time, because users switch it on and off. */
export const findGit: FindGit = async (signal) => {
	const extension = vscode.extensions.getExtension<{
		readonly enabled: boolean;
		getAPI(version: 1): GitApi;
	}>('vscode.git');
	if (!extension) {
		return undefined;
	}
	const { enabled, getAPI } = await extension.activate().then((exported) => ({
		enabled: exported.enabled,
		getAPI: () => exported.getAPI(1),
	}));
	if (!enabled) {
		return undefined;
	}
	const git = getAPI();
	await initialized(git, signal);
	return git;
};

function initialized(git: GitApi, signal: AbortSignal): Promise<void> {
	if (git.state === 'initialized') {
		return Promise.resolve();
	}
	const waiting = Promise.withResolvers<void>();
	const listening = git.onDidChangeState((state) => {
		if (state === 'initialized') {
			waiting.resolve();
		}
	});
	const giveUp = (): void => waiting.reject(abortReason(signal));
	signal.addEventListener('abort', giveUp, { once: true });
	if (signal.aborted) {
		giveUp();
	}
	return waiting.promise.finally(() => {
		listening.dispose();
		signal.removeEventListener('abort', giveUp);
	});
}

/** The innermost repository of a file, a folder, or one of git's own files. */
export function repositoryOf(git: GitApi, uri: vscode.Uri): GitRepository | undefined {
	return git.repositories
		.filter(({ rootUri }) => isInside(uri, rootUri))
		.toSorted((a, b) => b.rootUri.path.length - a.rootUri.path.length)[0];
}

function isInside(uri: vscode.Uri, root: vscode.Uri): boolean {
	return (
		uri.scheme === root.scheme &&
		uri.authority === root.authority &&
		(uri.path === root.path || uri.path.startsWith(root.path.endsWith('/') ? root.path : `${root.path}/`))
	);
}
