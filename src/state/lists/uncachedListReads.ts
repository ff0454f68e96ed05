import type { ListApi } from '../../forge/forge.ts';

/** Reads of lists of which nothing is kept. */
export interface UncachedListReads {
	/** As the port has it: absent where a server cannot. */
	readonly search: ListApi['search'];
}

export function uncachedListReads(api: Pick<ListApi, 'search'>): UncachedListReads {
	return {
		get search() {
			return api.search?.bind(api);
		},
	};
}
