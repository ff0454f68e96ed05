import type { RepositoryApi } from '../../forge/port/forge.ts';
import type { Repository, RepositoryRef } from '../../forge/port/repository.ts';
import type { Pages } from '../../forge/port/page.ts';
import type { OwnerName } from '../../forge/port/user.ts';

/** Repository reads without a cache. */
export interface UncachedRepositoryReads {
	/** Absent when the server doesn't support them. */
	readonly artifact: RepositoryApi['artifact'];
	readonly blobStream: RepositoryApi['blobStream'];
	readonly entriesAt: RepositoryApi['entriesAt'];
	/** True when the server may need paths to serve blobs. No request. */
	wantsPlaces(ref: RepositoryRef): boolean;
	/** Current name of a possibly renamed repository, if known. No request. */
	nowCalled(ref: RepositoryRef): RepositoryRef;
	/** Current references; without their artifacts if those cost extra requests. */
	readonly references: RepositoryApi['references'];
	/** The owner's repositories visible to this account. With `word`, the result may also contain other names. */
	ofOwner(wanted: { readonly owner: OwnerName; readonly word: string }, signal: AbortSignal): Pages<Repository>;
	/** The owner's repository with this number, if visible to this account. */
	numbered(owner: OwnerName, id: number, signal: AbortSignal): Promise<Repository | undefined>;
}

export function uncachedRepositoryReads(
	api: Pick<
		RepositoryApi,
		| 'repositories'
		| 'search'
		| 'references'
		| 'targets'
		| 'artifact'
		| 'blobStream'
		| 'entriesAt'
		| 'wantsPlaces'
		| 'nowCalled'
	>,
): UncachedRepositoryReads {
	return {
		get artifact() {
			return api.artifact?.bind(api);
		},
		get blobStream() {
			return api.blobStream?.bind(api);
		},
		get entriesAt() {
			return api.entriesAt?.bind(api);
		},
		wantsPlaces: (ref) => api.wantsPlaces?.(ref) === true,
		nowCalled: (ref) => api.nowCalled?.(ref) ?? ref,
		references: (ref, signal) => (api.targets ? api.targets(ref, signal) : api.references(ref, signal)),
		ofOwner: ({ owner, word }, signal) =>
			word !== '' && api.search ? api.search(owner, word, signal) : api.repositories(owner, signal),
		async numbered(owner, id, signal) {
			for await (const { items } of api.repositories(owner, signal)) {
				const found = items.find((each) => each.id === id);
				if (found) {
					return found;
				}
			}
			return undefined;
		},
	};
}
