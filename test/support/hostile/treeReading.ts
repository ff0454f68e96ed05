import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import * as v from 'valibot';
import { compileCache } from '../compileCache.ts';
import { startTreeForge, type HostileCase } from './treeForge.ts';

const order = v.object({
	origin: v.string(),
	/** The operation: by the store, by the editor's file system, or to disk. */
	work: v.picklist(['folder', 'walk', 'compare', 'readDirectory', 'readFile', 'saveFile']),
	/** Below this, memory needs no exact measurement. */
	mostGrownBytes: v.number(),
});

/** Orders to the reading process. */
export type HostileOrder = Readonly<v.InferOutput<typeof order>>;
export type HostileWork = HostileOrder['work'];

/** Parses an order in the reading process. `drop` announces a slow chunk: its clock advances by chunks. */
export function readOrder(message: unknown): HostileOrder | 'drop' {
	return v.parse(v.union([order, v.literal('drop')]), message);
}

const reading = v.object({
	/** Kind of the resulting `ForgeError`. */
	problem: v.optional(v.string()),
	/** Entries found. */
	entries: v.optional(v.number()),
	/** Why entries are missing, or why nothing is saved. */
	leftOut: v.optional(v.string()),
	/** CPU time of the reading process. */
	cpuMs: v.number(),
	/** Time by the client's clock. */
	passedMs: v.number(),
	/** Maximum of live memory above the start. */
	grownBytes: v.number(),
});

export type TreeReading = v.InferOutput<typeof reading> & {
	/** Requests to the forge. */
	readonly requests: number;
};

/** Reads hostile repositories in a separate process, to measure its memory and CPU time alone. */
export interface HostileReader {
	read(wanted: HostileCase, work: HostileWork, mostGrownBytes: number): Promise<TreeReading>;
	/** Aborts a reading and ends the process; the next reading starts a new one. */
	stop(): Promise<void>;
}

/** Starts the process with the first reading. */
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
