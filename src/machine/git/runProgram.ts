import { Buffer } from 'node:buffer';
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, sep } from 'node:path';
import { abortReason } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import { GitFailure, type ProgramName } from './gitFailure.ts';
import { timeLimit, type OpenQuestions } from './timeLimit.ts';

export interface ProgramRun {
	readonly name: ProgramName;
	/** Absolute path. */
	readonly path: string;
	readonly args: readonly string[];
	/** Working directory. */
	readonly folder: string;
	readonly environment: Readonly<Record<string, string>>;
	/** Timeout; pauses while the user is asked. */
	readonly timeMs: number;
	/** Questions of the program to the user. */
	readonly questions?: OpenQuestions | undefined;
	/** Output limit; exceeding it ends the run. */
	readonly outputBytes: number;
	/** Standard input, closed afterwards. */
	readonly input?: Uint8Array;
	/** Delays the input until this promise resolves. If it rejects, the program gets no input. */
	readonly inputAfter?: Promise<unknown> | undefined;
	/** Receives standard error; servers may control the text. */
	readonly onComplaint?: (text: string) => void;
	readonly onStart?: () => void;
}

export interface Ended {
	/** `undefined` if a signal ended the program. */
	readonly code: number | undefined;
	/** End of standard error. */
	readonly complaint: string;
}

/** Time between SIGTERM and SIGKILL. */
const graceMs = 2000;
const mostComplaint = 16_384;

/** Monotonic, so clock changes do not matter. */
const uptime: Clock = {
	nowMs: () => performance.now(),
	after(delayMs, work) {
		const timer = setTimeout(work, delayMs);
		return { dispose: () => clearTimeout(timer) };
	},
};

/** Runs to the end. Throws `GitFailure` or the signal's reason; an exit code is a result. */
export async function runProgram(run: ProgramRun, signal: AbortSignal): Promise<Ended & { readonly output: Buffer }> {
	const chunks: Buffer[] = [];
	const running = streamProgram(run, signal);
	for (;;) {
		const { done, value } = await running.next();
		if (done === true) {
			return { ...value, output: Buffer.concat(chunks) };
		}
		chunks.push(value);
	}
}

/**
 * Streams standard output, without a shell. Ending the iteration, an abort or the timeout kills the program with its
 * children; the generator then waits until they are gone.
 */
export async function* streamProgram(run: ProgramRun, signal: AbortSignal): AsyncGenerator<Buffer, Ended, void> {
	signal.throwIfAborted();
	const isWindows = process.platform === 'win32';
	const child = started(run, isWindows);
	const closed = Promise.withResolvers<number | undefined>();
	child.once('spawn', () => run.onStart?.());
	child.once('error', (error) => closed.reject(notStarted(run, error)));
	child.once('close', (code) => closed.resolve(code ?? undefined));
	// Awaited below; this avoids an unhandled rejection.
	closed.promise.catch(() => undefined);
	const limit = timeLimit(run.timeMs, uptime, run.questions);
	const late = limit.signal;
	const stop = stopping(child, isWindows, run.environment);
	const end = AbortSignal.any([signal, late]);
	end.addEventListener('abort', stop, { once: true });
	let complaint = '';
	child.stderr.on('data', (chunk: Buffer) => {
		const text = chunk.toString('utf8');
		complaint = (complaint + text).slice(-mostComplaint);
		run.onComplaint?.(text);
	});
	// A broken pipe shows up as the exit of the program. Without a listener, the error would crash this process.
	child.stdin.on('error', () => undefined);
	const give = (input: Uint8Array | string): void => void child.stdin.end(input);
	if (run.inputAfter) {
		run.inputAfter.then(
			() => give(run.input ?? ''),
			() => give(''),
		);
	} else {
		give(run.input ?? '');
	}
	let hasEnded = false;
	try {
		yield* limited(child, run.outputBytes);
		const code = await closed.promise;
		hasEnded = true;
		if (signal.aborted) {
			throw abortReason(signal);
		}
		if (late.aborted) {
			throw new GitFailure({ kind: 'tooSlow' }, complaint);
		}
		return { code, complaint };
	} finally {
		limit.dispose();
		end.removeEventListener('abort', stop);
		if (!hasEnded) {
			stop();
			await closed.promise.catch(() => undefined);
		}
	}
}

function started(run: ProgramRun, isWindows: boolean): ChildProcessWithoutNullStreams {
	try {
		return spawn(run.path, [...run.args], {
			cwd: run.folder,
			env: run.environment,
			// Own process group, so that we can kill it as a whole; and no terminal for prompts.
			detached: !isWindows,
			windowsHide: true,
			shell: false,
			stdio: ['pipe', 'pipe', 'pipe'],
		});
	} catch (error) {
		// Synchronous errors, such as a file in place of the folder.
		throw notStarted(run, error);
	}
}

/** The system reports a missing program and a missing folder alike. */
function notStarted({ name, folder }: ProgramRun, error: unknown): GitFailure {
	const complaint = error instanceof Error ? error.message : '';
	// With a trailing separator, a file does not count as a folder.
	if (!existsSync(join(folder, sep))) {
		return new GitFailure({ kind: 'folderMissing', folder }, complaint);
	}
	const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
	return new GitFailure({ kind: isMissing ? 'programMissing' : 'failed', program: name }, complaint);
}

async function* limited({ stdout }: ChildProcessWithoutNullStreams, mostBytes: number): AsyncGenerator<Buffer> {
	let bytes = 0;
	const reading: AsyncIterator<Buffer, undefined> = stdout[Symbol.asyncIterator]();
	for (;;) {
		const chunk = await nextOf(reading);
		if (!chunk) {
			return;
		}
		bytes += chunk.length;
		if (bytes > mostBytes) {
			throw new GitFailure({ kind: 'tooMuch' });
		}
		yield chunk;
	}
}

/** Output of a failed or killed program closes early; the exit gives the reason. */
async function nextOf(reading: AsyncIterator<Buffer, undefined>): Promise<Buffer | undefined> {
	try {
		return (await reading.next()).value;
	} catch {
		return undefined;
	}
}

/** Kills a program and its children, once: politely first, then by force. */
function stopping(
	child: ChildProcessWithoutNullStreams,
	isWindows: boolean,
	environment: ProgramRun['environment'],
): () => void {
	let isStopping = false;
	return () => {
		const { pid } = child;
		if (isStopping || pid === undefined) {
			return;
		}
		isStopping = true;
		// Pipes held open by children would otherwise block the end.
		child.stdout.destroy();
		child.stderr.destroy();
		if (isWindows) {
			const killer = join(environment['SystemRoot'] ?? 'C:\\Windows', 'System32', 'taskkill.exe');
			spawn(killer, ['/pid', String(pid), '/T', '/F'], { windowsHide: true, stdio: 'ignore' }).on('error', () =>
				child.kill(),
			);
			return;
		}
		endGroup(pid, 'SIGTERM');
		const killing = setTimeout(() => endGroup(pid, 'SIGKILL'), graceMs);
		child.once('close', () => {
			clearTimeout(killing);
			// Kills children that outlived their parent.
			endGroup(pid, 'SIGKILL');
		});
	};
}

function endGroup(pid: number, signal: NodeJS.Signals): void {
	try {
		process.kill(-pid, signal);
	} catch {
		// The group has already ended.
	}
}
