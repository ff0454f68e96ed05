import { namedPrograms } from './applyState.ts';
import { borrow, sharedFolder } from './borrowedObjects.ts';
import type { AskPass, HardenedGit } from './hardenedGit.ts';
import { inPrivateFolder } from './privateFolder.ts';

/** Dependencies of network operations. */
export interface NetworkParts {
	readonly git: HardenedGit;
	/** Folder for temporary files. */
	readonly tempFolder: string;
	/** Asks for name and password if no credential helper has them. */
	readonly askPass: AskPass | undefined;
}

/** Large repositories take long over slow networks. */
export const networkLimits = { timeMs: 60 * 60_000, outputBytes: 1_000_000 } as const;

interface Surroundings {
	/** Git folder of the clone. */
	readonly shared: string;
	/** `undefined` if we cannot override one of the clone's programs. */
	readonly programs: Awaited<ReturnType<typeof namedPrograms>>;
}

/** Git folder of a clone and the programs in its settings. */
export async function surroundings(git: HardenedGit, folder: string, signal: AbortSignal): Promise<Surroundings> {
	const shared = await sharedFolder(git, folder, signal);
	return { shared, programs: await namedPrograms(git, folder, signal) };
}

/**
 * Runs `work` in a temporary repository with the clone's objects as alternates. So the clone's configuration cannot run
 * programs or redirect a push or fetch (docs/security.md#pushes). `id`: any object id of the clone.
 */
export async function inOwnFolder<T>(
	tempFolder: string,
	{ shared, id }: { readonly shared: string; readonly id: string | undefined },
	work: (own: string) => Promise<T>,
): Promise<T> {
	return inPrivateFolder(tempFolder, async (own) => {
		// SHA-256 ids have 64 digits.
		await borrow(own, shared, id?.length === 64 ? 'sha256' : 'sha1');
		return work(own);
	});
}

/** A remote-tracking branch of the clone. */
export interface RemoteBranch {
	readonly folder: string;
	readonly remote: string;
	readonly branch: string;
	readonly commit: string;
}

/** Updates a remote-tracking branch. Returns git's complaint if that fails. */
export async function noteRemoteBranch(
	git: HardenedGit,
	{ folder, ...branch }: RemoteBranch,
	programs: NonNullable<Surroundings['programs']>,
	signal: AbortSignal,
): Promise<string | undefined> {
	const { code, complaint } = await git.run(
		{ kind: 'noteRemoteBranch', ...branch, programs },
		{ folder, ...networkLimits },
		signal,
	);
	return code === 0 ? undefined : complaint;
}
