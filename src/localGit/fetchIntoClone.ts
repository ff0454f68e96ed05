import { constants } from 'node:fs';
import { copyFile, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCommit } from './commitInClone.ts';
import { GitFailure, type CloneTrouble } from './gitFailure.ts';
import { branchArgument, idArgument, pushAddressArgument, sourceArgument } from './gitNames.ts';
import { fetchedTip } from './gitOperation.ts';
import type { HardenedGit } from './hardenedGit.ts';
import { troubleIn } from './networkTrouble.ts';
import { inOwnFolder, networkLimits, noteRemoteBranch, surroundings, type NetworkParts } from './ownFolder.ts';
import { putFile } from './privateFolder.ts';
import { referencesInClone } from './referencesInClone.ts';

/** What is fetched, and under which name the clone has it afterwards. */
export interface FetchRequest {
	/** A folder of the clone, or of one of its worktrees. */
	readonly folder: string;
	readonly address: string;
	/** A branch, tag or full commit id there. */
	readonly what: string;
	/** The name is that of a branch of a remote, which need not be configured. */
	readonly remote: string;
	readonly branch: string;
}

/** What became of it. `complaint` are the last words of git or the server. */
export type Fetched =
	| { readonly kind: 'fetched'; readonly commit: string }
	/** It leads to no commit. */
	| { readonly kind: 'noCommit' }
	| { readonly kind: 'failed'; readonly trouble: CloneTrouble; readonly complaint: string };

/** The server is told of so many commits that are there already. */
const mostHaves = 256;

/**
 * Fetches one thing from a server into a clone, as the branch of a remote: nothing that is checked out changes. It runs in
 * a folder of its own that only borrows the clone's objects, as pushes do, so that nothing which the clone's configuration
 * names is run or changes where it goes; then the clone gets the pack (docs/security.md#pushes). Throws `GitFailure`.
 */
export async function fetchIntoClone(
	{ git, tempFolder, askPass }: NetworkParts,
	{ folder, address, what, remote, branch }: FetchRequest,
	signal: AbortSignal,
): Promise<Fetched> {
	pushAddressArgument(address);
	sourceArgument(what);
	[remote, branch].forEach(branchArgument);
	const { shared, programs } = await surroundings(git, folder, signal);
	if (!programs) {
		throw new GitFailure({ kind: 'failed', program: 'git' }, 'a filter of an odd name');
	}
	const haves = Array.from(new Set((await referencesInClone(git, folder, signal)).map(({ commit }) => commit))).slice(
		0,
		mostHaves,
	);
	const tip = await inOwnFolder(tempFolder, { shared, id: haves[0] }, async (own) => {
		await putFile(
			own,
			'packed-refs',
			haves.map((id, at) => `${id} refs/haves/${String(at).padStart(4, '0')}\n`).join(''),
		);
		const { code, complaint } = await git.run(
			{ kind: 'fetch', address, what },
			{ folder: own, ...networkLimits, askPass },
			signal,
		);
		if (code !== 0) {
			return { kind: 'failed', trouble: troubleIn(complaint), complaint } as const;
		}
		await takePacks(join(own, 'objects', 'pack'), join(shared, 'objects', 'pack'));
		return { kind: 'tip', id: idArgument((await readFile(join(own, fetchedTip), 'utf8')).trim()) } as const;
	});
	if (tip.kind === 'failed') {
		return tip;
	}
	const commit = await commitOf(git, folder, tip.id, signal);
	if (commit === undefined) {
		return { kind: 'noCommit' };
	}
	const complaint = await noteRemoteBranch(git, { folder, remote, branch, commit }, programs, signal);
	if (complaint !== undefined) {
		throw new GitFailure({ kind: 'failed', program: 'git' }, complaint);
	}
	return { kind: 'fetched', commit };
}

/** Packs are named by what they hold, so one that is there already is the same. The index comes last: it makes a pack count. */
async function takePacks(from: string, to: string): Promise<void> {
	const names = await readdir(from).catch((): readonly string[] => []);
	for (const end of ['.pack', '.rev', '.idx']) {
		for (const name of names.filter((each) => each.startsWith('pack-') && each.endsWith(end))) {
			await copyFile(join(from, name), join(to, name), constants.COPYFILE_EXCL).catch(unlessThere);
		}
	}
}

/** What a tag leads to; `undefined` where that is no commit. */
async function commitOf(
	git: HardenedGit,
	folder: string,
	id: string,
	signal: AbortSignal,
): Promise<string | undefined> {
	if (!(await hasCommit(git, folder, id, signal))) {
		return undefined;
	}
	const how = { folder, timeMs: 60_000, outputBytes: 10_000 };
	const { code, output } = await git.run({ kind: 'series', step: { kind: 'peel', id } }, how, signal);
	return code === 0 ? idArgument(output.toString('utf8').trim()) : undefined;
}

function unlessThere(error: unknown): void {
	if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) {
		throw error;
	}
}
