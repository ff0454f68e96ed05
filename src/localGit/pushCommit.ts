import { isAbort } from '../base/abort.ts';
import { GitFailure } from './gitFailure.ts';
import { branchArgument, idArgument, pushAddressArgument } from './gitNames.ts';
import { failedWith, type NetworkFailure } from './networkTrouble.ts';
import { inOwnFolder, networkLimits, noteRemoteBranch, surroundings, type NetworkParts } from './ownFolder.ts';

/** What is pushed, and where to. */
export interface PushRequest {
	/** A folder of the clone, or of one of its worktrees. */
	readonly folder: string;
	/** Full id. */
	readonly commit: string;
	/** Of the remote, as it is configured. */
	readonly address: string;
	/** The remote's own name, whose branch the clone is told of. */
	readonly remote: string;
	/** Short name of the branch there. */
	readonly branch: string;
}

/** What became of it. `complaint` are the last words of git or the server. */
export type Pushed =
	| { readonly kind: 'pushed' }
	/** The branch was there already. */
	| { readonly kind: 'upToDate' }
	/** The branch there has commits that this one has not. */
	| { readonly kind: 'behind' }
	/** The server took none of it. */
	| { readonly kind: 'refused'; readonly complaint: string }
	| NetworkFailure;

/**
 * Pushes one commit to one branch, and never over what is there. It runs in a folder of its own that only borrows the
 * clone's objects, so that nothing which the clone's configuration names is run or changes where it goes; what the user
 * set for all repositories holds (docs/security.md#pushes). Throws `GitFailure`.
 */
export async function pushCommit(
	{ git, tempFolder, askPass }: NetworkParts,
	{ folder, commit, address, remote, branch }: PushRequest,
	signal: AbortSignal,
): Promise<Pushed> {
	pushAddressArgument(address);
	[remote, branch].forEach(branchArgument);
	idArgument(commit);
	const { shared, programs } = await surroundings(git, folder, signal);
	const pushed = await inOwnFolder(tempFolder, { shared, id: commit }, async (own) => {
		const how = { folder: own, ...networkLimits, askPass };
		const { code, complaint, output } = await git.run({ kind: 'push', address, commit, branch }, how, signal);
		return pushedOf(code, output.toString('utf8'), complaint);
	});
	if (programs && (pushed.kind === 'pushed' || pushed.kind === 'upToDate')) {
		// As a push by the remote's name would do. The next fetch does it too, and the server has the commits already.
		await noteRemoteBranch(git, { folder, remote, branch, commit }, programs, signal).catch(unlessOther);
	}
	return pushed;
}

function unlessOther(error: unknown): void {
	if (!(error instanceof GitFailure) && !isAbort(error)) {
		throw error;
	}
}

/** Git tells of the branch on a line of its own: a sign, the two names, and a word. */
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
