import type { RepositoryApi } from '../../forge/forge.ts';
import type { RepositoryNews } from '../../forge/news.ts';
import type { NewRepository, Repository, RepositoryChanges, RepositoryRef } from '../../forge/repository.ts';
import type { OwnerName } from '../../forge/user.ts';
import { isGone, sentOnce } from '../shared/sentOnce.ts';

/** The one way in which repositories are changed. Each request is sent once, and looked for when its answer was lost. */
export interface RepositoryWrites {
	create(wanted: Required<NewRepository>, signal: AbortSignal): Promise<RepositoryRef>;
	/** An empty description takes it away. */
	change(ref: RepositoryRef, changes: RepositoryChanges, signal: AbortSignal): Promise<Repository>;
	remove(ref: RepositoryRef, signal: AbortSignal): Promise<void>;
}

/** What changing repositories needs. */
interface RepositoryWriterParts {
	readonly api: Pick<RepositoryApi, 'create' | 'update' | 'remove' | 'repository'>;
	/** `~name` of the account. */
	readonly me: OwnerName;
	readonly apply: (news: RepositoryNews) => void;
}

export function repositoryWriter({ api, me, apply }: RepositoryWriterParts): RepositoryWrites {
	return {
		async create(wanted, signal) {
			const repository = await makeRepository(api, { owner: me, name: wanted.name }, wanted, signal);
			const ref = { owner: repository.owner?.canonicalName ?? me, name: repository.name };
			apply({ kind: 'repositoryCreated', ref, repository });
			return ref;
		},
		async change(ref, changes, signal) {
			const repository = await changeRepository(api, ref, changes, signal);
			apply(
				repository.name === ref.name
					? { kind: 'repositoryChanged', ref, repository }
					: { kind: 'repositoryRenamed', from: ref, repository },
			);
			return repository;
		},
		async remove(ref, signal) {
			await removeRepository(api, ref, signal);
			apply({ kind: 'repositoryDeleted', ref });
		},
	};
}

/** Makes a repository. When the answer is lost it is looked for: names are unique, so one of this name is the one. */
function makeRepository(
	api: Pick<RepositoryApi, 'create' | 'repository'>,
	ref: RepositoryRef,
	{ name, visibility, description }: Required<NewRepository>,
	signal: AbortSignal,
): Promise<Repository> {
	const wanted: NewRepository = { name, visibility, ...(description !== '' && { description }) };
	return sentOnce(
		() => api.create(wanted, signal),
		async () => {
			const found = await api.repository(ref, signal);
			return found.name === name ? found : undefined;
		},
	);
}

/** Changes a repository. When the answer is lost, a look tells whether the changes arrived. */
function changeRepository(
	api: Pick<RepositoryApi, 'update' | 'repository'>,
	ref: RepositoryRef,
	changes: RepositoryChanges,
	signal: AbortSignal,
): Promise<Repository> {
	const to = { owner: ref.owner, name: changes.name ?? ref.name };
	return sentOnce(
		async () => (await api.update(ref, changes, signal)) ?? (await api.repository(to, signal)),
		async () => {
			const found = await api.repository(to, signal);
			return holds(found, changes) ? found : undefined;
		},
	);
}

/** Deletes a repository. When the answer is lost, a look tells whether it is gone. */
async function removeRepository(
	api: Pick<RepositoryApi, 'remove' | 'repository'>,
	ref: RepositoryRef,
	signal: AbortSignal,
): Promise<void> {
	await sentOnce<unknown>(
		() => api.remove(ref, signal),
		() => isGone(async () => Boolean(await api.repository(ref, signal))),
	);
}

function holds(found: Repository, { name, description, visibility }: RepositoryChanges): boolean {
	return (
		(name === undefined || found.name === name) &&
		(description === undefined || (found.description ?? '').trim() === description.trim()) &&
		(visibility === undefined || found.visibility === visibility)
	);
}
