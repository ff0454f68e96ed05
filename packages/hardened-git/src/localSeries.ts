import { Buffer } from 'node:buffer';
import { isObjectId } from 'patchmail/git/objectId.ts';
import { gitCommands, type FormatPatches } from './gitCommands.ts';
import { GitFailure } from './gitFailure.ts';
import { outputOf, runText, type HardenedGit } from './hardenedGit.ts';

/**
 * Reads commits of a clone to send as patches. The clone's configuration runs and adds nothing
 * (docs/security.md#mails-that-go-elsewhere).
 */

export interface LocalCommit {
	readonly id: string;
	readonly parents: readonly string[];
	/** Name and address of its author. */
	readonly author: { readonly name: string; readonly address: string };
	/** First paragraph of the message, on one line. */
	readonly subject: string;
	/** Complete message. */
	readonly message: string;
}

/** A commit formatted as a mail. */
export interface FormattedPatch {
	readonly commit: string;
	/** Headers and text, one character per byte. */
	readonly bytes: string;
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
		const [id = '', parents = '', name = '', address = '', ...lines] = record.split('\n');
		const message = lines.join('\n').trim();
		const [first = ''] = message.split(/\n\s*\n/);
		return {
			id,
			parents: parents.split(' ').filter((parent) => parent !== ''),
			author: { name, address },
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

/** Changed files from one commit to another, like `git diff --stat`. Throws `GitFailure`. */
export async function diffStat(
	git: HardenedGit,
	root: string,
	{ base, tip }: { readonly base: string; readonly tip: string },
	signal: AbortSignal,
): Promise<string> {
	return (await outputOf(git, root, gitCommands.stat(base, tip), signal)).toString('utf8').trimEnd();
}

/** `format.subjectPrefix` of the clone. The user sees it before use. Throws `GitFailure`. */
export async function subjectPrefix(git: HardenedGit, root: string, signal: AbortSignal): Promise<string | undefined> {
	const { code, text } = await runText(git, root, gitCommands.subjectPrefix(), signal);
	const prefix = text.trim();
	return code !== 0 || prefix === '' ? undefined : prefix;
}

/** The base that a series can name, for readers and programs. */
export interface StatedBase {
	/** The newest commit at or below the base that a remote branch has; the base itself if there is not exactly one. */
	readonly commit: string;
	/** Number of commits up to the base that only this clone has. */
	readonly unpublished: number;
}

/** Throws `GitFailure`. */
export async function statedBase(
	git: HardenedGit,
	root: string,
	base: string,
	signal: AbortSignal,
): Promise<StatedBase> {
	const lines = (await outputOf(git, root, gitCommands.unpublished(base), signal)).toString('latin1').split('\n');
	const known = lines.filter((line) => line.startsWith('-'));
	const unpublished = lines.filter((line) => isObjectId(line)).length;
	const [only, ...more] = known.map((line) => line.slice(1));
	return { commit: unpublished === 0 || only === undefined || more.length > 0 ? base : only, unpublished };
}

/**
 * Patches of commits, in order, without merges and empty commits. Git names the base where it can: it names none for a
 * series whose branch merged that commit later. Throws `GitFailure`.
 */
export async function formattedPatches(
	git: HardenedGit,
	root: string,
	{
		commits,
		stated,
		isNumbered,
		...patches
	}: FormatPatches & {
		readonly commits: readonly { readonly id: string; readonly author: LocalCommit['author'] }[];
		readonly stated: string | undefined;
		readonly isNumbered: boolean;
	},
	signal: AbortSignal,
): Promise<readonly FormattedPatch[]> {
	const format = (base: string | undefined): Promise<Buffer> =>
		outputOf(git, root, gitCommands.format(patches, base), signal);
	const output = await format(stated).catch((error: unknown) => {
		if (stated !== undefined && error instanceof GitFailure && error.problem.kind === 'failed') {
			return format(undefined);
		}
		throw error;
	});
	// Only the mail of a commit starts with its id: no message can contain its own commit id.
	const starts = commits
		.flatMap(({ id, author }) => {
			const line = `From ${id} Mon Sep 17 00:00:00 2001\n`;
			const at = output.indexOf(output.indexOf(line) === 0 ? line : `\n${line}`);
			return at === -1 ? [] : [{ commit: id, author, at, from: output.indexOf('\n', at + 1) + 1 }];
		})
		.toSorted((one, other) => one.at - other.at);
	const mails = starts.flatMap(({ commit, author, from }, index) => {
		const mail = output.subarray(from, starts[index + 1]?.at ?? output.length);
		// Git 2.55 formats empty commits, too.
		return mail.includes('\ndiff --git ') ? [{ commit, author, text: mail.toString('latin1') }] : [];
	});
	// Git also counts the commits that it leaves out.
	const digits = String(mails.length).length;
	return mails.map(({ commit, author, text }, at) => {
		const number = isNumbered ? ` ${String(at + 1).padStart(digits, '0')}/${mails.length}` : '';
		const numbered = text.replace(`\nSubject: [${patches.tag}]`, () => `\nSubject: [${patches.tag}${number}]`);
		return { commit, bytes: withQuotedAuthor(numbered, author) };
	});
}

/** Git writes the author in front of the message without quotes, and reads quotes and comments there. */
function withQuotedAuthor(mail: string, { name, address }: LocalCommit['author']): string {
	const line = `\n\nFrom: ${Buffer.from(`${name} <${address}>`).toString('latin1')}\n\n`;
	const at = mail.indexOf('\n\n');
	if (!/["(),.:;<>@[\\\]]/.test(name) || !mail.startsWith(line, at)) {
		return mail;
	}
	const quoted = Buffer.from(`"${name.replaceAll(/["\\]/g, String.raw`\$&`)}" <${address}>`).toString('latin1');
	return `${mail.slice(0, at)}\n\nFrom: ${quoted}\n\n${mail.slice(at + line.length)}`;
}

/** `undefined` if git fails: no result. */
function idOf({ code, text }: { readonly code: number | undefined; readonly text: string }): string | undefined {
	const [id = ''] = text.split('\n');
	return code === 0 && isObjectId(id) ? id : undefined;
}
