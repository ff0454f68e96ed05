import type { Reference, RepositoryRef } from '../../../forge/repository.ts';
import type { RepositoryStore } from '../../../state/repositories/repositoryStore.ts';
import { referenceKind } from '../../../state/repositories/repositoryReferences.ts';

type Known = Pick<RepositoryStore, 'knownCommit' | 'knownLog' | 'knownPinned'>;

/** A reference among those of its repository. */
export interface AskedReference {
	readonly ref: RepositoryRef;
	readonly reference: Reference;
	/** As the server is asked for it. */
	readonly revision: string;
}

/**
 * Id of the commit that a reference leads to, as far as it is known without asking. A branch leads to a commit; what a
 * tag or another name leads to may be a tag's own object (docs/protocol.md#references), whose id is no commit's.
 */
export function knownCommitOf(repositories: Known, { ref, reference, revision }: AskedReference): string | undefined {
	const { target } = reference;
	if (referenceKind(reference) === 'branch' || repositories.knownCommit(ref, target)) {
		return target;
	}
	return repositories.knownLog(ref, revision)?.items[0]?.id ?? repositories.knownPinned(ref, revision)?.commit.id;
}
