import type { Buffer } from 'node:buffer';
import { provenBy } from '../../engine/git/objectId.ts';
import { objectReader, listingReader, type FileOfCommit, type ListedEntries } from './commitOutput.ts';
import { GitFailure } from './gitFailure.ts';
import type { HardenedGit } from './hardenedGit.ts';
import type { Ended } from './runProgram.ts';

/**
 * Reads commits from a clone without its working tree. Reads objects by id, without filters, links, submodules or
 * fetching.
 */

/** Limits of a listing. Reading blobs has no size limit, because the consumer sets the pace. */
const listing = { outputBytes: 64_000_000, timeMs: 60_000 } as const;
const reading = { outputBytes: Number.MAX_SAFE_INTEGER, timeMs: 60 * 60_000 } as const;

/** Throws `GitFailure` if git cannot run. */
export async function hasCommit(git: HardenedGit, root: string, commit: string, signal: AbortSignal): Promise<boolean> {
	const how = { folder: root, timeMs: 10_000, outputBytes: 1000 };
	return (await git.run({ kind: 'hasCommit', commit }, how, signal)).code === 0;
}

/** Files and links of a commit, streamed. Without submodules. */
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

/** A blob by id; `undefined` if the clone lacks it or its content does not match the id. */
export type BlobOfClone = (id: string) => Promise<Uint8Array | undefined>;

/** Streams these blobs. Request ids in this order; skipping is allowed. Ends after the last blob or on abort. */
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
	// `undefined`: the stream ended before.
	if (ended && ended.code !== 0) {
		throw new GitFailure({ kind: 'failed', program: 'git' }, ended.complaint);
	}
}
