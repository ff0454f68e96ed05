import { randomBytes, createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { unlessMissing, inOwnFolder, surroundings, putFile } from './ownFolder.ts';
import { hasCommit, referencesInClone } from './readClone.ts';
import { GitFailure, failedWith, type NetworkFailure } from './gitFailure.ts';
import { branchArgument, idArgument, pushAddressArgument, sourceArgument } from './gitNames.ts';
import { fetchedTip, gitCommands } from './gitCommands.ts';
import { outputOf, runText, type HardenedGit, type GitNetwork } from './hardenedGit.ts';
import { putUserSettings } from './userSettings.ts';
import { isObjectId } from 'patchmail/git/objectId.ts';

export interface FetchRequest {
	/** A folder of the clone, or of one of its worktrees. */
	readonly folder: string;
	readonly address: string;
	/** Branch, tag or full commit id on the server. */
	readonly what: string;
	/** Remote-tracking branch that stores the result. The remote need not be configured. */
	readonly remote: string;
	readonly branch: string;
}

export type Fetched =
	| { readonly kind: 'fetched'; readonly commit: string }
	/** The fetched object does not lead to a commit. */
	| { readonly kind: 'noCommit' }
	| NetworkFailure;

/** Maximum number of known commits offered to the server. */
const mostHaves = 256;

/**
 * Fetches one reference into a clone as a remote-tracking branch; the worktree stays unchanged. Git runs in a temporary
 * repository with the clone's objects as alternates. So the clone's configuration cannot run programs or redirect the
 * fetch. Then the packs move to the clone (docs/security.md#pushes). Throws `GitFailure`.
 */
export async function fetchIntoClone(
	{ git, tempFolder, askPass }: GitNetwork,
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
	const tip = await inOwnFolder(tempFolder, shared, haves[0], async (own) => {
		await putFile(
			own,
			'packed-refs',
			haves.map((id, at) => `${id} refs/haves/${String(at).padStart(4, '0')}\n`).join(''),
		);
		const settings = await putUserSettings(git, folder, own, signal);
		const run = { folder: own, settings, askPass };
		const { code, complaint } = await git.run(gitCommands.fetch(address, what), run, signal);
		if (code !== 0) {
			return failedWith(complaint);
		}
		const packs = join(own, 'objects', 'pack');
		const names = await readdir(packs).catch((): readonly string[] => []);
		// The `.idx` file goes last: it makes git use the pack.
		for (const end of ['.pack', '.rev', '.idx']) {
			for (const name of names.filter((each) => each.startsWith('pack-') && each.endsWith(end))) {
				await takeFile(join(packs, name), join(shared, 'objects', 'pack'), name);
			}
		}
		return { kind: 'tip', id: idArgument((await readFile(join(own, fetchedTip), 'utf8')).trim()) } as const;
	});
	if (tip.kind === 'failed') {
		return tip;
	}
	const commit = await commitOf(git, folder, tip.id, signal);
	if (commit === undefined) {
		return { kind: 'noCommit' };
	}
	await outputOf(git, folder, gitCommands.noteRemoteBranch(remote, branch, commit, programs), signal);
	return { kind: 'fetched', commit };
}

/**
 * Pack names are content hashes, so an existing file of the same size is the same file. Renames after a complete copy,
 * because git cannot repair a truncated pack. `git gc` removes leftover temporary files by their name.
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

/** Peels tags; `undefined` if the object is not a commit. */
async function commitOf(
	git: HardenedGit,
	folder: string,
	id: string,
	signal: AbortSignal,
): Promise<string | undefined> {
	if (!(await hasCommit(git, folder, id, signal))) {
		return undefined;
	}
	const { code, text } = await runText(git, folder, gitCommands.peel(id), signal);
	return code === 0 ? idArgument(text.trim()) : undefined;
}

/** Remote-tracking branch of a fetched reference, under an unconfigured remote. */
export interface FetchedName {
	readonly remote: string;
	readonly branch: string;
}

/** Longer names are cut and get a digest, because reference files are limited to 255 bytes. */
const longestPart = 150;

/**
 * Separates addresses, so that equal branch names do not collide. Escapes `/`, so that `a` and `a/b` can coexist. Only
 * branches omit their prefix, unless a tag could have the same name; commits use an abbreviated id. `what` is
 * untrusted.
 */
export function fetchedName(address: string, what: string): FetchedName {
	const short = isObjectId(what)
		? what.slice(0, 10)
		: what.replace(/^refs\/heads\/(?!tags\/)/, '').replace(/^refs\//, '');
	const branch = short.replaceAll(/[^A-Za-z0-9_.+@-]/gu, percent);
	// The owner is for readers; the digest makes the name unique.
	const owner = (
		address
			.split(/[/:]/)
			.filter((part) => part !== '')
			.at(-2) ?? ''
	)
		.replace(/^~/, '')
		.slice(0, 40);
	const readable = owner === '' ? '' : `${owner.replaceAll(/^-|[^A-Za-z0-9_-]/gu, percent)}-`;
	return {
		remote: `forge-desk/${readable}${digest(address)}`,
		branch: branch.length <= longestPart ? branch : `${branch.slice(0, 100)}-${digest(what)}`,
	};
}

function digest(text: string): string {
	return createHash('sha256').update(text).digest('hex').slice(0, 12);
}

function percent(text: string): string {
	const bytes = [...new TextEncoder().encode(text)];
	return bytes.map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');
}
