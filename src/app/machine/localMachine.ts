import { devNull, tmpdir } from 'node:os';
import * as vscode from 'vscode';
import type { FindGit } from '../../editor/git/gitApi.ts';
import type { RemotePlaces } from '../../editor/git/withPlaces.ts';
import type { Commit } from '../../forge/port/repository.ts';
import type { SignatureFinding } from '../../machine/git/gpgStatus.ts';
import { withAskPass, type WithAskPass } from '../../machine/git/askPass.ts';
import { folderKey } from '../../machine/git/folderKey.ts';
import { hardenedGit, type HardenedGit, type MachineParts } from '../../machine/git/hardenedGit.ts';
import { remotePlaces } from '../../machine/git/remotePlaces.ts';
import { verifySignature } from '../../machine/git/verifySignature.ts';

/** Git and related programs on the extension host's machine. */
export interface LocalMachine {
	readonly git: HardenedGit;
	readonly isTrusted: () => boolean;
	readonly withAskPass: WithAskPass;
	/** Canonical form of a folder path. */
	readonly folderKey: (path: string) => Promise<string>;
	/** Resolved addresses of a clone's remotes, by remote name. */
	readonly remotePlaces: RemotePlaces;
	readonly verify: (commit: Commit, signal: AbortSignal) => Promise<SignatureFinding>;
}

/** Runs nothing before the first use, nor while `isTrusted` is false. */
export function localMachine(findGit: FindGit, isTrusted: () => boolean): LocalMachine {
	const machine: MachineParts = {
		isTrusted,
		gitPath: async (signal) => (await findGit(signal))?.git.path,
		openFolders: () => (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath),
		environment: process.env,
		isWindows: process.platform === 'win32',
		devNull,
	};
	const git = hardenedGit(machine);
	const asking = { tempFolder: tmpdir(), node: process.execPath, isWindows: machine.isWindows };
	return {
		git,
		isTrusted,
		withAskPass: (ask, signal, work) => withAskPass(asking, ask, signal, work),
		folderKey: (path) => folderKey(path, process.platform === 'win32' || process.platform === 'darwin'),
		remotePlaces: (root, signal) => remotePlaces({ machine, git, tempFolder: tmpdir() }, root, signal),
		verify: (commit, signal) => verifySignature({ machine, git, tempFolder: tmpdir() }, commit, signal),
	};
}
