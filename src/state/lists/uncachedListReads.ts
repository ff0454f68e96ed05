import type { ListApi } from '../../forge/forge.ts';
import type { ShortEmail } from '../../forge/list.ts';

/** Reads of lists of which nothing is kept. */
export interface UncachedListReads {
	/** As the port has it: absent where a server cannot. */
	readonly search: ListApi['search'];
	/** The newest mails of the account itself, in all lists. */
	newestOwnMails(signal: AbortSignal): Promise<readonly ShortEmail[]>;
}

export function uncachedListReads(api: Pick<ListApi, 'search' | 'emailsOf'>): UncachedListReads {
	return {
		get search() {
			return api.search?.bind(api);
		},
		async newestOwnMails(signal) {
			for await (const { items } of api.emailsOf?.(undefined, signal) ?? []) {
				return items;
			}
			return [];
		},
	};
}
