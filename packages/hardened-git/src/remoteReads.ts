import type { Buffer } from 'node:buffer';
import { gatheredReads, type GatheredRead } from '@forge-desk/base/gatheredReads.ts';
import { isObjectId, provenBy } from 'patchmail/git/objectId.ts';
import { treeOfBytes, type GitTree } from 'patchmail/git/treeBytes.ts';
import { objectReader } from './readClone.ts';
import { GitFailure, troubleIn } from './gitFailure.ts';
import { gitCommands } from './gitCommands.ts';
import { runText, type GitPlace } from './hardenedGit.ts';
import { limitedFetch } from './limitedFetch.ts';
import { inPrivateFolder, borrow } from './ownFolder.ts';

/** A branch or tag of a server. */
interface RemoteReference {
	/** Full name, as `refs/heads/master`. */
	readonly name: string;
	readonly target: string;
}

/** Maximum number of arguments; the rest goes into the next run. */
const mostTrees = 200;
const mostMebibytes = 32;

/**
 * Reads references and trees from a server without a clone, by any of the repository's addresses. Git failures give
 * `undefined`; only aborts throw.
 */
export function remoteReads({ git, tempFolder }: GitPlace) {
	/** Addresses that will keep failing in this session: missing or not allowed. */
	const closed = new Set<string>();
	const trees = new Map<string, GatheredRead<GitTree>>();

	/** Result of the first working address. */
	async function byAny<T>(
		addresses: readonly string[],
		read: (address: string) => Promise<T | undefined>,
	): Promise<T | undefined> {
		for (const address of addresses.filter((each) => !closed.has(each))) {
			try {
				const found = await read(address);
				if (found !== undefined) {
					return found;
				}
			} catch (error) {
				if (!(error instanceof GitFailure)) {
					throw error;
				}
			}
		}
		return undefined;
	}

	function note(address: string, complaint: string): undefined {
		if (isForGood.has(troubleIn(complaint))) {
			closed.add(address);
		}
	}

	async function fetchInto(
		address: string,
		ids: readonly string[],
		folder: string,
		signal: AbortSignal,
	): Promise<void> {
		const command = gitCommands.fetchTrees(address, ids);
		const { code, complaint } = await limitedFetch(git, command, { folder, mostMebibytes }, signal);
		if (code !== 0) {
			note(address, complaint);
			throw new GitFailure({ kind: 'failed', program: 'git' }, complaint);
		}
	}

	async function fetchTrees(
		address: string,
		ids: readonly string[],
		signal: AbortSignal,
	): Promise<ReadonlyMap<string, GitTree>> {
		return await inPrivateFolder(tempFolder, async (folder) => {
			await borrow(folder, undefined, ids[0]?.length === 64 ? 'sha256' : 'sha1');
			const fetched = fetchInto(address, ids, folder, signal);
			// Starts git while the server responds.
			const reading = git.run(gitCommands.trees(ids), { folder, inputAfter: fetched }, signal);
			// Keeps the folder until both have ended.
			const [done, read] = await Promise.allSettled([fetched, reading]);
			if (done.status === 'rejected') {
				throw done.reason;
			}
			if (read.status === 'rejected') {
				throw read.reason;
			}
			const { output } = read.value;
			return await treesIn(output);
		});
	}

	function treesAt(address: string): GatheredRead<GitTree> {
		const reading =
			trees.get(address) ??
			gatheredReads({
				read: (ids, signal) => fetchTrees(address, ids, signal),
				mostAtOnce: mostTrees,
				mostUnderWay: 1,
			});
		trees.set(address, reading);
		return reading;
	}

	return {
		/** All references; `undefined` if git cannot read them. */
		references: (addresses: readonly string[], signal: AbortSignal) =>
			byAny(addresses, async (address) =>
				inPrivateFolder(tempFolder, async (folder) => {
					const { code, text, complaint } = await runText(git, folder, gitCommands.remoteReferences(address), signal);
					if (code !== 0) {
						return note(address, complaint);
					}
					return text.split('\n').flatMap((line): readonly RemoteReference[] => {
						const [target = '', name = ''] = line.split('\t', 2);
						return isObjectId(target) && name.startsWith('refs/') ? [{ name, target }] : [];
					});
				}),
			),
		/** A tree verified by its id; `undefined` if git cannot read it. */
		tree: (addresses: readonly string[], id: string, signal: AbortSignal) =>
			byAny(addresses, (address) => (isObjectId(id) ? treesAt(address)(id, signal) : Promise.resolve(undefined))),
	};
}

const isForGood: ReadonlySet<string> = new Set(['missing', 'notAllowed', 'hostKey', 'hostKeyChanged']);

/** Trees that match their ids. */
async function treesIn(output: Buffer): Promise<ReadonlyMap<string, GitTree>> {
	const pieces = [output];
	const next = objectReader(() => Promise.resolve(pieces.pop()), { wanted: 'tree', mostBytes: output.length });
	const found = new Map<string, GitTree>();
	for (let object = await next(); object; object = await next()) {
		const { id, bytes } = object;
		const tree = bytes && provenBy(id, 'tree', bytes) === 'same' ? treeOfBytes(id, bytes) : undefined;
		if (tree) {
			found.set(id, tree);
		}
	}
	return found;
}
