import type { Buffer } from 'node:buffer';
import { dirname, isAbsolute } from 'node:path';
import { GitFailure } from './gitFailure.ts';
import { argumentsOf, inputOf, protocolsOf, type GitOperation } from './gitOperation.ts';
import {
	type ProgramPlaces,
	findProgram,
	programEnvironment,
	runProgram,
	streamProgram,
	type Ended,
	type ProgramRun,
	type OpenQuestions,
	type RunLimits,
} from './runProgram.ts';

export type HardenedGit = ReturnType<typeof hardenedGit>;

/** `folder`: the top folder for commands in a clone. */
export interface GitRun extends RunLimits {
	/** Asks the user for passwords. Without it, requests for passwords fail. */
	readonly askPass?: AskPass | undefined;
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
	async function prepared(operation: GitOperation, how: GitRun, signal: AbortSignal): Promise<ProgramRun> {
		if (!parts.isTrusted()) {
			throw new GitFailure({ kind: 'notTrusted' });
		}
		const args = argumentsOf(operation, parts.devNull);
		const input = inputOf(operation);
		const path = await findProgram('git', programPlaces(parts), await parts.gitPath(signal));
		if (path === undefined) {
			throw new GitFailure({ kind: 'programMissing', program: 'git' });
		}
		const environment = {
			...programEnvironment(parts.environment, protocolsOf(operation)),
			// Stops git from finding a repository in a parent folder.
			GIT_CEILING_DIRECTORIES: dirname(how.folder),
			...askPassVariables(how.askPass),
		};
		const { askPass, ...run } = how;
		const asked = { questions: askPass?.questions };
		return { ...run, ...asked, name: 'git', path, args, environment, ...(input ? { input } : {}) };
	}
	return {
		/** Runs to the end. A nonzero exit code is a result; throws `GitFailure` if git did not run. */
		run: async (operation: GitOperation, how: GitRun, signal: AbortSignal) =>
			runProgram(await prepared(operation, how, signal), signal),
		/** Streams standard output. Ending the iteration ends git. */
		async *stream(operation: GitOperation, how: GitRun, signal: AbortSignal): AsyncGenerator<Buffer, Ended, void> {
			return yield* streamProgram(await prepared(operation, how, signal), signal);
		},
	};
}

function askPassVariables(askPass: AskPass | undefined): Readonly<Record<string, string>> {
	return askPass !== undefined && isAbsolute(askPass.program)
		? { ...askPass.environment, GIT_ASKPASS: askPass.program }
		: {};
}

export function programPlaces({ environment, isWindows, openFolders }: Machine): ProgramPlaces {
	return { path: environment['PATH'] ?? environment['Path'] ?? '', isWindows, refusedFolders: openFolders() };
}

/** Output of an operation. Throws `GitFailure` if it fails. */
export async function outputOf(
	git: HardenedGit,
	operation: GitOperation,
	how: GitRun,
	signal: AbortSignal,
): Promise<Buffer> {
	const { code, output, complaint } = await git.run(operation, how, signal);
	if (code !== 0) {
		throw new GitFailure({ kind: 'failed', program: 'git' }, complaint);
	}
	return output;
}

/** The same as text, without the last line end. */
export async function lineOf(
	git: HardenedGit,
	operation: GitOperation,
	how: GitRun,
	signal: AbortSignal,
): Promise<string> {
	return (await outputOf(git, operation, how, signal)).toString('utf8').replace(/\r?\n$/, '');
}
