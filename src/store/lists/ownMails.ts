import { pushAll } from '@forge-desk/base/longArrays.ts';
import type { ListApi } from 'sourcehut/port/forge.ts';
import { isForgeError } from 'sourcehut/port/forgeError.ts';
import type { ListRef, ShortEmail } from 'sourcehut/port/list.ts';
import type { Pages } from 'sourcehut/port/page.ts';
import type { OwnerName } from 'sourcehut/port/user.ts';
import { standIn } from '../shared/pagedList.ts';
import type { KeptListing } from '../shared/listing.ts';

/** Search limit; nobody waits longer. */
const mostLists = 20;

/**
 * Mails of an account for servers without such an endpoint: filters the mails of these lists, a page of each at a time.
 * Skips refusing lists, and the result is never complete. `lists`: where to search.
 */
export async function* mailsOfAccount(
	api: ListApi,
	lists: (signal: AbortSignal) => Promise<readonly ListRef[]>,
	account: OwnerName,
	signal: AbortSignal,
): Pages<ShortEmail> {
	const walks = (await lists(signal)).slice(0, mostLists).flatMap((list) => api.mails?.(list, signal) ?? []);
	let open: readonly Pages<ShortEmail>[] = walks;
	let seen = 0;
	try {
		do {
			const pages = await Promise.all(open.map(nextOf));
			open = pages.flatMap(({ walk, isOver }) => (isOver ? [] : [walk]));
			const items = pages.flatMap(({ mails }) => mails.filter(({ sender }) => sender?.canonicalName === account));
			seen += items.length;
			yield { items, seen, completeness: open.length > 0 ? { kind: 'more', total: undefined } : { kind: 'unstated' } };
		} while (open.length > 0);
	} finally {
		await Promise.all(walks.map((walk) => walk.return()));
	}
}

async function nextOf(walk: Pages<ShortEmail>) {
	try {
		const { done, value } = await walk.next();
		return done === true
			? { walk, mails: [], isOver: true }
			: { walk, mails: value.items, isOver: value.completeness.kind !== 'more' };
	} catch (error) {
		if (isForgeError(error) && (error.problem.kind === 'notFound' || error.problem.kind === 'notAllowed')) {
			return { walk, mails: [], isOver: true };
		}
		throw error;
	}
}

/** Page limit. Drops the oldest mails. */
const mostPages = 5;

/** The account's newest mails. */
export type OwnMails = ReturnType<typeof ownMails>;

/**
 * Merges a few pages with the stored mails. Mails never change, so stored ones stay valid. Offline, returns the stored
 * mails.
 */
export function ownMails(
	api: ListApi,
	me: OwnerName,
	lists: (signal: AbortSignal) => Promise<readonly ListRef[]>,
	disk: KeptListing<ShortEmail> | undefined,
) {
	async function readSince(sinceMs: number, signal: AbortSignal): Promise<readonly ShortEmail[]> {
		try {
			const before = (await disk?.read())?.value.items ?? [];
			const ids = new Set(oldestMs(before) <= sinceMs ? before.map(({ id }) => id) : []);
			const read: ShortEmail[] = [];
			let count = 0;
			const pages = api.emailsOf?.(undefined, signal) ?? mailsOfAccount(api, lists, me, signal);
			for await (const { items: page } of pages) {
				pushAll(read, page);
				count += 1;
				// Without the endpoint, each page belongs to all lists.
				const isEnough = !api.emailsOf || oldestMs(page) <= sinceMs || page.some(({ id }) => ids.has(id));
				if (count >= mostPages || isEnough) {
					break;
				}
			}
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
		/**
		 * From all lists if the forge lists them; else from the newest mails of each known list. Includes the stored mails.
		 */
		read: (signal: AbortSignal) => readSince(Infinity, signal),
		/**
		 * The same back to a time, if the forge lists them: reads pages until the stored mails continue. `sinceMs`:
		 * milliseconds since 1970.
		 */
		readSince,
		/** Number of requests for an account with this many lists. */
		requests: (count: number) => (api.emailsOf ? 1 : Math.min(count, mostLists)),
	};
}

/** `Infinity` for none. */
function oldestMs(mails: readonly ShortEmail[]): number {
	return mails.reduce((oldest, { createdMs }) => Math.min(oldest, createdMs), Infinity);
}
