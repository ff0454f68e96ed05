import { isForgeError } from '../../forge/port/forgeError.ts';
import type { ListApi } from '../../forge/port/forge.ts';
import type { ListRef, ShortEmail } from '../../forge/port/list.ts';
import type { Pages } from '../../forge/port/page.ts';
import { isSameAddress, onlySender } from '../../engine/mail/onlySender.ts';
import type { MailTexts } from './listMailTexts.ts';

/** Search limit; nobody waits longer. */
const mostLists = 20;
/** Limit of mails per list whose sender needs a check. */
const mostRead = 40;

/**
 * Mails from an address without an account. No endpoint lists them, so this searches list by list. Servers may ignore
 * the search terms, so each result counts only if its sender matches. `lists`: where to search.
 */
export async function* mailsFromAddress(
	api: ListApi,
	texts: MailTexts,
	lists: (signal: AbortSignal) => Promise<readonly ListRef[]>,
	address: string,
	signal: AbortSignal,
): Pages<ShortEmail> {
	const places = api.search ? (await lists(signal)).slice(0, mostLists) : [];
	let seen = 0;
	for (const [at, list] of places.entries()) {
		const found = await searched(api, list, address, signal);
		const read = await texts.readAll(
			found.map(({ id }) => id),
			signal,
		);
		const items = found.filter(({ id }) => {
			const reading = read.get(id)?.reading;
			return reading?.kind === 'read' && isSameAddress(onlySender(reading.mail)?.address, address);
		});
		seen += items.length;
		yield {
			items,
			seen,
			completeness: at < places.length - 1 ? { kind: 'more', total: undefined } : { kind: 'unstated' },
		};
	}
	if (places.length === 0) {
		yield { items: [], seen: 0, completeness: { kind: 'unstated' } };
	}
}

/** The newest mails without an account in the search results; none without a search. */
async function searched(
	api: ListApi,
	list: ListRef,
	address: string,
	signal: AbortSignal,
): Promise<readonly ShortEmail[]> {
	const pages = api.search?.(list, `from:${address}`, signal);
	try {
		const first = await pages?.next();
		const items = first === undefined || first.done === true ? [] : first.value.items;
		return items.filter(({ sender }) => sender === undefined).slice(0, mostRead);
	} catch (error) {
		if (isForgeError(error) && ['notFound', 'notAllowed', 'invalid', 'serverError'].includes(error.problem.kind)) {
			return [];
		}
		throw error;
	} finally {
		await pages?.return();
	}
}
