import { isForgeError } from '../../forge/port/forgeError.ts';
import type { ListApi } from '../../forge/port/forge.ts';
import type { ListRef, ShortEmail } from '../../forge/port/list.ts';
import type { Pages } from '../../forge/port/page.ts';
import type { OwnerName } from '../../forge/port/user.ts';

/** Search limit; nobody waits longer. */
export const mostLists = 20;

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
