import { isAbort } from '../base/abort.ts';
import { namedPrograms } from './applyState.ts';
import { borrow, sharedFolder } from './borrowedObjects.ts';
import { GitFailure, type CloneTrouble } from './gitFailure.ts';
import { branchArgument, idArgument, pushAddressArgument } from './gitNames.ts';
import type { AskPass, HardenedGit } from './hardenedGit.ts';
import { troubleIn } from './networkTrouble.ts';
import { inPrivateFolder } from './privateFolder.ts';

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

/** What pushing needs of its surroundings. */
export interface PushParts {
	readonly git: HardenedGit;
	/** Folder for files that live as long as the push. */
	readonly tempFolder: string;
	/** Asks for a name and a password where no helper of the user knows them. */
	readonly askPass: AskPass | undefined;
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
	| { readonly kind: 'failed'; readonly trouble: CloneTrouble; readonly complaint: string };

const limits = { timeMs: 60 * 60_000, outputBytes: 1_000_000 } as const;

/**
 * Pushes one commit to one branch, and never over what is there. It runs in a folder of its own that only borrows the
 * clone's objects, so that nothing which the clone's configuration names is run or changes where it goes; what the user
 * set for all repositories holds (docs/security.md#pushes). Throws `GitFailure`.
 */
export async function pushCommit(
	{ git, tempFolder, askPass }: PushParts,
	{ folder, commit, address, remote, branch }: PushRequest,
	signal: AbortSignal,
): Promise<Pushed> {
	pushAddressArgument(address);
	[remote, branch].forEach(branchArgument);
	idArgument(commit);
	const shared = await sharedFolder(git, folder, signal);
	const programs = await namedPrograms(git, folder, signal);
	const pushed = await inPrivateFolder(tempFolder, async (own) => {
		await borrow(own, shared, formatOf(commit));
		const how = { folder: own, ...limits, askPass };
		const { code, complaint, output } = await git.run({ kind: 'push', address, commit, branch }, how, signal);
		return pushedOf(code, output.toString('utf8'), complaint);
	});
	if (programs && (pushed.kind === 'pushed' || pushed.kind === 'upToDate')) {
		// As a push by the remote's name would do. The next fetch does it too, and the server has the commits already.
		const note = { kind: 'noteRemoteBranch', remote, branch, commit, programs } as const;
		await git.run(note, { folder, ...limits }, signal).catch(unlessOther);
	}
	return pushed;
}

/** Ids of SHA-256 are longer. */
function formatOf(commit: string): 'sha1' | 'sha256' {
	return commit.length === 64 ? 'sha256' : 'sha1';
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
	return { kind: 'failed', trouble: troubleIn(complaint), complaint };
}
