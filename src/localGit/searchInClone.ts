import { GitFailure } from './gitFailure.ts';
import type { GrepOperation } from './gitOperation.ts';
import { grepReader, type GrepMatch } from './grepOutput.ts';
import type { HardenedGit } from './hardenedGit.ts';

/** What is searched for. */
export interface CloneQuery {
	/** Full id of the commit whose files are searched. */
	readonly commit: string;
	readonly query: string;
	readonly isRegex: boolean;
	readonly matchCase: boolean;
}

/** How far a search goes; then it ends. */
export const cloneSearchLimits = { matches: 10_000, outputBytes: 64_000_000, timeMs: 60_000 } as const;

/**
 * The lines that match in all text files of a commit, as git finds them in a clone; files, links and submodules that it
 * only names are not followed. Ends after so many matches. Throws `GitFailure`: `commitMissing` when the clone does not have
 * the commit, `badPattern` for what is no regular expression, `tooMuch` after so many bytes.
 */
export async function* searchInClone(
	git: HardenedGit,
	root: string,
	{ commit, query, isRegex, matchCase }: CloneQuery,
	signal: AbortSignal,
): AsyncGenerator<GrepMatch, void, void> {
	const has = await git.run({ kind: 'hasCommit', commit }, { folder: root, timeMs: 10_000, outputBytes: 1000 }, signal);
	if (has.code !== 0) {
		throw new GitFailure({ kind: 'commitMissing' }, has.complaint);
	}
	const operation = (syntax: GrepOperation['syntax']): GrepOperation => ({ commit, pattern: query, syntax, matchCase });
	try {
		yield* grep(git, root, operation(isRegex ? 'perl' : 'fixed'), signal);
	} catch (error) {
		if (!(error instanceof GitFailure) || !/USE_LIBPCRE/.test(error.message)) {
			throw error;
		}
		// A git that was built without them still has plainer expressions.
		yield* grep(git, root, operation('extended'), signal);
	}
}

async function* grep(
	git: HardenedGit,
	root: string,
	operation: GrepOperation,
	signal: AbortSignal,
): AsyncGenerator<GrepMatch, void, void> {
	const { matches, ...limits } = cloneSearchLimits;
	const read = grepReader(`${operation.commit}:`);
	const running = git.stream({ kind: 'grep', ...operation }, { folder: root, ...limits }, signal);
	let left = matches;
	try {
		for (;;) {
			const { done, value } = await running.next();
			if (done === true) {
				throwUnlessAnswer(value.code, value.complaint);
				return;
			}
			for (const match of read(value)) {
				yield match;
				left -= 1;
				if (left === 0) {
					return;
				}
			}
		}
	} finally {
		await running.return({ code: undefined, complaint: '' });
	}
}

/** 0: something was found, 1: nothing. */
function throwUnlessAnswer(code: number | undefined, complaint: string): void {
	if (code === 0 || code === 1) {
		return;
	}
	const reason = /^fatal: (?:-e option, '.*': |command line, '.*': )(.+)$/s.exec(complaint.trim())?.[1];
	throw new GitFailure(
		reason === undefined ? { kind: 'failed', program: 'git' } : { kind: 'badPattern', reason: reason.trim() },
		complaint,
	);
}
