import { isAbort } from '@forge-desk/base/abort.ts';
import { GitFailure, failedWith, type NetworkFailure } from './gitFailure.ts';
import { branchArgument, idArgument, pushAddressArgument } from './gitNames.ts';
import { gitCommands } from './gitCommands.ts';
import { inOwnFolder, surroundings } from './ownFolder.ts';
import type { GitNetwork } from './hardenedGit.ts';
import { putUserSettings } from './userSettings.ts';

export interface PushRequest {
	/** A folder of the clone, or of one of its worktrees. */
	readonly folder: string;
	/** Full id. */
	readonly commit: string;
	/** Configured address of the remote. */
	readonly address: string;
	/** Remote whose tracking branch is updated. */
	readonly remote: string;
	/** Short name of the branch on the server. */
	readonly branch: string;
}

/** `complaint`: last message of git or the server. */
export type Pushed =
	| { readonly kind: 'pushed' }
	/** The branch already had this commit. */
	| { readonly kind: 'upToDate' }
	/** The server's branch has commits that this one lacks. */
	| { readonly kind: 'behind' }
	/** The server rejected the push. */
	| { readonly kind: 'refused'; readonly complaint: string }
	| NetworkFailure;

/**
 * Pushes one commit to one branch, fast-forward only. Git runs in a temporary repository with the clone's objects as
 * alternates, so the clone's configuration cannot run programs or redirect the push. The user's own
 * settings apply as in the clone (docs/security.md#pushes). Throws `GitFailure`.
 */
export async function pushCommit(
	{ git, tempFolder, askPass }: GitNetwork,
	{ folder, commit, address, remote, branch }: PushRequest,
	signal: AbortSignal,
): Promise<Pushed> {
	pushAddressArgument(address);
	[remote, branch].forEach(branchArgument);
	idArgument(commit);
	const { shared, programs } = await surroundings(git, folder, signal);
	const pushed = await inOwnFolder(tempFolder, shared, commit, async (own) => {
		const command = gitCommands.push(address, commit, branch);
		const settings = await putUserSettings(git, folder, own, signal);
		const { code, complaint, output } = await git.run(command, { folder: own, settings, askPass }, signal);
		return pushedOf(code, output.toString('utf8'), complaint);
	});
	if (programs && (pushed.kind === 'pushed' || pushed.kind === 'upToDate')) {
		// Like a push by remote name. Failures are ignored: the server has the commits, and the next fetch updates the
		// branch too.
		await git
			.run(gitCommands.noteRemoteBranch(remote, branch, commit, programs), { folder }, signal)
			.catch((error: unknown) => {
				if (!(error instanceof GitFailure) && !isAbort(error)) {
					throw error;
				}
			});
	}
	return pushed;
}

/** Git prints one line per branch: sign, both names, and a summary. */
function pushedOf(code: number | undefined, output: string, complaint: string): Pushed {
	const [, sign, word = ''] = /^([ *=!+-])\t[^\t\n]+\t([^\n]*)$/m.exec(output) ?? [];
	if (sign === '!') {
		return word.startsWith('[rejected]')
			? { kind: 'behind' }
			: { kind: 'refused', complaint: `${word}\n${complaint}`.trim() };
	}
	if (code === 0 && sign !== undefined) {
		return { kind: sign === '=' ? 'upToDate' : 'pushed' };
	}
	return failedWith(complaint);
}
