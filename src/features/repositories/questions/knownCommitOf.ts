import type { Reference, RepositoryRef } from '../../../forge/port/repository.ts';
import type { RepositoryStore } from '../../../store/repositories/repositoryStore.ts';
import { referenceKind } from '../../../store/repositories/repositoryReferences.ts';

type Known = RepositoryStore;

/** A reference among those of its repository. */
export interface AskedReference {
	readonly ref: RepositoryRef;
	readonly reference: Reference;
	/** In the form that the server accepts. */
	readonly revision: string;
}

/**
 * Commit id of a reference, without a request. A branch points to a commit; a tag or other name may point to a tag
 * object (docs/protocol.md#references), whose id is no commit id.
 */
export function knownCommitOf(repositories: Known, { ref, reference, revision }: AskedReference): string | undefined {
	const { target } = reference;
	if (referenceKind(reference) === 'branch' || repositories.objects.knownCommit(ref, target)) {
		return target;
	}
	return (
		repositories.names.known(ref)?.knownLog(revision)?.items[0]?.id ??
		repositories.folders.knownPinned(ref, revision)?.commit.id
	);
}
