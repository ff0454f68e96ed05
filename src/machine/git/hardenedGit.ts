import type { Buffer } from 'node:buffer';
import { dirname, isAbsolute } from 'node:path';
import { GitFailure } from './gitFailure.ts';
import { argumentsOf, inputOf, protocolsOf, type GitOperation } from './gitOperation.ts';
import type { ProgramPlaces } from './findProgram.ts';
import { findProgram } from './findProgram.ts';
import { programEnvironment } from './programEnvironment.ts';
import { runProgram, streamProgram, type Ended, type ProgramRun } from './runProgram.ts';
import type { OpenQuestions } from './timeLimit.ts';

export interface HardenedGit {
	/** Runs to the end. A nonzero exit code is a result; throws `GitFailure` if git did not run. */
	run(operation: GitOperation, how: GitRun, signal: AbortSignal): Promise<Ended & { readonly output: Buffer }>;
	/** Streams standard output. Ending the iteration ends git. */
	stream(operation: GitOperation, how: GitRun, signal: AbortSignal): AsyncGenerator<Buffer, Ended, void>;
}

export interface GitRun {
	/** Working directory: the top folder for commands in a clone. */
	readonly folder: string;
	readonly timeMs: number;
	readonly outputBytes: number;
	readonly onComplaint?: (text: string) => void;
	/** Git starts at once but gets its input only after this promise; no input if it rejects. */
	readonly inputAfter?: Promise<unknown>;
	/** Called when git has started: an earlier failure had no effect. */
	readonly onStart?: () => void;
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

export interface MachineParts {
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

/**
 * Git without programs from a repository's configuration: no hooks, monitors, pagers, helpers, diff filters or custom
 * transports. Asks no questions, writes no index, and never fetches missing objects.
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
			// Stops git from finding a repository in a parent folder.
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

export function programPlaces({ environment, isWindows, openFolders }: MachineParts): ProgramPlaces {
	return { path: environment['PATH'] ?? environment['Path'] ?? '', isWindows, refusedFolders: openFolders() };
}
