import { isForgeError } from '../../forge/forgeError.ts';
import type { ListApi } from '../../forge/forge.ts';
import type { ListRef, ShortEmail } from '../../forge/list.ts';
import type { Pages } from '../../forge/page.ts';
import { isSameAddress, onlySender } from '../../mail/onlySender.ts';
import type { MailTexts } from './listMailTexts.ts';

/** What looking for somebody's mails needs. */
export interface MailSearchParts {
	readonly api: Pick<ListApi, 'search'>;
	readonly texts: Pick<MailTexts, 'readAll'>;
	/** Where to look. */
	readonly lists: (signal: AbortSignal) => Promise<readonly ListRef[]>;
}

/** Nobody waits for more lists than that. */
const mostLists = 20;
/** Found mails that are read in one list, to see who wrote them. */
const mostRead = 40;

/**
 * Mails from an address without account, list by list: no area lists them, but lists can be searched. Servers that do
 * not know the search answer with everything, so what was found is read and counts only where its sender has the address.
 */
export async function* mailsFromAddress(
	{ api, texts, lists }: MailSearchParts,
	address: string,
	signal: AbortSignal,
): Pages<ShortEmail> {
	const places = api.search ? (await lists(signal)).slice(0, mostLists) : [];
	let seen = 0;
	for (const [at, list] of places.entries()) {
		const found = await searched(api, { list, address }, signal);
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

/** The newest mails without account that a list's search finds; none where the list cannot be searched. */
async function searched(
	api: MailSearchParts['api'],
	{ list, address }: { readonly list: ListRef; readonly address: string },
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
