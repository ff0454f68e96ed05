import type { ListApi } from '../forge/forge.ts';
import type { MailPlace } from '../forge/destination.ts';
import { isForgeError } from '../forge/forgeError.ts';
import { refOfList, type ListRef, type ShortEmail } from '../forge/list.ts';
import { knownLists } from './knownLists.ts';
import type { ListStore } from './listStore.ts';

/** What finding a mail needs. */
export interface MailFinderParts {
	readonly forge: { readonly lists: Pick<ListApi, 'search'> };
	readonly lists: Pick<
		ListStore,
		'mailHereNamed' | 'mailNamed' | 'threadNamed' | 'knownPosts' | 'ownLists' | 'subscriptions' | 'followedLists'
	>;
}

/** A mail that was found, and where; servers do not always name its list. */
export interface FoundMail {
	readonly mail: ShortEmail;
	readonly list: ListRef | undefined;
}

/** Nobody waits for more lists than that. */
const mostLists = 20;
/** Servers that do not know the search answer with everything, of which no more than this is looked at. */
const mostPages = 4;

/**
 * A mail by its Message-ID; `undefined` when the forge has none. Addresses mostly lead to the first mail of a conversation,
 * which is read next: so that is asked for, and the mail comes with it once. One with a slash cannot be asked for by it
 * (observed-behaviour 5.3 and 9): it is looked for among what is known, in its thread, and by the search of its list, or
 * of the lists that the account knows.
 */
export async function findMail(
	{ forge, lists }: MailFinderParts,
	place: MailPlace,
	signal: AbortSignal,
): Promise<FoundMail | undefined> {
	const { messageId, list } = place;
	const found = (mail: ShortEmail | undefined, at = list): FoundMail | undefined =>
		mail && { mail, list: mail.list ? refOfList(mail.list) : at };
	if (!messageId.includes('/')) {
		return found(
			(await lists.mailHereNamed(messageId)) ??
				(await inThread(lists, { ...place, thread: place.thread ?? messageId }, signal)) ??
				(await unlessRefused(lists.mailNamed(messageId, signal), ['notFound'])),
		);
	}
	const known = list && lists.knownPosts(list)?.items.find((mail) => mail.messageId === messageId);
	const here = known ?? (await inThread(lists, place, signal));
	if (here) {
		return found(here);
	}
	const places = list ? [list] : (await knownLists(lists, signal)).lists.slice(0, mostLists);
	for (const each of places) {
		const inList = await unlessRefused(searched(forge.lists, each, messageId, signal), skipped);
		if (inList) {
			return found(inList, each);
		}
	}
	return undefined;
}

async function inThread(
	lists: Pick<ListStore, 'threadNamed'>,
	{ messageId, list, thread = '/' }: MailPlace,
	signal: AbortSignal,
): Promise<ShortEmail | undefined> {
	const mails = thread.includes('/')
		? undefined
		: await unlessRefused(lists.threadNamed({ messageId: thread, list }, signal), ['notFound']);
	return mails?.find((mail) => mail.messageId === messageId);
}

/** Why one list is passed over for the next. */
const skipped: readonly string[] = ['notFound', 'notAllowed', 'notOffered', 'invalid', 'serverError'];

async function searched(
	api: Pick<ListApi, 'search'>,
	list: ListRef,
	messageId: string,
	signal: AbortSignal,
): Promise<ShortEmail | undefined> {
	// Quotes and backslashes mean something in a search; no program puts them into a Message-ID.
	if (!api.search || /["'\\]/.test(messageId)) {
		return undefined;
	}
	let pages = 0;
	for await (const { items } of api.search(list, `message-id:${messageId.slice(1, -1)}`, signal)) {
		const found = items.find((mail) => mail.messageId === messageId);
		pages += 1;
		if (found || pages === mostPages) {
			return found;
		}
	}
	return undefined;
}

async function unlessRefused<T>(reading: Promise<T>, kinds: readonly string[]): Promise<T | undefined> {
	try {
		return await reading;
	} catch (error) {
		if (isForgeError(error) && kinds.includes(error.problem.kind)) {
			return undefined;
		}
		throw error;
	}
}
