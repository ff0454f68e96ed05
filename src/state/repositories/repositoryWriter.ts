import { isAbort } from '../../base/abort.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import type { RepositoryApi } from '../../forge/forge.ts';
import { isForgeError, type ForgeError } from '../../forge/forgeError.ts';
import type { RepositoryNews } from '../../forge/news.ts';
import {
	ownRepositoryRef,
	type NewRepository,
	type Repository,
	type RepositoryChanges,
	type RepositoryRef,
} from '../../forge/repository.ts';
import type { OwnerName } from '../../forge/user.ts';
import { isSameText } from '../shared/isSameText.ts';
import { isGone, madeOnce, sentOnce, type SendingSignals } from '../shared/sentOnce.ts';

/** The one way in which repositories are changed. Each request is sent once, and looked for when its answer was lost. */
export interface RepositoryWrites {
	create(wanted: NewRepository, signal: AbortSignal): Promise<RepositoryRef>;
	/** An empty description takes it away. Throws only where the change was not made, as far as can be told. */
	change(ref: RepositoryRef, changes: RepositoryChanges, signal: AbortSignal): Promise<ChangedRepository>;
	remove(ref: RepositoryRef, signal: AbortSignal): Promise<void>;
	/** Absent where the forge has no way to. */
	setDefaultBranch?: ((ref: RepositoryRef, branch: string, signal: AbortSignal) => Promise<void>) | undefined;
}

/** A change that was made. */
export interface ChangedRepository {
	/** As the forge tells it, else as it was before with what was changed. */
	readonly repository: Repository;
	/** Why it could not be read after a change that was answered without it. */
	readonly unread?: ForgeError;
}

/** What changing repositories needs. */
interface RepositoryWriterParts {
	readonly api: Pick<
		RepositoryApi,
		'create' | 'update' | 'remove' | 'repository' | 'defaultBranch' | 'setDefaultBranch'
	>;
	/** `~name` of the account. */
	readonly me: OwnerName;
	readonly apply: (news: RepositoryNews) => void;
	readonly known: (ref: RepositoryRef) => Repository | undefined;
}

/** Changes repositories as `RepositoryWrites` says. Disposing ends the looks for what was sent. */
export function repositoryWriter(parts: RepositoryWriterParts): RepositoryWrites & Disposable {
	const { api, me, apply, known } = parts;
	const ending = new AbortController();
	const looking = ending.signal;
	return {
		async create(wanted, signal) {
			const repository = await madeOnce(
				wanted.name,
				(sending) => api.create(wanted, sending),
				(afterwards) => api.repository({ owner: me, name: wanted.name }, afterwards),
				{ signal, looking },
			);
			const ref = ownRepositoryRef(repository, me);
			apply({ kind: 'repositoryCreated', ref, repository });
			return ref;
		},
		async change(ref, changes, signal) {
			// Servers may answer without the repository, and it may be out of reach then.
			const before = known(ref) ?? (await api.repository(ref, signal));
			const changed = await changeRepository(api, { ref, before, changes }, { signal, looking });
			const { repository } = changed;
			apply(
				repository.name === ref.name
					? { kind: 'repositoryChanged', ref, repository }
					: { kind: 'repositoryRenamed', from: ref, repository },
			);
			return changed;
		},
		async remove(ref, signal) {
			await removeRepository(api, ref, { signal, looking });
			apply({ kind: 'repositoryDeleted', ref });
		},
		setDefaultBranch:
			api.setDefaultBranch &&
			(async (ref, branch, signal) => {
				await setDefaultBranch(api, { ref, branch }, { signal, looking });
				apply({ kind: 'defaultBranchSet', ref, branch });
			}),
		dispose: () => ending.abort(),
	};
}

/** Makes another branch the default one. When the answer is lost, a look tells whether it is. */
async function setDefaultBranch(
	api: Pick<RepositoryApi, 'defaultBranch' | 'setDefaultBranch'>,
	{ ref, branch }: { readonly ref: RepositoryRef; readonly branch: string },
	signals: SendingSignals,
): Promise<void> {
	await sentOnce<unknown>(
		async (signal) => {
			await api.setDefaultBranch?.(ref, branch, signal);
			return branch;
		},
		async (looking) => ((await api.defaultBranch?.(ref, looking)) === branch ? branch : undefined),
		signals,
	);
}

/** Changes that are to be made. */
interface RepositoryChange {
	readonly ref: RepositoryRef;
	readonly before: Repository;
	readonly changes: RepositoryChanges;
}

/** Changes a repository. When the answer is lost, a look tells whether the changes arrived. */
async function changeRepository(
	api: Pick<RepositoryApi, 'update' | 'repository'>,
	{ ref, before, changes }: RepositoryChange,
	signals: SendingSignals,
): Promise<ChangedRepository> {
	const to = { owner: ref.owner, name: changes.name ?? ref.name };
	const { answer } = await sentOnce(
		async (signal) => ({ answer: await api.update(ref, changes, signal) }),
		async (looking) => {
			const found = await api.repository(to, looking);
			// Another one may have had the new name before.
			return found.id === before.id && holds(found, changes) ? { answer: found } : undefined;
		},
		signals,
	);
	if (answer) {
		return { repository: answer };
	}
	try {
		return { repository: await api.repository(to, signals.signal) };
	} catch (error) {
		if (!isForgeError(error) && !isAbort(error)) {
			throw error;
		}
		const { description = before.description } = changes;
		const repository = { ...before, ...changes, description: description === '' ? undefined : description };
		return isForgeError(error) ? { repository, unread: error } : { repository };
	}
}

/** Deletes a repository. When the answer is lost, a look tells whether it is gone. */
async function removeRepository(
	api: Pick<RepositoryApi, 'remove' | 'repository'>,
	ref: RepositoryRef,
	signals: SendingSignals,
): Promise<void> {
	await sentOnce<unknown>(
		(signal) => api.remove(ref, signal),
		(looking) => isGone(async () => Boolean(await api.repository(ref, looking))),
		signals,
	);
}

function holds(found: Repository, { name, description, visibility }: RepositoryChanges): boolean {
	return (
		(name === undefined || found.name === name) &&
		(description === undefined || isSameText(found.description ?? '', description)) &&
		(visibility === undefined || found.visibility === visibility)
	);
}
