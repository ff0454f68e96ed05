import { isObjectId } from 'patchmail/git/objectId.ts';
import { gitCommands, type FormatPatches } from './gitCommands.ts';
import { outputOf, runText, type HardenedGit } from './hardenedGit.ts';

/**
 * Reads commits of a clone to send as patches. The clone's configuration runs and adds nothing
 * (docs/security.md#mails-that-go-elsewhere).
 */

export interface LocalCommit {
	readonly id: string;
	readonly parents: readonly string[];
	/** First paragraph of the message, on one line. */
	readonly subject: string;
	/** Complete message. */
	readonly message: string;
}

/** A commit formatted as a mail. */
export interface FormattedPatch {
	readonly commit: string;
	/** Headers and text; `undefined` if not UTF-8. */
	readonly envelope: string | undefined;
}

/** Commits of `tip` that are not in `since`, oldest first. Limited to the newest `count`. Throws `GitFailure`. */
export async function localCommits(
	git: HardenedGit,
	root: string,
	{ since, tip, count }: { readonly since: string | undefined; readonly tip: string; readonly count: number },
	signal: AbortSignal,
): Promise<readonly LocalCommit[]> {
	const output = await outputOf(git, root, gitCommands.log(since, tip, count), signal);
	const records = output
		.toString('utf8')
		.split('\0')
		.filter((record) => record !== '');
	const commits = records.map((record): LocalCommit => {
		const [id = '', parents = '', ...lines] = record.split('\n');
		const message = lines.join('\n').trim();
		const [first = ''] = message.split(/\n\s*\n/);
		return {
			id,
			parents: parents.split(' ').filter((parent) => parent !== ''),
			subject: first.replaceAll(/\s+/g, ' ').trim(),
			message,
		};
	});
	return commits.toReversed();
}

/**
 * Resolves a branch, a tag, an id, or one with suffixes such as `~2`. `undefined` if it does not exist. Throws
 * `GitFailure`.
 */
export async function revisionCommit(
	git: HardenedGit,
	root: string,
	revision: string,
	signal: AbortSignal,
): Promise<string | undefined> {
	return idOf(await runText(git, root, gitCommands.resolve(revision), signal));
}

/** `undefined` without a common commit. Throws `GitFailure`. */
export async function mergeBase(
	git: HardenedGit,
	root: string,
	commits: readonly [string, string],
	signal: AbortSignal,
): Promise<string | undefined> {
	return idOf(await runText(git, root, gitCommands.mergeBase(commits), signal));
}

/** `format.subjectPrefix` of the clone. The user sees it before use. Throws `GitFailure`. */
export async function subjectPrefix(git: HardenedGit, root: string, signal: AbortSignal): Promise<string | undefined> {
	const { code, text } = await runText(git, root, gitCommands.subjectPrefix(), signal);
	const prefix = text.trim();
	return code !== 0 || prefix === '' ? undefined : prefix;
}

/** Patches of commits, in order, without merges and empty commits. Throws `GitFailure`. */
export async function formattedPatches(
	git: HardenedGit,
	root: string,
	{ commits, ...patches }: FormatPatches & { readonly commits: readonly Pick<LocalCommit, 'id'>[] },
	signal: AbortSignal,
): Promise<readonly FormattedPatch[]> {
	const output = await outputOf(git, root, gitCommands.format(patches), signal);
	// Only the mail of a commit starts with its id: no message can contain its own commit id.
	const starts = commits
		.flatMap(({ id }) => {
			const line = `From ${id} Mon Sep 17 00:00:00 2001\n`;
			const at = output.indexOf(output.indexOf(line) === 0 ? line : `\n${line}`);
			return at === -1 ? [] : [{ commit: id, at, from: output.indexOf('\n', at + 1) + 1 }];
		})
		.toSorted((one, other) => one.at - other.at);
	return starts.flatMap(({ commit, from }, index) => {
		const mail = output.subarray(from, starts[index + 1]?.at ?? output.length);
		// Git 2.55 formats empty commits, too.
		return mail.includes('\ndiff --git ') ? [{ commit, envelope: utf8(mail) }] : [];
	});
}

function utf8(bytes: Uint8Array): string | undefined {
	try {
		return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
	} catch {
		return undefined;
	}
}

/** `undefined` if git fails: no result. */
function idOf({ code, text }: { readonly code: number | undefined; readonly text: string }): string | undefined {
	const [id = ''] = text.split('\n');
	return code === 0 && isObjectId(id) ? id : undefined;
}
