import type { ListApi } from '../../forge/forge.ts';
import type { ShortEmail } from '../../forge/list.ts';
import { standIn } from '../shared/keptListing.ts';
import type { KeptListing } from '../shared/listing.ts';

/** The newest mails of the account itself, in all lists. */
export type OwnMails = (signal: AbortSignal) => Promise<readonly ShortEmail[]>;

/**
 * Reads one page, and adds to it what earlier windows have read: mails never change, so they hold for ever. While the forge
 * is away, these alone.
 */
export function ownMails(api: Pick<ListApi, 'emailsOf'>, disk: KeptListing<ShortEmail> | undefined): OwnMails {
	async function newest(signal: AbortSignal): Promise<readonly ShortEmail[]> {
		for await (const { items } of api.emailsOf?.(undefined, signal) ?? []) {
			return items;
		}
		return [];
	}

	return async (signal) => {
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
	};
}
