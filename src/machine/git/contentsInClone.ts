import { blobsOfClone } from './commitInClone.ts';
import type { HardenedGit } from './hardenedGit.ts';

/** Limits per file and in total, because all contents are in memory. */
const mostBytes = 8 * 1024 * 1024;
const mostBytesInAll = 64 * 1024 * 1024;
const mostIds = 2000;

/**
 * Files by the given abbreviated ids. Omits missing, ambiguous and too large ones; never fetches. Throws `GitFailure`
 * if git cannot run.
 */
export async function contentsInClone(
	git: HardenedGit,
	root: string,
	ids: readonly string[],
	signal: AbortSignal,
): Promise<ReadonlyMap<string, Uint8Array>> {
	const asked = [...new Set(ids)].slice(0, mostIds);
	const found = asked.length === 0 ? new Map<string, string>() : await fullIds(git, root, asked, signal);
	const contents = new Map<string, Uint8Array>();
	const full = [...new Set(found.values())];
	if (full.length === 0) {
		return contents;
	}
	const read = blobsOfClone(git, root, full, signal);
	const byFullId = new Map<string, Uint8Array>();
	for (const id of full) {
		const content = await read(id);
		if (content) {
			byFullId.set(id, content);
		}
	}
	for (const [id, fullId] of found) {
		const content = byFullId.get(fullId);
		if (content) {
			contents.set(id, content);
		}
	}
	return contents;
}

/** Git replies in the order of the requests. */
async function fullIds(
	git: HardenedGit,
	root: string,
	ids: readonly string[],
	signal: AbortSignal,
): Promise<Map<string, string>> {
	const how = { folder: root, timeMs: 20_000, outputBytes: 1_000_000 };
	const { output } = await git.run({ kind: 'findBlobs', ids }, how, signal);
	const lines = output.toString('latin1').split('\n');
	const found = new Map<string, string>();
	let bytes = 0;
	for (const [at, id] of ids.entries()) {
		const [, fullId, size] = /^([0-9a-f]{40}|[0-9a-f]{64}) blob (\d+)$/.exec(lines[at] ?? '') ?? [];
		if (fullId?.startsWith(id) === true && Number(size) <= mostBytes && bytes + Number(size) <= mostBytesInAll) {
			bytes += Number(size);
			found.set(id, fullId);
		}
	}
	return found;
}
