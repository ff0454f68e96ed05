import { resolveTxt } from 'node:dns/promises';
import { devNull, tmpdir } from 'node:os';
import * as vscode from 'vscode';
import { confirm } from '../../editor/ask/notify.ts';
import type { FindGit } from '../../editor/git/gitApi.ts';
import type { Commit } from 'sourcehut/port/repository.ts';
import { withAskPass, type WithAskPass } from 'hardened-git/askPass.ts';
import { folderKey } from 'hardened-git/fileInClone.ts';
import { hardenedGit, programPlaces, type Machine } from 'hardened-git/hardenedGit.ts';
import { remotePlaces } from 'hardened-git/remotePlaces.ts';
import { findProgram } from 'hardened-git/runProgram.ts';
import { verifySignature } from 'hardened-git/verifySignature.ts';
import { mailSignatures } from './mailSignatures.ts';

export type LocalMachine = ReturnType<typeof localMachine>;

/**
 * Git and related programs on the extension host's machine. Runs nothing before the first use, nor while `isTrusted` is
 * false.
 */
export function localMachine(findGit: FindGit, isTrusted: () => boolean) {
	const machine: Machine = {
		isTrusted,
		gitPath: async (signal) => (await findGit(signal))?.git.path,
		openFolders: () => (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath),
		environment: process.env,
		isWindows: process.platform === 'win32',
		devNull,
	};
	const git = hardenedGit(machine);
	const asking = { tempFolder: tmpdir(), node: process.execPath, isWindows: machine.isWindows };
	const askPass: WithAskPass = (ask, signal, work) => withAskPass(asking, ask, signal, work);
	return {
		git,
		isTrusted,
		/** Absolute path of git, outside the open folders. Untrusted folders don't matter to it. */
		gitProgram: async (signal: AbortSignal) =>
			await findProgram('git', programPlaces(machine), await machine.gitPath(signal)),
		withAskPass: askPass,
		/** Canonical form of a folder path. */
		folderKey: (path: string) => folderKey(path, process.platform === 'win32' || process.platform === 'darwin'),
		/** Resolved addresses of a clone's remotes, by remote name. */
		remotePlaces: (root: string, signal: AbortSignal) =>
			remotePlaces({ machine, git, tempFolder: tmpdir() }, root, signal),
		/** Signatures of mails. */
		signatures: mailSignatures(
			{ machine, git, tempFolder: tmpdir() },
			{
				resolve: resolveTxt,
				clones: async (signal) => ((await findGit(signal))?.repositories ?? []).map(({ rootUri }) => rootUri.fsPath),
				ask: () =>
					confirm(
						vscode.l10n.t('Look up keys of signatures in DNS?'),
						vscode.l10n.t(
							'The keys of domains are in DNS. Your DNS server then learns the domains of the signed messages and patchsets that you open. Your choice applies until you close this window.',
						),
						vscode.l10n.t('Look Up Keys'),
					),
			},
		),
		verify: (commit: Commit, signal: AbortSignal) =>
			verifySignature({ machine, git, tempFolder: tmpdir() }, commit, signal),
	};
}
