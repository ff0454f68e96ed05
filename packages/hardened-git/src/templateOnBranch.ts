import { createHash, randomBytes } from 'node:crypto';
import { lstat, mkdir, open, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { GitFailure } from './gitFailure.ts';
import { gitCommands } from './gitCommands.ts';
import { lineOf, runText, type HardenedGit } from './hardenedGit.ts';

/**
 * Commit message template for one branch of a clone. Never writes `commit.template`, because it applies to all branches
 * and may be the user's. Instead, the clone's configuration includes our file for that branch. Git evaluates the
 * include on each run, even without this program; other branches stay unaffected.
 */

/** `root`: top folder of the working tree. */
export interface BranchOfClone {
	readonly root: string;
	readonly branch: string;
}

/** Our folder in the clone's git folder. */
const folderName = 'forge-desk';

/** One of our templates, even if the clone has moved since. */
const ours = /(?:^|[/\\])forge-desk[/\\][0-9a-f]{16}\.txt$/;

/** Longer templates of the user are not copied into ours. */
const longestOwn = 64_000;

/**
 * Sets the commit template of a branch. `fill` gets the template otherwise in effect and returns the complete one.
 * Throws `GitFailure` or file system errors.
 */
export async function putTemplateOnBranch(
	git: HardenedGit,
	{ root, branch }: BranchOfClone,
	fill: (own: string) => string,
	signal: AbortSignal,
): Promise<void> {
	const answer = await lineOf(git, root, gitCommands.gitFolder(), signal);
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
	await lineOf(git, root, gitCommands.includeOnBranch(branch, included), signal);
	await clearUp(git, { root, branch }, signal);
}

/**
 * Configuration files; the last one is included. Git aborts commits with an unreadable template, so each path is
 * conditional. The full path applies while the git folder is unmoved, also in worktrees. After a move, the path below
 * the working tree applies. Worktrees of a moved clone get no template.
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
			// In git, the last value wins.
			[
				...(isInTree ? [include('.git', below)] : []),
				include(gitFolder, full),
				include(`${gitFolder}/worktrees/*`, full),
			].join(''),
		],
	];
}

/** Removes templates of deleted branches. Keeps `branch`, which may have no commit yet. */
async function clearUp(git: HardenedGit, { root, branch }: BranchOfClone, signal: AbortSignal): Promise<void> {
	const there = await runText(git, root, gitCommands.branches(), signal);
	const included = await runText(git, root, gitCommands.includesOnBranches(), signal);
	if (there.code !== 0 || included.code !== 0) {
		return;
	}
	const branches = new Set(there.text.split('\n'));
	for (const entry of included.text.split('\0')) {
		const [, other = '', path] = /^includeif\.onbranch:(.+)\.path\n(.*)$/su.exec(entry) ?? [];
		// Only our own entries with full branch names: users may include by patterns.
		if (path === placesOf(other).included && other !== branch && !branches.has(`refs/heads/${other}`)) {
			await dropTemplateOnBranch(git, { root, branch: other }, signal).catch((error: unknown) => {
				// It stays until the next time.
				if (!(error instanceof GitFailure)) {
					throw error;
				}
			});
		}
	}
}

/** Removes the template of a branch. Does nothing without one. */
export async function dropTemplateOnBranch(
	git: HardenedGit,
	{ root, branch }: BranchOfClone,
	signal: AbortSignal,
): Promise<void> {
	const folder = resolve(root, await lineOf(git, root, gitCommands.gitFolder(), signal), folderName);
	const { name, included } = placesOf(branch);
	const { code, complaint } = await runText(git, root, gitCommands.excludeOnBranch(branch, included), signal);
	// Exit code 5: no such setting.
	if (code !== 0 && code !== 5) {
		throw new GitFailure({ kind: 'failed', program: 'git' }, complaint);
	}
	for (const suffix of ['gitconfig', 'full', 'below', 'txt']) {
		await rm(join(folder, `${name}.${suffix}`), { force: true });
	}
}

/** Hashed, because not every branch name is a valid file name. */
function placesOf(branch: string): { readonly name: string; readonly included: string } {
	const name = createHash('sha256').update(branch).digest('hex').slice(0, 16);
	return { name, included: `${folderName}/${name}.gitconfig` };
}

/** The user's own template, from the clone or global configuration; empty if missing or unreadable. */
async function ownTemplate(git: HardenedGit, root: string, signal: AbortSignal): Promise<string> {
	const { code, text } = await runText(git, root, gitCommands.templates(), signal);
	const paths = code === 0 ? text.split('\0') : [];
	const path = paths.findLast((each) => each !== '' && !ours.test(each));
	return path === undefined ? '' : textOf(resolve(root, path));
}

/** Only regular files of limited size: others could block the reader. */
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

/** Atomic: a rename replaces a planted link instead of following it. */
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

/** Git's spelling of a path. */
function slashed(path: string): string {
	return process.platform === 'win32' ? path.replaceAll('\\', '/') : path;
}

/** Quotes a value or section name for git's configuration. */
function quoted(plain: string): string {
	if (/\p{Cc}/u.test(plain)) {
		throw new GitFailure({ kind: 'refused', what: 'folder' });
	}
	return `"${plain.replaceAll(/["\\]/g, '\\$&')}"`;
}
