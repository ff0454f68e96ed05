import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import * as v from 'valibot';
import { compileCache } from '../compileCache.ts';
import { startTreeForge, type HostileCase } from './treeForge.ts';

const order = v.object({
	origin: v.string(),
	/** What is done with the repository: by the store, by the file system that the editor asks, or onto the disk. */
	work: v.picklist(['folder', 'walk', 'compare', 'readDirectory', 'readFile', 'saveFile']),
	/** Memory is measured closely only above this. */
	mostGrownBytes: v.number(),
});

/** What the reading process is told to do. */
export type HostileOrder = Readonly<v.InferOutput<typeof order>>;
export type HostileWork = HostileOrder['work'];

/** For the reading process: what it was told. A `drop` is about to fall from what drips: there time passes by drops. */
export function readOrder(message: unknown): HostileOrder | 'drop' {
	return v.parse(v.union([order, v.literal('drop')]), message);
}

const reading = v.object({
	/** Kind of the `ForgeError` that it ended in. */
	problem: v.optional(v.string()),
	/** What was met. */
	entries: v.optional(v.number()),
	/** Why there is more than that, or why nothing was saved. */
	leftOut: v.optional(v.string()),
	/** CPU time of the reading process. */
	cpuMs: v.number(),
	/** Time by the clock that the client was given. */
	passedMs: v.number(),
	/** No more than this was alive at a time, above what was alive before. */
	grownBytes: v.number(),
});

export type TreeReading = v.InferOutput<typeof reading> & {
	/** Requests that the forge saw. */
	readonly requests: number;
};

/** Reads hostile repositories in a process of its own, so that its memory and its CPU time are all that is measured. */
export interface HostileReader {
	read(wanted: HostileCase, work: HostileWork, mostGrownBytes: number): Promise<TreeReading>;
	/** Ends a reading that goes on, and the process with it; the next reading starts another. */
	stop(): Promise<void>;
}

/** Starts nothing before the first reading. */
export function hostileReader(): HostileReader {
	let child: ChildProcess | undefined;
	return {
		async read(wanted, work, mostGrownBytes) {
			const running = (child ??= fork(join(import.meta.dirname, '../readTreeForge.ts'), {
				execArgv: ['--expose-gc'],
				env: { ...process.env, ...compileCache },
			}));
			const forge = await startTreeForge(wanted, () => running.connected && running.send('drop'));
			try {
				const told = { origin: forge.origin, work, mostGrownBytes };
				return { ...(await readingOf(running, told)), requests: forge.seen.length };
			} finally {
				await forge.stop();
			}
		},
		async stop() {
			const running = child;
			child = undefined;
			if (running?.exitCode === null && running.signalCode === null) {
				const exit = once(running, 'exit');
				running.kill('SIGKILL');
				await exit;
			}
		},
	};
}

async function readingOf(child: ChildProcess, told: HostileOrder): Promise<v.InferOutput<typeof reading>> {
	const { promise, resolve, reject } = Promise.withResolvers<unknown>();
	const ended = (): void => reject(new Error('The reading process ended before its work'));
	child.once('message', resolve);
	child.once('exit', ended);
	child.send(told);
	try {
		return v.parse(reading, await promise);
	} finally {
		child.off('message', resolve);
		child.off('exit', ended);
	}
}
