import type { Buffer } from 'node:buffer';
import { dirname, isAbsolute } from 'node:path';
import { GitFailure } from './gitFailure.ts';
import type { GitCommand } from './gitCommand.ts';
import {
	type ProgramPlaces,
	findProgram,
	programEnvironment,
	runProgram,
	streamProgram,
	type Ended,
	type ProgramRun,
	type OpenQuestions,
	type RunPlace,
} from './runProgram.ts';

export type HardenedGit = ReturnType<typeof hardenedGit>;

/** `folder`: the top folder for commands in a clone. */
export interface GitRun extends RunPlace {
	/** Asks the user for passwords. Without it, requests for passwords fail. */
	readonly askPass?: AskPass | undefined;
	/** File that replaces the user's and the system's settings. */
	readonly settings?: string | undefined;
}

/** Git starts this program with a question as the argument and reads the answer from its output. */
export interface AskPass {
	/** Absolute path. */
	readonly program: string;
	/** Additional variables. */
	readonly environment: Readonly<Record<string, string>>;
	/** The timeout pauses while a question is open. */
	readonly questions?: OpenQuestions;
}

export interface Machine {
	/** No program runs while this is false. */
	readonly isTrusted: () => boolean;
	/** The editor's git, if known. */
	readonly gitPath: (signal: AbortSignal) => Promise<string | undefined>;
	/** Paths of open folders. */
	readonly openFolders: () => readonly string[];
	readonly environment: Readonly<Record<string, string | undefined>>;
	readonly isWindows: boolean;
	readonly devNull: string;
}

/** Git with a folder for temporary files. */
export interface GitPlace {
	readonly git: HardenedGit;
	readonly tempFolder: string;
}

/** The same for operations that also run other programs. */
export interface GitOnMachine extends GitPlace {
	readonly machine: Machine;
}

/** The same for operations that log in to servers. `askPass`: asks if no credential helper has name and password. */
export interface GitNetwork extends GitPlace {
	readonly askPass: AskPass | undefined;
}

/**
 * Git without programs from a repository's configuration: no hooks, monitors, pagers, helpers, diff filters or custom
 * transports. Asks no questions, writes no index, and never fetches missing objects.
 */
export function hardenedGit(parts: Machine) {
	/** Paths of programs that are new enough. */
	const recent = new Set<string>();

	/** An older git ignores the settings file that we hand on, and fails at commands in the middle of our steps. */
	async function requireRecent(run: ProgramRun, signal: AbortSignal): Promise<void> {
		if (recent.has(run.path)) {
			return;
		}
		const { name, path, folder, environment, timeMs, outputBytes } = run;
		const asking = { name, path, folder, environment, timeMs, outputBytes, args: ['--version'] };
		const { output } = await runProgram(asking, signal);
		const [version = '', major, minor] = /\b(\d+)\.(\d+)(?:\.\d+)*/.exec(output.toString('latin1')) ?? [];
		if (Number(major) < 2 || (Number(major) === 2 && Number(minor) < 32)) {
			throw new GitFailure({ kind: 'tooOld', version });
		}
		recent.add(run.path);
	}

	async function prepared(command: GitCommand, how: GitRun, signal: AbortSignal): Promise<ProgramRun> {
		if (!parts.isTrusted()) {
			throw new GitFailure({ kind: 'notTrusted' });
		}
		const path = await findProgram('git', programPlaces(parts), await parts.gitPath(signal));
		if (path === undefined) {
			throw new GitFailure({ kind: 'programMissing', program: 'git' });
		}
		const { askPass, settings, ...run } = how;
		const { objectBytes, ...limits } = command.limits;
		const environment = {
			...programEnvironment(parts.environment, command.protocols()),
			// Stops git from finding a repository in a parent folder.
			GIT_CEILING_DIRECTORIES: dirname(how.folder),
			...(objectBytes === undefined ? {} : { GIT_ALLOC_LIMIT: String(objectBytes) }),
			...(askPass !== undefined && isAbsolute(askPass.program)
				? { ...askPass.environment, GIT_ASKPASS: askPass.program }
				: {}),
			...(settings === undefined ? {} : { GIT_CONFIG_GLOBAL: settings, GIT_CONFIG_SYSTEM: parts.devNull }),
		};
		const { input } = command;
		const args = command.arguments(parts.devNull);
		const prepared = { ...run, ...limits, name: 'git', path, args, environment, input } as const;
		await requireRecent(prepared, signal);
		return { ...prepared, questions: askPass?.questions };
	}
	return {
		/** Runs to the end. A nonzero exit code is a result; throws `GitFailure` if git did not run. */
		run: async (command: GitCommand, how: GitRun, signal: AbortSignal) =>
			runProgram(await prepared(command, how, signal), signal),
		/** Streams standard output. Ending the iteration ends git. */
		async *stream(command: GitCommand, how: GitRun, signal: AbortSignal): AsyncGenerator<Buffer, Ended, void> {
			return yield* streamProgram(await prepared(command, how, signal), signal);
		},
	};
}

export function programPlaces({ environment, isWindows, openFolders }: Machine): ProgramPlaces {
	return { path: environment['PATH'] ?? environment['Path'] ?? '', isWindows, refusedFolders: openFolders() };
}

/** Runs a command to its end, with its output as text. */
export async function runText(
	git: HardenedGit,
	folder: string,
	command: GitCommand,
	signal: AbortSignal,
): Promise<Ended & { readonly text: string }> {
	const { output, ...ended } = await git.run(command, { folder }, signal);
	return { ...ended, text: output.toString('utf8') };
}

/** Output of a command. Throws `GitFailure` if it fails. */
export async function outputOf(
	git: HardenedGit,
	folder: string,
	command: GitCommand,
	signal: AbortSignal,
): Promise<Buffer> {
	const { code, output, complaint } = await git.run(command, { folder }, signal);
	if (code !== 0) {
		throw new GitFailure({ kind: 'failed', program: 'git' }, complaint);
	}
	return output;
}

/** The same as text, without the last line end. */
export async function lineOf(
	git: HardenedGit,
	folder: string,
	command: GitCommand,
	signal: AbortSignal,
): Promise<string> {
	return (await outputOf(git, folder, command, signal)).toString('utf8').replace(/\r?\n$/, '');
}
