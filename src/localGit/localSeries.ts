import type { Buffer } from 'node:buffer';
import { isObjectId } from '../git/objectId.ts';
import { GitFailure } from './gitFailure.ts';
import type { HardenedGit } from './hardenedGit.ts';
import type { FormatPatches, SeriesStep } from './seriesOperation.ts';

/*
 * Commits of a clone that are sent as patches. Whatever the clone's configuration says, nothing runs and nothing is
 * added (docs/security.md#mails-that-go-elsewhere).
 */

/** A commit of a clone. */
export interface LocalCommit {
	readonly id: string;
	readonly parents: readonly string[];
	/** The first paragraph of the message on one line. */
	readonly subject: string;
	/** The whole of it. */
	readonly message: string;
}

/** A commit as git writes it for a mail. */
export interface FormattedPatch {
	readonly commit: string;
	/** Headers and text; `undefined` where they are not UTF-8. */
	readonly envelope: string | undefined;
}

const limits = { timeMs: 60_000, outputBytes: 64_000_000 } as const;

/** Commits that `tip` has and `since` has not, oldest first; of more than `count` the newest. Throws `GitFailure`. */
export async function localCommits(
	git: HardenedGit,
	root: string,
	{ since, tip, count }: Omit<Extract<SeriesStep, { kind: 'log' }>, 'kind'>,
	signal: AbortSignal,
): Promise<readonly LocalCommit[]> {
	const output = await wellDone(git, root, { kind: 'log', since, tip, count }, signal);
	const records = output
		.toString('utf8')
		.split('\0')
		.filter((record) => record !== '');
	return records.map(commitIn).toReversed();
}

function commitIn(record: string): LocalCommit {
	const [id = '', parents = '', ...lines] = record.split('\n');
	const message = lines.join('\n').trim();
	const [first = ''] = message.split(/\n\s*\n/);
	return {
		id,
		parents: parents.split(' ').filter((parent) => parent !== ''),
		subject: first.replaceAll(/\s+/g, ' ').trim(),
		message,
	};
}

/**
 * The commit that a revision leads to: a branch or tag, short or whole such as `refs/remotes/origin/main`, an id, and steps
 * back from them; `undefined` where there is none. Throws `GitFailure`.
 */
export async function revisionCommit(
	git: HardenedGit,
	root: string,
	revision: string,
	signal: AbortSignal,
): Promise<string | undefined> {
	return idOf(await done(git, root, { kind: 'resolve', revision }, signal));
}

/** The newest commit that both have; `undefined` where there is none. Throws `GitFailure`. */
export async function mergeBase(
	git: HardenedGit,
	root: string,
	commits: readonly [string, string],
	signal: AbortSignal,
): Promise<string | undefined> {
	return idOf(await done(git, root, { kind: 'mergeBase', commits }, signal));
}

/** `format.subjectPrefix` as it holds in the clone; a person sees it before anything is made of it. Throws `GitFailure`. */
export async function subjectPrefix(git: HardenedGit, root: string, signal: AbortSignal): Promise<string | undefined> {
	const output = await done(git, root, { kind: 'subjectPrefix' }, signal);
	const prefix = output?.toString('utf8').trim() ?? '';
	return prefix === '' ? undefined : prefix;
}

/** The patches of commits in their order; merges and commits that change nothing are left out, as git does. Throws `GitFailure`. */
export async function formattedPatches(
	git: HardenedGit,
	root: string,
	{ commits, ...patches }: FormatPatches & { readonly commits: readonly Pick<LocalCommit, 'id'>[] },
	signal: AbortSignal,
): Promise<readonly FormattedPatch[]> {
	const output = await wellDone(git, root, { kind: 'format', ...patches }, signal);
	// Only the id of the very commit begins a mail, which no message can hold: it would have to name itself.
	const starts = commits
		.flatMap(({ id }) => {
			const line = `From ${id} Mon Sep 17 00:00:00 2001\n`;
			const at = output.indexOf(output.indexOf(line) === 0 ? line : `\n${line}`);
			return at === -1 ? [] : [{ commit: id, at, from: output.indexOf('\n', at + 1) + 1 }];
		})
		.toSorted((one, other) => one.at - other.at);
	return starts.map(({ commit, from }, index) => ({
		commit,
		envelope: text(output.subarray(from, starts[index + 1]?.at ?? output.length)),
	}));
}

function text(bytes: Uint8Array): string | undefined {
	try {
		return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
	} catch {
		return undefined;
	}
}

function idOf(output: Buffer | undefined): string | undefined {
	const [id = ''] = output?.toString('latin1').split('\n') ?? [];
	return isObjectId(id) ? id : undefined;
}

async function wellDone(git: HardenedGit, root: string, step: SeriesStep, signal: AbortSignal): Promise<Buffer> {
	const { code, output, complaint } = await git.run({ kind: 'series', step }, { folder: root, ...limits }, signal);
	if (code !== 0) {
		throw new GitFailure({ kind: 'failed', program: 'git' }, complaint);
	}
	return output;
}

/** The output; `undefined` where git answers that there is nothing. */
async function done(
	git: HardenedGit,
	root: string,
	step: SeriesStep,
	signal: AbortSignal,
): Promise<Buffer | undefined> {
	const { code, output } = await git.run({ kind: 'series', step }, { folder: root, ...limits }, signal);
	return code === 0 ? output : undefined;
}
