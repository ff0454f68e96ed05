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
	/**
	 * The same, back to a time where the forge lists them: a few pages more, until those that earlier windows have read go
	 * on from there. `sinceMs`: milliseconds since 1970.
	 */
	readSince(sinceMs: number, signal: AbortSignal): Promise<readonly ShortEmail[]>;
	/** How many requests that takes of an account that knows so many lists. */
	requests(lists: number): number;
}

export interface OwnMailsParts {
	readonly api: Pick<ListApi, 'emailsOf' | 'mails'>;
	readonly me: OwnerName;
	readonly lists: (signal: AbortSignal) => Promise<readonly ListRef[]>;
	readonly disk: KeptListing<ShortEmail> | undefined;
}

/** Of somebody who writes more than that, the oldest stay unknown. */
const mostPages = 5;

/**
 * Reads one page, or a few, and adds to it what earlier windows have read: mails never change, so they hold for ever. While the forge
 * is away, these alone.
 */
export function ownMails({ api, me, lists, disk }: OwnMailsParts): OwnMails {
	function pages(signal: AbortSignal): Pages<ShortEmail> {
		return api.emailsOf?.(undefined, signal) ?? mailsOfAccount({ api, lists }, me, signal);
	}

	/** Answers as soon as a page reaches back to what is wanted. */
	async function newest(
		isEnough: (page: readonly ShortEmail[]) => boolean,
		signal: AbortSignal,
	): Promise<readonly ShortEmail[]> {
		const all: ShortEmail[] = [];
		let count = 0;
		for await (const { items } of pages(signal)) {
			all.push(...items);
			count += 1;
			if (count >= mostPages || isEnough(items)) {
				break;
			}
		}
		return all;
	}

	async function readSince(sinceMs: number, signal: AbortSignal): Promise<readonly ShortEmail[]> {
		try {
			const before = (await disk?.read())?.value.items ?? [];
			const ids = new Set(oldestMs(before) <= sinceMs ? before.map(({ id }) => id) : []);
			// Where the forge does not list them, each page is one of every list.
			const isEnough = (page: readonly ShortEmail[]): boolean =>
				!api.emailsOf || oldestMs(page) <= sinceMs || page.some(({ id }) => ids.has(id));
			const read = await newest(isEnough, signal);
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
	}

	return {
		read: (signal) => readSince(Infinity, signal),
		readSince,
		requests: (count) => (api.emailsOf ? 1 : Math.min(count, mostLists)),
	};
}

/** `Infinity` of none. */
function oldestMs(mails: readonly ShortEmail[]): number {
	return mails.reduce((oldest, { createdMs }) => Math.min(oldest, createdMs), Infinity);
}
