import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { objectFolders } from '../../src/machine/storage/objectFolders.ts';
import { systemClock } from '../../src/app/accounts/systemClock.ts';
import { bigRepository, many, type BigRepository } from './bigRepository.ts';
import { counted, countFigure, ratioFigure } from './figures.ts';
import { compare } from './interleaved.ts';
import type { Figure, Size } from './measurement.ts';

const sizes = {
	full: { files: 56_172, latencyMs: 10, rounds: 7 },
	smallest: { files: 400, latencyMs: 1, rounds: 1 },
} as const;

interface WalkRequests {
	readonly first: number;
	/** Of a walk after one commit, the one for the commit itself aside. */
	readonly afterCommit: number;
	/** Trees that this commit made. */
	readonly changedTrees: number;
	/** Of a second walk in the same window. */
	readonly again: number;
	/** Of a walk in another window, over the first one's disk cache. */
	readonly fromDisk: number;
}

/** Walks a repository with empty caches, and again. */
export async function measure(size: Size): Promise<readonly Figure[]> {
	const { files, latencyMs, rounds } = sizes[size];
	await using world = await bigRepository(files, latencyMs);
	const [mine, theirs] = [await walkOnce(world), await world.bareWalk()];
	if (mine.files !== files || theirs.files !== files || mine.folders !== theirs.folders) {
		throw new Error(`Not the same work: ${JSON.stringify([mine, theirs])}`);
	}
	const toBareLoop = await compare(
		{ name: 'ours', run: async () => void (await walkOnce(world)) },
		{ name: 'bare loop', run: async () => void (await world.bareWalk()) },
		rounds,
	);
	const { first, again, afterCommit, changedTrees, fromDisk } = await countRequests(world);
	return [
		ratioFigure(
			`First walk of ${counted(files)} files in ${counted(mine.folders)} folders at ${latencyMs} ms latency, to a bare loop`,
			1.15,
			toBareLoop,
		),
		countFigure(
			'Requests wasted by that walk',
			0,
			first - mine.folders - 1,
			`${first} requests: one for the commit, and one for each folder`,
		),
		countFigure(
			'Requests wasted by a walk after one commit',
			0,
			afterCommit - changedTrees,
			`${afterCommit} requests for the ${changedTrees} trees that the commit changed`,
		),
		countFigure(
			'Requests of a walk over what is known, in the same window and from the disk in another',
			0,
			again + fromDisk,
			`${again} and ${fromDisk}`,
		),
	];
}

async function walkOnce(world: BigRepository): ReturnType<BigRepository['walk']> {
	const store = world.openStore();
	try {
		return await world.walk(store, 'master');
	} finally {
		store.dispose();
	}
}

async function countRequests(world: BigRepository): Promise<WalkRequests> {
	using folder = mkdtempDisposableSync(join(tmpdir(), 'bench-walk-'));
	const kept = objectFolders(folder.path, systemClock);
	const objects = kept.of('alice.sample');
	const store = world.openStore({ objects });
	const later = world.openStore({ objects });
	const signal = new AbortController().signal;
	try {
		const first = await world.requestsOf(() => world.walk(store, 'master'));
		const again = await world.requestsOf(() => world.walk(store, 'master'));
		const before = await store.folders.commit(many, 'master', signal);
		const after = await store.folders.commit(many, 'next', signal);
		const changedTrees = await changedTreesOf(world, before.tree, after.tree);
		const afterCommit = await world.requestsOf(() => world.walk(store, after.id));
		await kept.idle();
		// A new window reads the reference again, because it may have moved; the folders are on the disk.
		await later.folders.standing(many, 'master', signal);
		const fromDisk = await world.requestsOf(() => world.walk(later, 'master'));
		return { first, again, afterCommit, changedTrees, fromDisk };
	} finally {
		store.dispose();
		later.dispose();
		await kept.idle();
	}
}

/** Trees of the newer root that the older one lacks, counted without the code under test. */
async function changedTreesOf({ api }: BigRepository, before: string, after: string): Promise<number> {
	const signal = new AbortController().signal;
	let changed = 0;
	for (const pairs: (readonly [string, string])[] = [[before, after]]; pairs.length > 0;) {
		const [was, is] = pairs.pop() ?? ['', ''];
		const [older, newer] = [await api.treeById(many, was, signal), await api.treeById(many, is, signal)];
		changed += 1;
		for (const entry of newer.entries.filter(({ type }) => type === 'tree')) {
			const known = older.entries.find(({ name }) => name === entry.name);
			if (known && known.id !== entry.id) {
				pairs.push([known.id, entry.id]);
			}
		}
	}
	return changed;
}
