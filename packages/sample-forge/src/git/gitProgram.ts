import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, statSync } from 'node:fs';
import { devNull } from 'node:os';
import { delimiter, isAbsolute, join } from 'node:path';

/** The `git` program of this machine, run without a shell and without anybody's configuration. */
export type GitProgram = ReturnType<typeof createGitProgram>;

interface GitRun {
	/** Standard input, closed at the end. */
	readonly input?: string | Uint8Array;
	readonly environment?: Readonly<Record<string, string>>;
}

const passedOn = ['PATH', 'Path', 'SystemRoot', 'TMPDIR', 'TEMP', 'TMP', 'GIT_EXEC_PATH'];

/**
 * `home` replaces the home directory, so that git reads no user files. Git gets only the variables for finding and running
 * programs. `signal` ends every run.
 */
export function createGitProgram(home: string, signal: AbortSignal, environment = process.env) {
	const program = gitIn(environment['PATH'] ?? environment['Path'] ?? '');
	const base: Record<string, string> = {
		HOME: home,
		XDG_CONFIG_HOME: home,
		LC_ALL: 'C',
		GIT_CONFIG_NOSYSTEM: '1',
		GIT_CONFIG_GLOBAL: devNull,
		GIT_ATTR_NOSYSTEM: '1',
		GIT_TERMINAL_PROMPT: '0',
		GIT_NO_REPLACE_OBJECTS: '1',
		GIT_PROTOCOL_FROM_USER: '0',
	};
	for (const name of passedOn) {
		const value = environment[name];
		if (value !== undefined) {
			base[name] = value;
		}
	}
	/** Starts a process whose streams belong to the caller. The program's signal ends it. */
	const start = (
		args: readonly string[],
		extra: Readonly<Record<string, string>> = {},
	): ChildProcessWithoutNullStreams => {
		if (program === undefined) {
			throw new Error(missing);
		}
		const child = spawn(program, [...args], { env: { ...base, ...extra }, windowsHide: true, signal, cwd: home });
		// A pipe that breaks shows as the exit of the program; unheard, it would end this process.
		child.stdin.on('error', () => undefined);
		return child;
	};
	/**
	 * Resolves to standard output. Rejects on a non-zero exit code, with git's message, and if the program is missing.
	 */
	const run = async (
		args: readonly string[],
		{ input = '', environment: extra = {} }: GitRun = {},
	): Promise<Buffer> => {
		const child = start(args, extra);
		const complaints: Buffer[] = [];
		const chunks: Buffer[] = [];
		child.stderr.on('data', (chunk: Buffer) => complaints.push(chunk));
		child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
		child.stdin.end(input);
		try {
			await once(child, 'close');
		} catch (error) {
			throw isMissing(error) ? new Error(missing) : error;
		}
		if (child.exitCode !== 0) {
			const complaint = Buffer.concat(complaints).toString('utf8').trim();
			throw new Error(`git ${args.slice(0, 4).join(' ')} ended with ${child.exitCode ?? 'a signal'}: ${complaint}`);
		}
		return Buffer.concat(chunks);
	};
	return { run, start };
}

const missing = 'The sample forge needs the program git, which was not found.';

/** Absolute path of git in the absolute folders of `PATH`. Systems resolve a bare name in the working folder, too. */
function gitIn(path: string): string | undefined {
	const folders = path.split(delimiter).filter((folder) => isAbsolute(folder));
	const names = folders.map((folder) => join(folder, process.platform === 'win32' ? 'git.exe' : 'git'));
	return names.find((name) => {
		try {
			accessSync(name, constants.X_OK);
			return statSync(name).isFile();
		} catch {
			return false;
		}
	});
}

function isMissing(error: unknown): boolean {
	return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
