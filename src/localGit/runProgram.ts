import { Buffer } from 'node:buffer';
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, sep } from 'node:path';
import { abortReason } from '../base/abort.ts';
import type { Clock } from '../base/clock.ts';
import { GitFailure, type ProgramName } from './gitFailure.ts';
import { timeLimit, type OpenQuestions } from './timeLimit.ts';

/** One run of a program. */
export interface ProgramRun {
	readonly name: ProgramName;
	/** Absolute. */
	readonly path: string;
	readonly args: readonly string[];
	/** Working directory. */
	readonly folder: string;
	readonly environment: Readonly<Record<string, string>>;
	/** Ends the run, whatever it does; while a person is asked this time stands still. */
	readonly timeMs: number;
	/** What the program asks of a person. */
	readonly questions?: OpenQuestions | undefined;
	/** Standard output beyond this ends the run. */
	readonly outputBytes: number;
	/** Written to standard input, which is closed afterwards. */
	readonly input?: Uint8Array;
	/** Where it is given, that is written once this has come to pass, and nothing at all where it fails. */
	readonly inputAfter?: Promise<unknown> | undefined;
	/** Hears of standard error as it comes; whatever a server says may be in it. */
	readonly onComplaint?: (text: string) => void;
	/** Called once the program runs. */
	readonly onStart?: () => void;
}

/** How a run ended. */
export interface Ended {
	/** `undefined` when a signal ended it. */
	readonly code: number | undefined;
	/** The last of standard error. */
	readonly complaint: string;
}

/** How long a program may clear up before it is ended for good. */
const graceMs = 2000;
const mostComplaint = 16_384;

/** Whatever somebody sets the clock of the machine to. */
const uptime: Clock = {
	nowMs: () => performance.now(),
	after(delayMs, work) {
		const timer = setTimeout(work, delayMs);
		return { dispose: () => clearTimeout(timer) };
	},
};

/** Runs to the end. Throws `GitFailure`, or the signal's reason; an exit code is an answer and no error. */
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
 * Standard output as it comes, without a shell. Who stops reading ends the program, and so do the signal and the deadline:
 * with it all that it started, and only then does this come to an end.
 */
export async function* streamProgram(run: ProgramRun, signal: AbortSignal): AsyncGenerator<Buffer, Ended, void> {
	signal.throwIfAborted();
	const isWindows = process.platform === 'win32';
	const child = started(run, isWindows);
	const closed = Promise.withResolvers<number | undefined>();
	child.once('spawn', () => run.onStart?.());
	child.once('error', (error) => closed.reject(notStarted(run, error)));
	child.once('close', (code) => closed.resolve(code ?? undefined));
	// Heard below, whatever comes first.
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
	// A pipe that breaks shows as the exit of the program; unheard, it would end this process.
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
			// A group of its own, which can be ended as a whole; and no terminal, on which something could ask.
			detached: !isWindows,
			windowsHide: true,
			shell: false,
			stdio: ['pipe', 'pipe', 'pipe'],
		});
	} catch (error) {
		// What is not told later, such as a file where the folder should be.
		throw notStarted(run, error);
	}
}

/** The system says the same of a program and of a folder that are not there. */
function notStarted({ name, folder }: ProgramRun, error: unknown): GitFailure {
	const complaint = error instanceof Error ? error.message : '';
	// With the separator at its end, no file is taken for a folder.
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

/** A program that did not start, or was ended, closes its output too early; how it ended says why. */
async function nextOf(reading: AsyncIterator<Buffer, undefined>): Promise<Buffer | undefined> {
	try {
		return (await reading.next()).value;
	} catch {
		return undefined;
	}
}

/** Ends a program and all that it started, once: politely, and for good when it does not go. */
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
		// Nobody reads on, and what somebody still holds open would keep this from ending.
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
			// Whatever outlived its parent.
			endGroup(pid, 'SIGKILL');
		});
	};
}

function endGroup(pid: number, signal: NodeJS.Signals): void {
	try {
		process.kill(-pid, signal);
	} catch {
		// It has ended by itself.
	}
}
