import type { Reference, RepositoryRef } from 'sourcehut/port/repository.ts';
import type { Listing } from '../../../store/shared/listing.ts';
import {
	headRevision,
	inReadingOrder,
	insteadOfHead,
	referenceKind,
	revisionOf,
} from '../../../store/repositories/repositoryReferences.ts';
import type { DefaultBranch } from '../../../store/repositories/repositoryNames.ts';
import type { RepositoryStore } from '../../../store/repositories/repositoryStore.ts';

/** Revision to show first. */
export async function defaultRevision(repositories: RepositoryStore, ref: RepositoryRef, signal: AbortSignal) {
	const branch = await repositories.names.defaultBranch(ref, signal);
	return revisionOfDefault(branch, await repositories.references(ref).first(signal));
}

/** Revision to show first, from listed references: the default branch, else another branch or the newest tag, else `HEAD`. */
export function revisionOfDefault(branch: DefaultBranch | undefined, { items, completeness }: Listing<Reference>) {
	const told = branch && items.find(({ name }) => name === `refs/heads/${branch.name}`);
	if (told && (branch.isCertain || branch.isHeadNowhere)) {
		return revisionOf(told, items);
	}
	const instead =
		insteadOfHead(items) ?? inReadingOrder(items, undefined).find((each) => referenceKind(each) === 'tag');
	const isNowhere = completeness.kind !== 'more' && (branch?.isCertain === true || !insteadOfHead(items));
	return isNowhere && instead ? revisionOf(instead, items) : headRevision;
}
