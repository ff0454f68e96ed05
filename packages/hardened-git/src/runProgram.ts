import { Buffer } from 'node:buffer';
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, sep, delimiter, dirname, isAbsolute, relative } from 'node:path';
import { abortReason } from '@forge-desk/base/abort.ts';
import type { Clock } from '@forge-desk/base/clock.ts';
import { GitFailure, type ProgramName } from './gitFailure.ts';
import { access, constants, realpath, stat } from 'node:fs/promises';
import type { Event } from '@forge-desk/base/event.ts';
import type { Disposable } from '@forge-desk/base/lifecycle.ts';

export interface RunPlace {
	/** Working directory. */
	readonly folder: string;
	/** Receives standard error; servers may control the text. */
	readonly onComplaint?: (text: string) => void;
	/** The program starts at once but gets its input only after this promise; no input if it rejects. */
	readonly inputAfter?: Promise<unknown> | undefined;
	/** Called when the program has started: an earlier failure had no effect. */
	readonly onStart?: () => void;
}

export interface ProgramRun extends RunPlace {
	readonly name: ProgramName;
	/** Timeout; pauses while the user is asked. */
	readonly timeMs: number;
	/** Output limit; exceeding it ends the run. */
	readonly outputBytes: number;
	/** Absolute path. */
	readonly path: string;
	readonly args: readonly string[];
	readonly environment: Readonly<Record<string, string>>;
	/** Questions of the program to the user. */
	readonly questions?: OpenQuestions | undefined;
	/** Standard input, closed afterwards. */
	readonly input?: Uint8Array | undefined;
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

export interface ProgramPlaces {
	/** The variable PATH. */
	readonly path: string;
	readonly isWindows: boolean;
	/** Workspace folders: they may contain a malicious `git.exe`, so PATH entries inside are ignored. */
	readonly refusedFolders: readonly string[];
}

/**
 * Absolute path of a program. An absolute `hint` from the user or the editor wins. Otherwise searches PATH, except for
 * relative folders and paths inside open folders, by name or through links.
 */
export async function findProgram(
	name: ProgramName,
	{ path, isWindows, refusedFolders }: ProgramPlaces,
	hint?: string,
): Promise<string | undefined> {
	const hinted = hint !== undefined && isAbsolute(hint) ? [hint] : [];
	const file = isWindows ? `${name}.exe` : name;
	for (const candidate of hinted) {
		if (await isProgram(candidate)) {
			return candidate;
		}
	}
	const open = (await placesOf(refusedFolders)).filter((folder) => dirname(folder) !== folder);
	const folders = absoluteFolders(path);
	// In parallel, because each check waits for the disk. PATH order decides.
	const areThere = await Promise.all(folders.map((folder) => isProgram(join(folder, file))));
	for (const folder of folders.filter((_, at) => areThere[at] === true)) {
		const candidate = join(folder, file);
		if (!(await liesIn(open, [folder, candidate]))) {
			return candidate;
		}
	}
	return undefined;
}

/** Paths and their link targets. */
async function placesOf(paths: readonly string[]): Promise<readonly string[]> {
	const real = await Promise.all(paths.map((path) => realpath(path).catch(() => path)));
	return [...paths, ...real];
}

async function liesIn(folders: readonly string[], paths: readonly string[]): Promise<boolean> {
	const places = await placesOf(paths);
	return places.some((place) =>
		folders.some((folder) => {
			const way = relative(folder, place);
			return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
		}),
	);
}

/** PATH folders that do not depend on the working directory. */
function absoluteFolders(path: string): readonly string[] {
	return path.split(delimiter).filter((folder) => isAbsolute(folder));
}

/** Like a shell, skips files that are not executable. */
async function isProgram(path: string): Promise<boolean> {
	try {
		await access(path, constants.X_OK);
		return (await stat(path)).isFile();
	} catch {
		return false;
	}
}

/**
 * Keeps the user's global settings of git: proxies, certificates, ssh keys, system and user configuration. Drops
 * variables that redirect git to another repository, start programs or ask questions.
 */

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Kept git variables: network access, the user's configuration, and identity. Settings in variables
 * (`GIT_CONFIG_COUNT`) are weaker than our arguments.
 */
const keptOfGit =
	/^GIT_(?:EXEC_PATH|SSH|SSH_COMMAND|SSH_VARIANT|SSL_.*|PROXY_SSL_.*|HTTP_PROXY_AUTHMETHOD|CONFIG_GLOBAL|CONFIG_SYSTEM|CONFIG_NOSYSTEM|CONFIG_COUNT|CONFIG_(?:KEY|VALUE)_\d+|(?:AUTHOR|COMMITTER)_(?:NAME|EMAIL))$/;

/** The editor's own variables. */
const ownNames = /^(?:VSCODE_.*|ELECTRON_.*|NODE_OPTIONS|FORGE_DESK_.*)$/;

/** Only the user's character set stays: we parse the messages, so they must be English. */
const languageNames = /^(?:LC_ALL|LC_MESSAGES|LANGUAGE)$/;

/** Allowed protocols; empty means no network. Configuration cannot change this. */
export type Protocols = readonly ('https' | 'http' | 'ssh')[];

/** `inherited`: the editor's environment. */
export function programEnvironment(inherited: Environment, protocols: Protocols): Readonly<Record<string, string>> {
	const kept = Object.entries(inherited).filter((entry): entry is [string, string] => {
		const name = entry[0].toUpperCase();
		const isKept = name.startsWith('GIT_') ? keptOfGit.test(name) : !ownNames.test(name) && !languageNames.test(name);
		return isKept && entry[1] !== undefined;
	});
	return {
		...Object.fromEntries(kept.map(([name, value]) => [name, isPath(name) ? onlyAbsolute(value) : value])),
		LC_CTYPE: inherited['LC_ALL'] ?? inherited['LC_CTYPE'] ?? inherited['LANG'] ?? 'C.UTF-8',
		LC_MESSAGES: 'C',
		GIT_TERMINAL_PROMPT: '0',
		// An empty value disables password prompts.
		GIT_ASKPASS: '',
		GIT_OPTIONAL_LOCKS: '0',
		GIT_NO_REPLACE_OBJECTS: '1',
		GIT_NO_LAZY_FETCH: '1',
		GIT_PROTOCOL_FROM_USER: '0',
		GIT_PAGER: 'cat',
		// Older git ignores `GIT_NO_LAZY_FETCH` and would fetch missing objects by any configured transport.
		GIT_ALLOW_PROTOCOL: protocols.length === 0 ? 'none' : protocols.join(':'),
	};
}

function isPath(name: string): boolean {
	return name.toUpperCase() === 'PATH';
}

/** Git also searches PATH for ssh. */
function onlyAbsolute(path: string): string {
	return absoluteFolders(path).join(delimiter);
}

/** Open questions to the user, who may take any time. */
export interface OpenQuestions {
	readonly isOpen: () => boolean;
	readonly onDidChange: Event<void>;
}

/** Timeout that pauses while a question is open. The caller disposes it. */
export function timeLimit(
	timeMs: number,
	clock: Clock,
	questions: OpenQuestions | undefined,
): Disposable & { readonly signal: AbortSignal } {
	const over = new AbortController();
	let leftMs = timeMs;
	let running: { readonly sinceMs: number; readonly timer: Disposable } | undefined;
	const follow = (): void => {
		const isOpen = questions?.isOpen() === true;
		if (isOpen && running) {
			leftMs -= clock.nowMs() - running.sinceMs;
			running.timer.dispose();
			running = undefined;
		} else if (!isOpen && !running) {
			running = { sinceMs: clock.nowMs(), timer: clock.after(Math.max(0, leftMs), () => over.abort()) };
		}
	};
	follow();
	const following = questions?.onDidChange(follow);
	return {
		/** Aborted after the time limit. */
		signal: over.signal,
		dispose() {
			following?.dispose();
			running?.timer.dispose();
		},
	};
}
