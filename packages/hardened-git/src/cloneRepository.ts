import { mkdir, rm } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { isAbort } from '@forge-desk/base/abort.ts';
import { GitFailure, troubleIn } from './gitFailure.ts';
import { addressArgument, branchArgument, isSafeFolderName } from './gitNames.ts';
import { gitCommands } from './gitCommands.ts';
import type { HardenedGit } from './hardenedGit.ts';
import type { Ended } from './runProgram.ts';

export interface CloneWish {
	readonly address: string;
	/** Absolute path of the parent folder. */
	readonly parent: string;
	/** Name of the new folder. */
	readonly name: string;
	/** Short name of the branch or tag to check out; default branch if missing. */
	readonly branch?: string;
}

/** `share`: progress of this step, from 0 to 1. */
export interface CloneProgress {
	readonly step: 'receiving' | 'resolving' | 'writing';
	readonly share: number;
}

/**
 * Clones into a new folder and returns its path. Never touches existing files. Removes failed and cancelled clones;
 * `GitFailure` reports whether the removal succeeded.
 */
export async function cloneRepository(
	git: HardenedGit,
	{ address, parent, name, branch }: CloneWish,
	onProgress: (progress: CloneProgress) => void,
	signal: AbortSignal,
): Promise<string> {
	addressArgument(address);
	if (branch !== undefined) {
		branchArgument(branch);
	}
	if (!isAbsolute(parent) || !isSafeFolderName(name)) {
		throw new GitFailure({ kind: 'refused', what: 'folder' });
	}
	signal.throwIfAborted();
	const folder = join(parent, name);
	await makeFolder(folder);
	const ended = await attempt(git, { address, folder, branch }, onProgress, signal);
	if (ended === 'done') {
		return folder;
	}
	const isRemoved = await rm(folder, { recursive: true, force: true, maxRetries: 3 }).then(
		() => true,
		() => false,
	);
	const trouble = ended === 'cancelled' ? ended : troubleIn(complaintOf(ended));
	throw ended instanceof GitFailure && ended.problem.kind !== 'tooSlow'
		? ended
		: new GitFailure({ kind: 'notCloned', trouble, isRemoved }, complaintOf(ended));
}

type Attempt = Ended | GitFailure | 'cancelled';

async function attempt(
	git: HardenedGit,
	{
		address,
		folder,
		branch,
	}: { readonly address: string; readonly folder: string; readonly branch: string | undefined },
	onProgress: (progress: CloneProgress) => void,
	signal: AbortSignal,
): Promise<Attempt | 'done'> {
	const read = progressReader(onProgress);
	try {
		const command = gitCommands.clone(address, folder, branch);
		const ended = await git.run(command, { folder, onComplaint: read }, signal);
		return ended.code === 0 ? 'done' : ended;
	} catch (error) {
		if (isAbort(error)) {
			return 'cancelled';
		}
		return error instanceof GitFailure ? error : new GitFailure({ kind: 'failed', program: 'git' }, String(error));
	}
}

/** Fails if the name exists, even as a dangling link: we never write into existing folders. */
async function makeFolder(folder: string): Promise<void> {
	try {
		await mkdir(folder);
	} catch (error) {
		const code = error instanceof Error && 'code' in error ? String(error.code) : '';
		throw new GitFailure(code === 'EEXIST' ? { kind: 'folderTaken' } : { kind: 'folderNotMade', code });
	}
}

/** Git rewrites one progress line per step. */
function progressReader(onProgress: (progress: CloneProgress) => void): (text: string) => void {
	const steps = { Receiving: 'receiving', Resolving: 'resolving', Updating: 'writing' } as const;
	const line = /(?:^|[\r\n])(Receiving|Resolving|Updating) (?:objects|deltas|files): +(\d{1,3})%[^\r\n]*(?=[\r\n])/g;
	let rest = '';
	return (text) => {
		rest = (rest + text).slice(-4096);
		const [, step, percent] = [...rest.matchAll(line)].at(-1) ?? [];
		if (step === 'Receiving' || step === 'Resolving' || step === 'Updating') {
			onProgress({ step: steps[step], share: Math.min(1, Number(percent) / 100) });
			rest = rest.slice(Math.max(rest.lastIndexOf('\r'), rest.lastIndexOf('\n')));
		}
	};
}

function complaintOf(ended: Attempt): string {
	return ended === 'cancelled' ? '' : ended instanceof GitFailure ? ended.message : ended.complaint;
}
