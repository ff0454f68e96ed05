import { type ChildProcess, spawn } from 'node:child_process';
import { root } from './places.ts';

export interface RunOptions {
	readonly env?: Readonly<Record<string, string>>;
	/** Shows what the program prints as it comes; otherwise it is only kept. */
	readonly live?: boolean;
	readonly limitMs: number;
}

export interface Ran {
	/** Undefined when the program was ended by a signal or by the time limit. */
	readonly code: number | undefined;
	readonly output: string;
}

/** Starts programs, each in a process group of its own, and ends what is left of them. */
export interface Children {
	run(program: string, args: readonly string[], options: RunOptions): Promise<Ran>;
	/** Starts a program that runs until `stopAll`; its standard input is held open. */
	start(program: string, args: readonly string[], env?: Readonly<Record<string, string>>): ChildProcess;
	/** Ends everything that still runs, at once and without waiting. */
	stopAll(): void;
}

function endGroup(child: ChildProcess, signal: NodeJS.Signals): void {
	try {
		if (child.pid !== undefined) {
			process.kill(-child.pid, signal);
		}
	} catch {
		// It has ended by itself.
	}
}

export function openChildren(): Children {
	const running = new Set<ChildProcess>();
	const start: Children['start'] = (program, args, env = {}) => {
		const child = spawn(program, args, {
			cwd: root,
			detached: true,
			stdio: ['pipe', 'pipe', 'pipe'],
			env: { ...process.env, ...env },
		});
		running.add(child);
		child.once('close', () => running.delete(child));
		return child;
	};
	return {
		start,
		async run(program, args, { env = {}, live = false, limitMs }) {
			const child = start(program, args, env);
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
			const code = await new Promise<number | undefined>((resolve) => {
				child.once('error', (error) => {
					output += `${program}: ${error.message}\n`;
					resolve(undefined);
				});
				child.once('close', (status) => resolve(status ?? undefined));
			});
			clearTimeout(warn);
			clearTimeout(end);
			return { code, output: code === undefined ? `${output}\nIt did not end by itself.` : output };
		},
		stopAll() {
			for (const child of running) {
				endGroup(child, 'SIGKILL');
			}
			running.clear();
		},
	};
}
