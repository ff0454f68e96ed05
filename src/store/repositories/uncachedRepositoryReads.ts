import type { RepositoryApi } from '../../forge/port/forge.ts';
import type { Pages } from '../../forge/port/page.ts';
import type { Repository, RepositoryRef } from '../../forge/port/repository.ts';
import type { OwnerName } from '../../forge/port/user.ts';

export type UncachedRepositoryReads = ReturnType<typeof uncachedRepositoryReads>;

/** Repository reads without a cache. The server doesn't support absent members. */
export function uncachedRepositoryReads(api: RepositoryApi) {
	return {
		get artifact(): RepositoryApi['artifact'] {
			return api.artifact?.bind(api);
		},
		get blobStream(): RepositoryApi['blobStream'] {
			return api.blobStream?.bind(api);
		},
		get entriesAt(): RepositoryApi['entriesAt'] {
			return api.entriesAt?.bind(api);
		},
		/** True when the server may need paths to serve blobs. No request. */
		wantsPlaces: (ref: RepositoryRef): boolean => api.wantsPlaces?.(ref) === true,
		/** Current name of a possibly renamed repository, if known. No request. */
		nowCalled: (ref: RepositoryRef): RepositoryRef => api.nowCalled?.(ref) ?? ref,
		/** Current references; without their artifacts if those cost extra requests. */
		references: (ref: RepositoryRef, signal: AbortSignal): ReturnType<RepositoryApi['references']> =>
			api.targets ? api.targets(ref, signal) : api.references(ref, signal),
		/** The owner's repositories visible to this account. With `word`, the result may also contain other names. */
		ofOwner: (
			{ owner, word }: { readonly owner: OwnerName; readonly word: string },
			signal: AbortSignal,
		): Pages<Repository> =>
			word !== '' && api.search ? api.search(owner, word, signal) : api.repositories(owner, signal),
		/** The owner's repository with this number, if visible to this account. */
		async numbered(owner: OwnerName, id: number, signal: AbortSignal): Promise<Repository | undefined> {
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
