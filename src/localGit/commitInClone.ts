import type { Buffer } from 'node:buffer';
import { provenBy } from '../git/objectId.ts';
import { objectReader, listingReader, type FileOfCommit, type ListedEntries } from './commitOutput.ts';
import { GitFailure } from './gitFailure.ts';
import type { HardenedGit } from './hardenedGit.ts';
import type { Ended } from './runProgram.ts';

/*
 * A commit as a clone holds it, without its working tree. Everything is read by id and as it was committed: no filter, no
 * link and no submodule is followed, and what the clone lacks is not fetched.
 */

/** A listing that is longer or takes longer is given up. Reading goes at the pace of whoever reads. */
const listing = { outputBytes: 64_000_000, timeMs: 60_000 } as const;
const reading = { outputBytes: Number.MAX_SAFE_INTEGER, timeMs: 60 * 60_000 } as const;

/** Whether a clone has a commit. Throws `GitFailure` when git cannot be asked, or not here. */
export async function hasCommit(git: HardenedGit, root: string, commit: string, signal: AbortSignal): Promise<boolean> {
	const how = { folder: root, timeMs: 10_000, outputBytes: 1000 };
	return (await git.run({ kind: 'hasCommit', commit }, how, signal)).code === 0;
}

/** All files and links of a commit, in pieces as they come. Submodules are left out. */
export async function* filesOfCommit(
	git: HardenedGit,
	root: string,
	commit: string,
	signal: AbortSignal,
): AsyncGenerator<readonly FileOfCommit[], void, void> {
	for await (const { files } of entriesOfCommit(git, root, commit, signal)) {
		yield files;
	}
}

/** The same with submodules. */
export async function* entriesOfCommit(
	git: HardenedGit,
	root: string,
	commit: string,
	signal: AbortSignal,
): AsyncGenerator<ListedEntries, void, void> {
	const read = listingReader();
	const running = git.stream({ kind: 'list', commit }, { folder: root, ...listing }, signal);
	try {
		for (;;) {
			const { done, value } = await running.next();
			if (done === true) {
				return throwUnlessWell(value);
			}
			yield read(value);
		}
	} finally {
		await running.return({ code: undefined, complaint: '' });
	}
}

/** A blob by its id; `undefined` for what the clone does not have, or what is not what its id says. */
export type BlobOfClone = (id: string) => Promise<Uint8Array | undefined>;

/**
 * Reads these blobs, one after the other, once the first is asked for. They are asked for in this order; some may be left
 * out. Ends when the last was read, or with the signal.
 */
export function blobsOfClone(git: HardenedGit, root: string, ids: readonly string[], signal: AbortSignal): BlobOfClone {
	const running = git.stream({ kind: 'blobs', ids }, { folder: root, ...reading }, signal);
	const next = objectReader(() => pulled(running));
	const last = ids.at(-1);
	let turn: Promise<unknown> = Promise.resolve();

	async function read(id: string): Promise<Uint8Array | undefined> {
		let found = await next();
		while (found && found.id !== id) {
			found = await next();
		}
		if (!found) {
			throw new GitFailure({ kind: 'failed', program: 'git' }, `no answer for ${id}`);
		}
		if (id === last) {
			await pulled(running);
		}
		const { bytes } = found;
		return bytes && provenBy(id, 'blob', bytes) === 'same' ? bytes : undefined;
	}

	return (id) => {
		const mine = turn.then(() => read(id));
		turn = mine.catch(() => undefined);
		return mine;
	};
}

async function pulled(running: AsyncGenerator<Buffer, Ended, void>): Promise<Buffer | undefined> {
	const { done, value } = await running.next();
	if (done === true) {
		throwUnlessWell(value);
		return undefined;
	}
	return value;
}

function throwUnlessWell(ended: Ended | undefined): void {
	// Without one it had ended before.
	if (ended && ended.code !== 0) {
		throw new GitFailure({ kind: 'failed', program: 'git' }, ended.complaint);
	}
}
