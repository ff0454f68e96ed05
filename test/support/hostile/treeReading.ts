import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as v from 'valibot';
import { startTreeForge, type HostileCase } from './treeForge.ts';

/** What is done with a hostile repository: by the store, by the file system that the editor asks, or onto the disk. */
export type HostileWork = 'folder' | 'walk' | 'compare' | 'readDirectory' | 'readFile' | 'saveFile';

const reading = v.object({
	/** Kind of the `ForgeError` that it ended in. */
	problem: v.optional(v.string()),
	/** What was met. */
	entries: v.optional(v.number()),
	/** Why there is more than that, or why nothing was saved. */
	leftOut: v.optional(v.string()),
	tookMs: v.number(),
	/** The most that was alive at a time, above what was alive before. */
	grownBytes: v.number(),
});

export type TreeReading = v.InferOutput<typeof reading>;

/** Does all of it in a process of its own, so that its memory is all that is measured. */
export async function readHostile(
	works: readonly (readonly [HostileCase, HostileWork])[],
): Promise<readonly TreeReading[]> {
	const forges = await Promise.all(works.map(([wanted]) => startTreeForge(wanted)));
	try {
		const words = works.flatMap(([, work], at) => [forges[at]?.origin ?? '', work]);
		const script = join(import.meta.dirname, '../readTreeForge.ts');
		const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', script, ...words]);
		const lines = stdout.trim().split('\n');
		return lines.map((line) => v.parse(reading, JSON.parse(line)));
	} finally {
		await Promise.all(forges.map((forge) => forge.stop()));
	}
}
