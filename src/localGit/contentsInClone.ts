import { blobsOfClone } from './commitInClone.ts';
import type { HardenedGit } from './hardenedGit.ts';

/** What is larger is shown by nobody as a whole, and all together is held at a time. */
const mostBytes = 8 * 1024 * 1024;
const mostBytesInAll = 64 * 1024 * 1024;
const mostIds = 2000;

/**
 * The files whose ids begin as these do, by what was asked for. What the clone lacks, what several objects are called and
 * what is too large is left out; nothing is fetched. Throws `GitFailure` when git cannot be asked, or not here.
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

/** Git answers line by line, in the order in which it was asked. */
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
