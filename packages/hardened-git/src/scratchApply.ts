import { Buffer } from 'node:buffer';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { applyCommands, type ApplyManner, type CommittedFile } from './applyCommands.ts';
import { applyState, headCommit, madeCommits, namedPrograms, type MadeCommit } from './applyState.ts';
import { idArgument } from './gitNames.ts';
import { contentsInClone } from './readClone.ts';
import { borrow, sharedFolder, inPrivateFolder, putFile } from './ownFolder.ts';
import { GitFailure } from './gitFailure.ts';
import { lineOf, runText, type GitPlace } from './hardenedGit.ts';

/** A file of a base without a clone. `mode`: six octal digits. */
export interface ScratchFile {
	readonly content: Uint8Array;
	readonly mode: string;
}

/** A commit of a clone. */
export interface CommitBase {
	readonly root: string;
	readonly commit: string;
	/** A stopped patch, which the user resolved on this commit. */
	readonly resolved?: ResolvedPatch;
}

export interface ResolvedPatch {
	/** Its mail. */
	readonly mailbox: Uint8Array;
	/** Changes of the index, to be committed for the patch. */
	readonly staged: readonly CommittedFile[];
	/** Paths that had conflicts. */
	readonly conflicts: readonly string[];
}

/** A commit of a clone, or files by path. */
export type ScratchBase =
	| (CommitBase & { readonly kind: 'commit' })
	| { readonly kind: 'files'; readonly files: ReadonlyMap<string, ScratchFile> };

/** Input of `git am`. */
export interface ScratchSeries extends ApplyManner {
	/** Behind a resolved patch, without that one; may be empty. */
	readonly mailbox: Uint8Array;
	/** Of a base of files. The patches may state whole ids. */
	readonly hash: 'sha1' | 'sha256';
	/** Paths in the patches. A three-way merge needs these files on the disk. */
	readonly paths: readonly string[];
}

/** Result of `git am`. */
export interface GitTrial {
	/** Oldest first, from the resolved patch on. Git skips a patch whose changes the base has already. */
	readonly commits: readonly MadeCommit[];
	/** Changed files of the commits by blob id, before and after. Omits too large ones. */
	readonly contents: ReadonlyMap<string, Uint8Array>;
	/** `undefined` if git applied all patches. `at`: from 1. */
	readonly stop: { readonly at: number; readonly conflicts: readonly string[]; readonly complaint: string } | undefined;
	/** A patch needs a three-way merge. */
	readonly isMerged: boolean;
	/** Number of patches without a commit, because the base has their changes already. */
	readonly skipped: number;
}

/** Overrides the user's settings. The identity is for scratch commits. */
const config = [
	'[core]\n\tbare = false\n\tsymlinks = false\n\tfileMode = false\n\tautocrlf = false\n',
	'[user]\n\tname = Forge Desk\n\temail = desk@localhost\n',
].join('');

/**
 * Runs `git am` in a temporary repository with the clone's objects as alternates. Never changes the clone's files, index,
 * refs or objects. Throws `GitFailure`.
 */
export async function scratchApply(
	{ git, tempFolder }: GitPlace,
	base: ScratchBase,
	{ mailbox, hash, paths, ...manner }: ScratchSeries,
	signal: AbortSignal,
): Promise<GitTrial> {
	return inPrivateFolder(tempFolder, async (folder) => {
		const own = join(folder, '.git');
		await mkdir(own);
		if (base.kind === 'commit') {
			const format = base.commit.length === 64 ? 'sha256' : 'sha1';
			await borrow(own, await sharedFolder(git, base.root, signal), format, config);
			await putFile(join(own, 'refs', 'heads'), 'none', `${base.commit}\n`);
		} else {
			await borrow(own, undefined, hash, config);
			await lineOf(git, folder, applyCommands.importFiles(importStream(base.files)), signal);
		}
		let from = base.kind === 'commit' ? base.commit : await headCommit(git, folder, signal);
		await lineOf(git, folder, applyCommands.readTree(from), signal);
		// Those of the user. With them, the files would differ from the index.
		const programs = await namedPrograms(git, folder, signal);
		if (!programs) {
			throw new GitFailure({ kind: 'failed', program: 'git' }, 'a filter of an odd name');
		}
		const first: MadeCommit[] = [];
		if (base.kind === 'commit' && base.resolved) {
			const { mailbox: mail, staged } = base.resolved;
			const command = applyCommands.start(mail, programs, { ...manner, isMerging: false }, { isMessageOnly: true });
			await lineOf(git, folder, command, signal);
			const named = await headCommit(git, folder, signal);
			const [commit, ...others] = await madeCommits(git, folder, { from, to: named }, signal);
			if (!commit || commit.files.length + others.length > 0) {
				throw new GitFailure({ kind: 'failed', program: 'git' }, 'the stopped patch cannot be read');
			}
			first.push({ ...commit, files: staged });
			await lineOf(git, folder, applyCommands.stageBlobs(staged), signal);
			const tree = idArgument(await lineOf(git, folder, applyCommands.writeTree(), signal));
			from = idArgument(await lineOf(git, folder, applyCommands.commitTree(tree, named), signal));
			await writeFile(join(own, 'refs', 'heads', 'none'), `${from}\n`);
		}
		// Fails for files that patches add, and writes the others.
		await runText(git, folder, applyCommands.writeFiles(paths, programs), signal);
		const { code, complaint, text } =
			mailbox.length === 0
				? { code: 0, complaint: '', text: '' }
				: await runText(git, folder, applyCommands.start(mailbox, programs, manner), signal);
		const state = code === 0 ? undefined : await applyState(git, folder, signal);
		if (state && state.kind !== 'stopped') {
			throw new GitFailure({ kind: 'failed', program: 'git' }, complaint);
		}
		const commits = [...first, ...(await madeCommits(git, folder, { from, to: undefined }, signal))];
		return {
			commits,
			contents: await contentsInClone(git, folder, blobsOf(commits), signal),
			stop: state && {
				at: first.length + state.at,
				conflicts: state.conflicts.map(({ path }) => path),
				complaint: `${complaint}${text}`,
			},
			isMerged: text.includes('Falling back to patching base and 3-way merge'),
			skipped: text.match(/^No changes -- Patch already applied\.$/gm)?.length ?? 0,
		};
	});
}

/** Blobs before and after the commits, without submodules. */
export function blobsOf(commits: readonly MadeCommit[]): readonly string[] {
	const ids = commits
		.flatMap(({ files }) => files)
		.flatMap(({ before, after, beforeMode, afterMode }) => [
			...(beforeMode === '160000' ? [] : [before]),
			...(afterMode === '160000' ? [] : [after]),
		]);
	return Array.from(new Set(ids)).filter((id) => /[^0]/.test(id));
}

/** For `git fast-import`: one commit of these files. */
function importStream(files: ReadonlyMap<string, ScratchFile>): Uint8Array {
	const head = 'commit refs/heads/none\ncommitter Forge Desk <desk@localhost> 0 +0000\ndata 0\n';
	const pieces = Array.from(files, ([path, { content, mode }]) => {
		const name = path.replaceAll(/["\\]/g, String.raw`\$&`).replaceAll('\n', String.raw`\n`);
		return [Buffer.from(`M ${mode} inline "${name}"\ndata ${content.length}\n`), content, Buffer.from('\n')];
	});
	return Buffer.concat([Buffer.from(head), ...pieces.flat(), Buffer.from('done\n')]);
}
