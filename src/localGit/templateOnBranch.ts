import { createHash, randomBytes } from 'node:crypto';
import { lstat, mkdir, open, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { GitFailure } from './gitFailure.ts';
import type { GitOperation } from './gitOperation.ts';
import type { HardenedGit } from './hardenedGit.ts';

/*
 * Git's own template of commit messages, for one branch of a clone. The setting `commit.template` holds for all branches
 * and may be the person's own, so it is never written: the clone's configuration includes a file of ours on that one
 * branch, which names our template. Git decides that whenever it runs, with or without this program, and on every other
 * branch all is as it was.
 */

/** A branch of a clone. `root`: the top folder of its working tree. */
export interface BranchOfClone {
	readonly root: string;
	readonly branch: string;
}

/** Folder of ours in git's own folder of the clone. */
const folderName = 'forge-desk';

/** A template of ours, wherever its clone stood when it was written. */
const ours = /(?:^|[/\\])forge-desk[/\\][0-9a-f]{16}\.txt$/;

/** A template of the person's own that is longer is left out of ours. */
const longestOwn = 64_000;

const how = { timeMs: 10_000, outputBytes: 64_000 } as const;

/**
 * Gives the messages of commits on a branch a template of their own. `fill` is handed the template that would be used
 * without it, and answers the whole one. Throws `GitFailure`, or what the disk says.
 */
export async function putTemplateOnBranch(
	git: HardenedGit,
	{ root, branch }: BranchOfClone,
	fill: (own: string) => string,
	signal: AbortSignal,
): Promise<void> {
	const answer = await answerOf(git, root, { kind: 'gitFolder' }, signal);
	const { name, included } = placesOf(branch);
	const folder = resolve(root, answer, folderName);
	const own = await ownTemplate(git, root, signal);
	await mkdir(folder, { recursive: true });
	if (!(await lstat(folder)).isDirectory()) {
		throw new GitFailure({ kind: 'refused', what: 'folder' });
	}
	await write(join(folder, `${name}.txt`), `${fill(own)}\n`);
	for (const [file, text] of configurations(name, await realpath(folder), answer === '.git')) {
		await write(join(folder, file), text);
	}
	await answerOf(git, root, { kind: 'includeOnBranch', branch, path: included }, signal);
	await clearUp(git, { root, branch }, signal);
}

/**
 * Files of git's configuration; the one to include is the last. Git ends a commit whose template it cannot read, so a path
 * is named only where it leads: the full one while git's own folder stands where it stands now, for its worktrees too,
 * and after the folder was moved the one below the working tree. A worktree of a clone that was moved has no template.
 */
function configurations(name: string, folder: string, isInTree: boolean): readonly (readonly [string, string])[] {
	const gitFolder = slashed(dirname(folder)).replaceAll(/[\\*?[]/g, '\\$&');
	const include = (condition: string, file: string): string =>
		`[includeIf ${quoted(`gitdir:${condition}`)}]\n\tpath = ${file}\n`;
	const setting = (path: string): string => `[commit]\n\ttemplate = ${quoted(path)}\n`;
	const [below, full] = [`${name}.below`, `${name}.full`];
	return [
		[below, setting(`.git/${folderName}/${name}.txt`)],
		[full, setting(slashed(join(folder, `${name}.txt`)))],
		[
			`${name}.gitconfig`,
			// Git takes the value that it reads last.
			[
				...(isInTree ? [include('.git', below)] : []),
				include(gitFolder, full),
				include(`${gitFolder}/worktrees/*`, full),
			].join(''),
		],
	];
}

/** Takes away what is left of branches that are gone. `branch` stays, though it may have no commit yet. */
async function clearUp(git: HardenedGit, { root, branch }: BranchOfClone, signal: AbortSignal): Promise<void> {
	const long = { folder: root, ...how, outputBytes: 4_000_000 };
	const there = await git.run({ kind: 'branches' }, long, signal);
	const included = await git.run({ kind: 'includesOnBranches' }, long, signal);
	if (there.code !== 0 || included.code !== 0) {
		return;
	}
	const branches = new Set(there.output.toString('utf8').split('\n'));
	for (const entry of included.output.toString('utf8').split('\0')) {
		const [, other = '', path] = /^includeif\.onbranch:(.+)\.path\n(.*)$/su.exec(entry) ?? [];
		// Only what is ours, and only whole names: people may include by patterns.
		if (path === placesOf(other).included && other !== branch && !branches.has(`refs/heads/${other}`)) {
			await dropTemplateOnBranch(git, { root, branch: other }, signal).catch(leftForNextTime);
		}
	}
}

function leftForNextTime(error: unknown): void {
	if (!(error instanceof GitFailure)) {
		throw error;
	}
}

/** Takes it away again. Nothing happens where there is none. */
export async function dropTemplateOnBranch(
	git: HardenedGit,
	{ root, branch }: BranchOfClone,
	signal: AbortSignal,
): Promise<void> {
	const folder = resolve(root, await answerOf(git, root, { kind: 'gitFolder' }, signal), folderName);
	const { name, included } = placesOf(branch);
	const { code, complaint } = await git.run(
		{ kind: 'excludeOnBranch', branch, path: included },
		{ folder: root, ...how },
		signal,
	);
	// 5: there was none.
	if (code !== 0 && code !== 5) {
		throw new GitFailure({ kind: 'failed', program: 'git' }, complaint);
	}
	for (const suffix of ['gitconfig', 'full', 'below', 'txt']) {
		await rm(join(folder, `${name}.${suffix}`), { force: true });
	}
}

/** Names of branches are no names of files everywhere. */
function placesOf(branch: string): { readonly name: string; readonly included: string } {
	const name = createHash('sha256').update(branch).digest('hex').slice(0, 16);
	return { name, included: `${folderName}/${name}.gitconfig` };
}

/** What git answers in one line. */
async function answerOf(git: HardenedGit, root: string, operation: GitOperation, signal: AbortSignal): Promise<string> {
	const { code, output, complaint } = await git.run(operation, { folder: root, ...how }, signal);
	if (code !== 0) {
		throw new GitFailure({ kind: 'failed', program: 'git' }, complaint);
	}
	return output.toString('utf8').replace(/\r?\n$/, '');
}

/** The text of the template that the person set, for this clone or for all; empty where there is none that can be read. */
async function ownTemplate(git: HardenedGit, root: string, signal: AbortSignal): Promise<string> {
	const { code, output } = await git.run({ kind: 'templates' }, { folder: root, ...how }, signal);
	const paths = code === 0 ? output.toString('utf8').split('\0') : [];
	const path = paths.findLast((each) => each !== '' && !ours.test(each));
	return path === undefined ? '' : textOf(resolve(root, path));
}

/** A regular file of some size, and nothing that could keep its reader waiting. */
async function textOf(path: string): Promise<string> {
	try {
		if (!(await stat(path)).isFile()) {
			return '';
		}
		const file = await open(path);
		try {
			const { size } = await file.stat();
			return size > longestOwn ? '' : await file.readFile('utf8');
		} finally {
			await file.close();
		}
	} catch {
		return '';
	}
}

/** Beside its place first, so that a link that somebody put there is replaced and not followed. */
async function write(path: string, text: string): Promise<void> {
	const beside = `${path}.${randomBytes(6).toString('hex')}`;
	try {
		await writeFile(beside, text, { flag: 'wx' });
		await rename(beside, path);
	} catch (error) {
		await rm(beside, { force: true });
		throw error;
	}
}

/** A path as git writes it. */
function slashed(path: string): string {
	return process.platform === 'win32' ? path.replaceAll('\\', '/') : path;
}

/** A value, or the name of a section, as git's configuration spells it. */
function quoted(plain: string): string {
	if (/\p{Cc}/u.test(plain)) {
		throw new GitFailure({ kind: 'refused', what: 'folder' });
	}
	return `"${plain.replaceAll(/["\\]/g, '\\$&')}"`;
}
