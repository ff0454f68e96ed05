import { type ChildProcess, spawn } from 'node:child_process';
import { waitedForCpuMs } from './cpuClock.ts';
import { runMark } from './leftovers.ts';
import { root } from './places.ts';

type Environment = Readonly<Record<string, string>>;

export interface RunOptions {
	readonly env?: Environment;
	/** The project's folder by default. */
	readonly cwd?: string;
	/** Prints the output as it comes. */
	readonly live?: boolean;
	readonly limitMs: number;
	/** For its child processes, after its own end. */
	readonly graceMs?: number;
}

export interface Ran {
	/** Undefined when a signal or time limit ended the program, or processes that it left behind. */
	readonly code: number | undefined;
	readonly output: string;
}

/** Starts programs in separate process groups, and ends their groups. */
export interface Children {
	run(program: string, args: readonly string[], options: RunOptions): Promise<Ran>;
	/** Starts a program until `stopAll`; its standard input stays open. */
	start(program: string, args: readonly string[], env?: Environment): ChildProcess;
	/** Starts a module with a channel for messages. */
	startModule(path: string, args: readonly string[], env: Environment): ChildProcess;
	/** Mark of these processes, see leftovers.ts. */
	readonly mark: string;
	/** For a part of this run, with its own CPU time. */
	part(name: string): Children;
	/** CPU time of ended programs and of parts, in milliseconds. */
	cpuMs(): number;
	/** Kills all, without waiting. */
	stopAll(): void;
}

export function endGroup(child: ChildProcess, signal: NodeJS.Signals): void {
	try {
		if (child.pid !== undefined) {
			process.kill(-child.pid, signal);
		}
	} catch {
		// It has ended.
	}
}

/** CPU time since the last call, of children that ended in between. */
function openMeter(): () => number {
	let last = waitedForCpuMs();
	return () => {
		const now = waitedForCpuMs();
		const added = now - last;
		last = now;
		return added;
	};
}

async function runToEnd(program: string, child: ChildProcess, options: RunOptions): Promise<Ran> {
	const { live = false, limitMs, graceMs = 5_000 } = options;
	child.stdin?.end();
	let output = '';
	const keep = (chunk: Buffer): void => {
		output += chunk.toString();
		if (live) {
			process.stdout.write(chunk);
		}
	};
	child.stdout?.on('data', keep);
	child.stderr?.on('data', keep);
	// The program gets time to clean up.
	const warn = setTimeout(() => endGroup(child, 'SIGTERM'), limitMs);
	const end = setTimeout(() => endGroup(child, 'SIGKILL'), limitMs + 5_000);
	let afterExit: NodeJS.Timeout | undefined;
	let hasLeftSome = false;
	// Its own children may hold its output open.
	child.once('exit', () => {
		afterExit = setTimeout(() => {
			hasLeftSome = true;
			endGroup(child, 'SIGKILL');
		}, graceMs);
	});
	const code = await new Promise<number | undefined>((resolve) => {
		child.once('error', (error) => {
			output += `${program}: ${error.message}\n`;
			resolve(undefined);
		});
		child.once('close', (status) => resolve(hasLeftSome ? undefined : (status ?? undefined)));
	});
	[warn, end, afterExit].forEach(clearTimeout);
	const why = hasLeftSome ? 'It left something running, which was ended.' : 'It did not end by itself.';
	return { code, output: code === undefined ? `${output}\n${why}` : output };
}

export function openChildren(mark: string): Children {
	const running = new Set<ChildProcess>();
	const addedCpuMs = openMeter();
	const open = (ownMark: string, addToWhole: (cpuMs: number) => void): Children => {
		let cpuMs = 0;
		const add = (addedMs: number): void => {
			cpuMs += addedMs;
			addToWhole(addedMs);
		};
		const begin = (
			program: string,
			args: readonly string[],
			env: Environment,
			{ hasChannel = false, cwd = root } = {},
		): ChildProcess => {
			const child = spawn(program, args, {
				cwd,
				detached: true,
				stdio: hasChannel ? ['ignore', 'pipe', 'pipe', 'ipc'] : ['pipe', 'pipe', 'pipe'],
				env: { ...process.env, [runMark]: ownMark, ...env },
			});
			running.add(child);
			// The system has just added the child's time.
			child.once('exit', () => add(addedCpuMs()));
			child.once('close', () => running.delete(child));
			return child;
		};
		return {
			start: (program, args, env = {}) => begin(program, args, env),
			startModule: (path, args, env) => begin(process.execPath, [path, ...args], env, { hasChannel: true }),
			run: (program, args, options) => {
				const { env = {}, cwd = root } = options;
				return runToEnd(program, begin(program, args, env, { cwd }), options);
			},
			mark: ownMark,
			part: (name) => open(`${ownMark}/${name}`, add),
			cpuMs: () => cpuMs,
			stopAll() {
				for (const child of running) {
					endGroup(child, 'SIGKILL');
				}
				running.clear();
			},
		};
	};
	return open(mark, () => undefined);
}
