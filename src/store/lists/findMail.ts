import type { ListApi } from 'sourcehut/port/forge.ts';
import type { MailPlace } from 'sourcehut/port/destination.ts';
import { isForgeError } from 'sourcehut/port/forgeError.ts';
import { refOfList, type ListRef, type ShortEmail, listKey } from 'sourcehut/port/list.ts';
import { knownLists } from './knownLists.ts';
import type { FoundMail } from './listContents.ts';
import type { ListStore } from './listStore.ts';

/** Search limit; nobody waits longer. */
const mostLists = 20;
/** Page limit, for servers that ignore the search terms and return all mails. */
const mostPages = 4;

/**
 * Finds a mail by its Message-ID; `undefined` if the forge has none. Tries known mails first, then the thread with this
 * Message-ID, since most addresses name the first mail of a thread. A Message-ID with a slash does not fit into a path
 * (docs/protocol.md#message-ids-in-paths): the search covers its thread, then its list or the account's lists.
 */
export async function findMail(
	lists: ListStore,
	place: MailPlace,
	signal: AbortSignal,
): Promise<FoundMail | undefined> {
	const { messageId, list, thread = messageId } = place;
	const known = lists.knownMailNamed(messageId, list);
	if (known) {
		return known;
	}
	// An earlier result, perhaps of another window. Another list may have a mail with this Message-ID.
	const here = await lists.mails.hereNamed(messageId);
	const isElsewhere = here?.list && list && listKey(refOfList(here.list)) !== listKey(list);
	if (here && isElsewhere !== true) {
		return foundAt(here, list);
	}
	let found: FoundMail | undefined;
	if (messageId.includes('/')) {
		found = await foundBeside(lists, place, signal);
	} else {
		const inItsThread = await inThread(lists, { ...place, thread }, signal);
		const mail = inItsThread ?? (await unlessRefused(lists.mails.mailNamed(place, signal), ['notFound']));
		found = mail && foundAt(mail, list);
	}
	if (found) {
		lists.mails.foundNamed(messageId, found.mail.id);
	}
	return found;
}

/** For a Message-ID that servers would parse as part of a path. */
async function foundBeside(lists: ListStore, place: MailPlace, signal: AbortSignal): Promise<FoundMail | undefined> {
	const { messageId, list } = place;
	const mail = await inThread(lists, place, signal);
	if (mail) {
		return foundAt(mail, list);
	}
	const places = list ? [list] : (await knownLists(lists.collection, signal)).lists.slice(0, mostLists);
	for (const each of places) {
		const inList = await unlessRefused(searched(lists.uncached.search, each, messageId, signal), skipped);
		if (inList) {
			return foundAt(inList, each);
		}
	}
	return undefined;
}

function foundAt(mail: ShortEmail, list: ListRef | undefined): FoundMail {
	return { mail, list: mail.list ? refOfList(mail.list) : list };
}

async function inThread(
	lists: ListStore,
	{ messageId, list, thread = '/' }: MailPlace,
	signal: AbortSignal,
): Promise<ShortEmail | undefined> {
	const mails = thread.includes('/')
		? undefined
		: await unlessRefused(lists.threadNamed({ messageId: thread, list }, signal), ['notFound']);
	return mails?.find((mail) => mail.messageId === messageId);
}

/** Errors that skip a list. */
const skipped: readonly string[] = ['notFound', 'notAllowed', 'notOffered', 'invalid', 'serverError'];

async function searched(
	search: ListApi['search'],
	list: ListRef,
	messageId: string,
	signal: AbortSignal,
): Promise<ShortEmail | undefined> {
	// Quotes and backslashes have a meaning in a search, and no mail program puts them into a Message-ID.
	if (!search || /["'\\]/.test(messageId)) {
		return undefined;
	}
	let pages = 0;
	for await (const { items } of search(list, `message-id:${messageId.slice(1, -1)}`, signal)) {
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
