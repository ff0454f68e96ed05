import type { ListApi } from '../../forge/forge.ts';
import type { ListRef, ShortEmail } from '../../forge/list.ts';
import type { Pages } from '../../forge/page.ts';
import type { OwnerName } from '../../forge/user.ts';
import { standIn } from '../shared/keptListing.ts';
import type { KeptListing } from '../shared/listing.ts';
import { mailsOfAccount, mostLists } from './mailsOfAccount.ts';

/** The newest mails of the account itself. */
export interface OwnMails {
	/**
	 * Those of all lists, where the forge lists them; else those among the newest mails of each list that the account knows.
	 * Those that earlier windows have read are always there.
	 */
	read(signal: AbortSignal): Promise<readonly ShortEmail[]>;
	/** How many requests that takes of an account that knows so many lists. */
	requests(lists: number): number;
}

export interface OwnMailsParts {
	readonly api: Pick<ListApi, 'emailsOf' | 'mails'>;
	readonly me: OwnerName;
	readonly lists: (signal: AbortSignal) => Promise<readonly ListRef[]>;
	readonly disk: KeptListing<ShortEmail> | undefined;
}

/**
 * Reads one page, and adds to it what earlier windows have read: mails never change, so they hold for ever. While the forge
 * is away, these alone.
 */
export function ownMails({ api, me, lists, disk }: OwnMailsParts): OwnMails {
	function pages(signal: AbortSignal): Pages<ShortEmail> {
		return api.emailsOf?.(undefined, signal) ?? mailsOfAccount({ api, lists }, me, signal);
	}

	async function newest(signal: AbortSignal): Promise<readonly ShortEmail[]> {
		for await (const { items } of pages(signal)) {
			return items;
		}
		return [];
	}

	return {
		async read(signal) {
			try {
				const read = await newest(signal);
				const before = (await disk?.read())?.value.items ?? [];
				const all = new Map([...before, ...read].map((mail) => [mail.id, mail]));
				const items = [...all.values()].toSorted((a, b) => b.createdMs - a.createdMs);
				disk?.keep({ items, completeness: { kind: 'unstated' } });
				return items;
			} catch (error) {
				const kept = await standIn(disk, error);
				if (!kept) {
					throw error;
				}
				return kept.value.items;
			}
		},
		requests: (count) => (api.emailsOf ? 1 : Math.min(count, mostLists)),
	};
}
