import { isAbort } from '@forge-desk/base/abort.ts';
import { isForgeError, type ForgeError } from 'sourcehut/port/forgeError.ts';
import { unlessMissing } from 'sourcehut/port/isAway.ts';
import type { RepositoryNews } from 'sourcehut/port/news.ts';
import {
	ownRepositoryRef,
	type NewRepository,
	type Repository,
	type RepositoryChanges,
	type RepositoryRef,
} from 'sourcehut/port/repository.ts';
import { isSameText } from '../shared/isSameText.ts';
import { isGone, makeOnce, sendOnce } from '../shared/sentOnce.ts';
import type { Collection } from '../shared/collection.ts';
import type { RepositorySources } from './repositorySources.ts';

export type RepositoryWrites = ReturnType<typeof repositoryWriter>;

export interface ChangedRepository {
	/** As reported by the forge; otherwise the known repository with the changes applied. */
	readonly repository: Repository;
	/** Why a successful change could not be read back. */
	readonly unread?: ForgeError;
}

/**
 * Writes to repositories. Sends each request once; after a lost response, checks whether it took effect. Disposing
 * stops the checks.
 */
export function repositoryWriter(
	{ api, journal, me }: RepositorySources,
	metadata: Collection<Repository>,
	apply: (news: RepositoryNews) => void,
) {
	const ending = new AbortController();
	const looking = ending.signal;
	const make = makeOnce(journal, 'makeRepository', async ({ name }, afterwards) => {
		const found = await api.repository({ owner: me, name }, afterwards);
		return found.name === name ? found : undefined;
	});
	const change = sendOnce<'changeRepository', { readonly answer: Repository | undefined }>(
		journal,
		'changeRepository',
		async ({ ref, id, changes }, afterwards) => {
			const renamed = { owner: ref.owner, name: changes.name ?? ref.name };
			// Without a repository of the new name, the old one must still exist.
			const found =
				(await unlessMissing(api.repository(renamed, afterwards))) ?? (await api.repository(ref, afterwards));
			// Another repository may have had the new name before.
			return found.id === id && holds(found, changes) ? { answer: found } : undefined;
		},
	);
	const remove = sendOnce<'removeRepository', unknown>(journal, 'removeRepository', ({ ref }, afterwards) =>
		isGone(async () => Boolean(await api.repository(ref, afterwards))),
	);
	const setBranch = sendOnce<'defaultBranch', unknown>(journal, 'defaultBranch', async ({ ref, branch }, afterwards) =>
		(await api.defaultBranch?.(ref, afterwards)) === branch ? branch : undefined,
	);

	/** Reads the repository back if the response omits it. */
	async function changed(
		before: Repository,
		{ ref, changes }: { readonly ref: RepositoryRef; readonly changes: RepositoryChanges },
		signal: AbortSignal,
	): Promise<ChangedRepository> {
		const { answer } = await change(
			{ kind: 'changeRepository', ref, id: before.id, changes },
			async (sending) => ({ answer: await api.update(ref, changes, sending) }),
			{ signal, looking },
		);
		if (answer) {
			return { repository: answer };
		}
		try {
			return { repository: await api.repository({ owner: ref.owner, name: changes.name ?? ref.name }, signal) };
		} catch (error) {
			if (!isForgeError(error) && !isAbort(error)) {
				throw error;
			}
			const { description = before.description } = changes;
			const repository = { ...before, ...changes, description: description === '' ? undefined : description };
			return isForgeError(error) ? { repository, unread: error } : { repository };
		}
	}

	return {
		async create(wanted: NewRepository, signal: AbortSignal): Promise<RepositoryRef> {
			const repository = await make(
				{ kind: 'makeRepository', name: wanted.name },
				(sending) => api.create(wanted, sending),
				{ signal, looking },
			);
			const ref = ownRepositoryRef(repository, me);
			apply({ kind: 'repositoryCreated', ref, repository });
			return ref;
		},
		/** An empty description removes it. Rejects only if the change failed, as far as can be known. */
		async change(ref: RepositoryRef, changes: RepositoryChanges, signal: AbortSignal): Promise<ChangedRepository> {
			// Read before the change: the response may omit the repository, and a later read may fail.
			const before = metadata.known(ref) ?? (await api.repository(ref, signal));
			const after = await changed(before, { ref, changes }, signal);
			const { repository } = after;
			apply(
				repository.name === ref.name
					? { kind: 'repositoryChanged', ref, repository }
					: { kind: 'repositoryRenamed', from: ref, repository },
			);
			return after;
		},
		async remove(ref: RepositoryRef, signal: AbortSignal): Promise<void> {
			await remove({ kind: 'removeRepository', ref }, (sending) => api.remove(ref, sending), { signal, looking });
			apply({ kind: 'repositoryDeleted', ref });
		},
		/** Absent when the forge doesn't support it. */
		setDefaultBranch:
			api.setDefaultBranch &&
			(async (ref: RepositoryRef, branch: string, signal: AbortSignal): Promise<void> => {
				await setBranch(
					{ kind: 'defaultBranch', ref, branch },
					async (sending) => api.setDefaultBranch?.(ref, branch, sending),
					{ signal, looking },
				);
				apply({ kind: 'defaultBranchSet', ref, branch });
			}),
		dispose: (): void => ending.abort(),
	};
}

function holds(found: Repository, { name, description, visibility }: RepositoryChanges): boolean {
	return (
		(name === undefined || found.name === name) &&
		(description === undefined || isSameText(found.description ?? '', description)) &&
		(visibility === undefined || found.visibility === visibility)
	);
}
