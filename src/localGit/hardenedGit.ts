import type { Buffer } from 'node:buffer';
import { dirname, isAbsolute } from 'node:path';
import { GitFailure } from './gitFailure.ts';
import { argumentsOf, inputOf, protocolsOf, type GitOperation } from './gitOperation.ts';
import type { ProgramPlaces } from './findProgram.ts';
import { findProgram } from './findProgram.ts';
import { programEnvironment } from './programEnvironment.ts';
import { runProgram, streamProgram, type Ended, type ProgramRun } from './runProgram.ts';
import type { OpenQuestions } from './timeLimit.ts';

/** Git on the user's machine, for the few operations that there are. */
export interface HardenedGit {
	/** Runs to the end. An exit code other than 0 is an answer; what did not run at all throws `GitFailure`. */
	run(operation: GitOperation, how: GitRun, signal: AbortSignal): Promise<Ended & { readonly output: Buffer }>;
	/** Standard output as it comes. Who stops reading ends git. */
	stream(operation: GitOperation, how: GitRun, signal: AbortSignal): AsyncGenerator<Buffer, Ended, void>;
}

/** Where and how long an operation runs. */
export interface GitRun {
	/** Working directory: the top folder of a clone for what is asked of it. */
	readonly folder: string;
	readonly timeMs: number;
	readonly outputBytes: number;
	readonly onComplaint?: (text: string) => void;
	/** Git starts, and waits with what it is asked until this has come to pass; where it fails it is asked nothing. */
	readonly inputAfter?: Promise<unknown>;
	/** Called once git runs: what fails before has done nothing. */
	readonly onStart?: () => void;
	/** What asks the user for a password. Without it nothing is asked, and what would be fails. */
	readonly askPass?: AskPass | undefined;
}

/** A program that git starts with a question as its argument, and whose output is the reply. */
export interface AskPass {
	/** Absolute. */
	readonly program: string;
	/** Variables of its own. */
	readonly environment: Readonly<Record<string, string>>;
	/** Time that passes while one is open does not count for git. */
	readonly questions?: OpenQuestions;
}

/** What running programs needs of its surroundings. */
export interface MachineParts {
	/** Nothing is run while this is false. */
	readonly isTrusted: () => boolean;
	/** The path of git that the editor uses, if it tells one. */
	readonly gitPath: (signal: AbortSignal) => Promise<string | undefined>;
	/** Folders that are open, on the disk. */
	readonly openFolders: () => readonly string[];
	readonly environment: Readonly<Record<string, string | undefined>>;
	readonly isWindows: boolean;
	/** The file that swallows everything. */
	readonly devNull: string;
}

/**
 * Git that runs nothing which a repository's configuration names: no hooks, monitors, pagers, helpers, filters of diffs or
 * other transports; that asks nothing, writes no index, and never fetches what it lacks.
 */
export function hardenedGit(parts: MachineParts): HardenedGit {
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
			// A folder that is no repository belongs to none above it either.
			GIT_CEILING_DIRECTORIES: dirname(how.folder),
			...askPassVariables(how.askPass),
		};
		const { askPass, ...run } = how;
		const asked = { questions: askPass?.questions };
		return { ...run, ...asked, name: 'git', path, args, environment, ...(input ? { input } : {}) };
	}
	return {
		run: async (operation, how, signal) => runProgram(await prepared(operation, how, signal), signal),
		async *stream(operation, how, signal) {
			return yield* streamProgram(await prepared(operation, how, signal), signal);
		},
	};
}

function askPassVariables(askPass: AskPass | undefined): Readonly<Record<string, string>> {
	return askPass !== undefined && isAbsolute(askPass.program)
		? { ...askPass.environment, GIT_ASKPASS: askPass.program }
		: {};
}

/** Where programs are looked for now. */
export function programPlaces({ environment, isWindows, openFolders }: MachineParts): ProgramPlaces {
	return { path: environment['PATH'] ?? environment['Path'] ?? '', isWindows, refusedFolders: openFolders() };
}
