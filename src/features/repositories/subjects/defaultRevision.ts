import type { Reference, RepositoryRef } from '../../../forge/repository.ts';
import type { Listing } from '../../../state/shared/listing.ts';
import { headRevision, revisionOf } from '../../../state/repositories/repositoryReferences.ts';
import type { DefaultBranch } from '../../../state/repositories/repositoryNames.ts';
import type { RepositoryStore } from '../../../state/repositories/repositoryStore.ts';

/** The branch that a repository shows first, as the server is asked for it. */
export async function defaultRevision(
	repositories: Pick<RepositoryStore, 'defaultBranch' | 'references'>,
	ref: RepositoryRef,
	signal: AbortSignal,
): Promise<string> {
	const branch = await repositories.defaultBranch(ref, signal);
	return revisionOfDefault(branch, await repositories.references(ref, signal));
}

/** The same of what was read; a server that does not tell the branch knows it by another name. */
export function revisionOfDefault(branch: DefaultBranch | undefined, { items }: Listing<Reference>): string {
	const reference =
		branch?.isCertain === true ? items.find(({ name }) => name === `refs/heads/${branch.name}`) : undefined;
	return reference ? revisionOf(reference, items) : headRevision;
}
