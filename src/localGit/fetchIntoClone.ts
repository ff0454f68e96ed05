import { randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { unlessMissing } from './borrowedObjects.ts';
import { hasCommit } from './commitInClone.ts';
import { GitFailure } from './gitFailure.ts';
import { branchArgument, idArgument, pushAddressArgument, sourceArgument } from './gitNames.ts';
import { fetchedTip } from './gitOperation.ts';
import type { HardenedGit } from './hardenedGit.ts';
import { failedWith, type NetworkFailure } from './networkTrouble.ts';
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

/** What became of it. */
export type Fetched =
	| { readonly kind: 'fetched'; readonly commit: string }
	/** It leads to no commit. */
	| { readonly kind: 'noCommit' }
	| NetworkFailure;

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
			return failedWith(complaint);
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

/** The index comes last: it makes a pack count. */
async function takePacks(from: string, to: string): Promise<void> {
	const names = await readdir(from).catch((): readonly string[] => []);
	for (const end of ['.pack', '.rev', '.idx']) {
		for (const name of names.filter((each) => each.startsWith('pack-') && each.endsWith(end))) {
			await takeFile(join(from, name), to, name);
		}
	}
}

/**
 * Packs are named by what they hold, so a file that is there already is the same, unless it was cut off. It gets its name
 * once it is whole, because nothing would mend half a pack in somebody's clone; before that it has one that `git gc` removes.
 */
async function takeFile(from: string, to: string, name: string): Promise<void> {
	const path = join(to, name);
	const there = await stat(path).catch(unlessMissing);
	if (there?.size === (await stat(from)).size) {
		return;
	}
	const beside = join(to, `tmp_pack_${randomBytes(8).toString('hex')}`);
	try {
		await pipeline(createReadStream(from), createWriteStream(beside, { flags: 'wx', mode: 0o444, flush: true }));
		await rename(beside, path);
	} catch (error) {
		await rm(beside, { force: true }).catch(() => undefined);
		throw error;
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
