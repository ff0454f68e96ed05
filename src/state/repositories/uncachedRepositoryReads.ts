import type { RepositoryApi } from '../../forge/forge.ts';
import type { Repository, RepositoryRef } from '../../forge/repository.ts';
import type { Pages } from '../../forge/page.ts';
import type { OwnerName } from '../../forge/user.ts';

/** Reads of repositories of which nothing is kept. */
export interface UncachedRepositoryReads {
	/** As the port has them: absent where a server cannot. */
	readonly artifact: RepositoryApi['artifact'];
	readonly blobStream: RepositoryApi['blobStream'];
	readonly entriesAt: RepositoryApi['entriesAt'];
	/** Whether files may have to be asked for by where they stand. Needs no request. */
	wantsPlaces(ref: RepositoryRef): boolean;
	/** The name that a repository has by now, as far as the forge has told. Needs no request. */
	nowCalled(ref: RepositoryRef): RepositoryRef;
	/** Where its names lead now, without the files that were uploaded for them where these take requests of their own. */
	readonly references: RepositoryApi['references'];
	/** Those of anybody that the account may see. With a word some that have nothing of it in their names may be among them. */
	ofOwner(wanted: { readonly owner: OwnerName; readonly word: string }, signal: AbortSignal): Pages<Repository>;
	/** The owner's repository of this number, among all that the account may see. */
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
