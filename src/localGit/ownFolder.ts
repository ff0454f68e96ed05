import { namedPrograms } from './applyState.ts';
import { borrow, sharedFolder } from './borrowedObjects.ts';
import type { AskPass, HardenedGit } from './hardenedGit.ts';
import { inPrivateFolder } from './privateFolder.ts';

/** What talking to a server for a clone needs of its surroundings. */
export interface NetworkParts {
	readonly git: HardenedGit;
	/** Folder for files that live as long as the operation. */
	readonly tempFolder: string;
	/** Asks for a name and a password where no helper of the user knows them. */
	readonly askPass: AskPass | undefined;
}

/** A large repository and a slow network take their time. */
export const networkLimits = { timeMs: 60 * 60_000, outputBytes: 1_000_000 } as const;

/** What is known of a clone once its programs are. */
interface Surroundings {
	/** Git's own folder of the clone. */
	readonly shared: string;
	/** `undefined` where the clone's settings name one that cannot be switched off. */
	readonly programs: Awaited<ReturnType<typeof namedPrograms>>;
}

/** Where a clone keeps its objects, and which programs its settings name. */
export async function surroundings(git: HardenedGit, folder: string, signal: AbortSignal): Promise<Surroundings> {
	const shared = await sharedFolder(git, folder, signal);
	return { shared, programs: await namedPrograms(git, folder, signal) };
}

/**
 * Works in a folder that only borrows a clone's objects and goes with the work, so that nothing which the clone's
 * configuration names is run or changes where a push or fetch goes (docs/security.md#pushes). `id`: of the clone's.
 */
export async function inOwnFolder<T>(
	tempFolder: string,
	{ shared, id }: { readonly shared: string; readonly id: string | undefined },
	work: (own: string) => Promise<T>,
): Promise<T> {
	return inPrivateFolder(tempFolder, async (own) => {
		// Ids of SHA-256 are longer.
		await borrow(own, shared, id?.length === 64 ? 'sha256' : 'sha1');
		return work(own);
	});
}

/** What the clone is told of the branch of a remote. */
export interface RemoteBranch {
	readonly folder: string;
	readonly remote: string;
	readonly branch: string;
	readonly commit: string;
}

/** Tells the clone where a branch of a remote stands. Answers what git said where it failed. */
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
