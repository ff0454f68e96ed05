import { type ChildProcess, spawn } from 'node:child_process';
import { waitedForCpuMs } from './cpuClock.ts';
import { runMark } from './leftovers.ts';
import { root } from './places.ts';

type Environment = Readonly<Record<string, string>>;

export interface RunOptions {
	readonly env?: Environment;
	/** The project's folder unless another one is named. */
	readonly cwd?: string;
	/** Shows what the program prints as it comes; otherwise it is only kept. */
	readonly live?: boolean;
	readonly limitMs: number;
	/** How long what it started may take to end after it. */
	readonly graceMs?: number;
}

export interface Ran {
	/** Undefined when the program, or what it left running in its group, was ended by a signal or by a time limit. */
	readonly code: number | undefined;
	readonly output: string;
}

/** Starts programs, each in a process group of its own, and ends what is left of them. */
export interface Children {
	run(program: string, args: readonly string[], options: RunOptions): Promise<Ran>;
	/** Starts a program that runs until it is ended; its standard input is held open. */
	start(program: string, args: readonly string[], env?: Environment): ChildProcess;
	/** Starts a module of this folder that speaks with this process by messages. */
	startModule(path: string, args: readonly string[], env: Environment): ChildProcess;
	/** What marks the processes of this part of the run. */
	readonly mark: string;
	/** The same for a part of this part, whose CPU time is counted by itself. */
	part(name: string): Children;
	/** CPU time that ended programs took, those of its parts included, in milliseconds. */
	cpuMs(): number;
	/** Ends everything that still runs, at once and without waiting. */
	stopAll(): void;
}

/** Ends a program with all that it started in its group. */
export function endGroup(child: ChildProcess, signal: NodeJS.Signals): void {
	try {
		if (child.pid !== undefined) {
			process.kill(-child.pid, signal);
		}
	} catch {
		// It has ended by itself.
	}
}

/** Tells how much CPU time was added since the last call, by whichever children ended in between. */
function openMeter(): () => number {
	let last = waitedForCpuMs();
	return () => {
		const now = waitedForCpuMs();
		const added = now - last;
		last = now;
		return added;
	};
}

/** Runs a started program to its end and keeps what it prints. */
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
	// A program that may clean up behind itself gets the time to do so.
	const warn = setTimeout(() => endGroup(child, 'SIGTERM'), limitMs);
	const end = setTimeout(() => endGroup(child, 'SIGKILL'), limitMs + 5_000);
	let afterExit: NodeJS.Timeout | undefined;
	let hasLeftSome = false;
	// What it left running holds its output open, so that this would wait for as long as that runs.
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

/** `mark` is the beginning of what marks every process, see leftovers.ts. */
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
			// The system has just added what the child took.
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
