import { LRUCache } from 'lru-cache';
import * as v from 'valibot';
import { Emitter } from '@forge-desk/base/event.ts';
import { Disposables, onDispose } from '@forge-desk/base/lifecycle.ts';
import type { Forge, ListApi } from 'sourcehut/port/forge.ts';
import { refOfList, type ListRef, listKey, type Patchset, type ShortEmail } from 'sourcehut/port/list.ts';
import type { OwnerName } from 'sourcehut/port/user.ts';
import { distinctLists, knownLists, type KnownLists } from '../lists/knownLists.ts';
import type { ListStore } from '../lists/listStore.ts';
import { mailsOfAccount } from '../lists/ownMails.ts';
import type { MailTexts } from '../lists/listMailTexts.ts';
import { onePerson, type OnePerson } from './onePerson.ts';
import { kept, type KeptText } from '../shared/keptText.ts';
import { mailsOf, type Person, type PersonListing, type SentPatchset, type SentPatchsets } from './person.ts';
import { SharedReads } from '@forge-desk/base/sharedFlights.ts';
import { isAbort } from '@forge-desk/base/abort.ts';
import { sentBy } from './sentBy.ts';
import { isForgeError } from 'sourcehut/port/forgeError.ts';
import type { Pages } from 'sourcehut/port/page.ts';
import { isSameAddress, onlySender } from 'patchmail/mail/onlySender.ts';

/** A change of a person, by the requested name. */
export interface PersonChange {
	readonly name: OwnerName;
	readonly part: 'person' | 'sent';
}

/** Maximum number of people; evicts the least recently used. */
const mostPeople = 100;
/** Pages of a person's mails to read, to find their lists and patchsets. */
const mailPages = 4;

const everything: readonly PersonListing[] = ['trackers', 'lists', 'repositories', 'mails'];

/** People and their patchsets. Names are `~name` or e-mail addresses, case-insensitive. */
export type PersonStore = ReturnType<typeof knownPeople>;

/** `address`: storage for the account's own address. */
export function knownPeople(forge: Forge, lists: ListStore, texts: MailTexts, address: KeptText) {
	const owned = new Disposables();
	const changed = owned.add(new Emitter<PersonChange>());
	const people = new LRUCache<string, Known>({ max: mostPeople, dispose: (known) => known.person.dispose() });
	const reads = new SharedReads<void>();
	const ownAddress = kept<string | undefined>(address, v.string(), undefined);
	owned.add(onDispose(() => reads.abortAll()));
	owned.add(onDispose(() => people.clear()));
	owned.add(
		lists.onDidChange((change) => {
			const isOfPatchsets = change.kind === 'patchsets' || change.kind === 'list';
			const list = change.kind === 'patchset' ? change.patchset.list : isOfPatchsets ? change.list : undefined;
			for (const { name, search } of people.values()) {
				if (list && search.looksInto(list)) {
					changed.fire({ name, part: 'sent' });
				}
			}
		}),
	);

	const places = async (asked: AbortSignal): Promise<readonly ListRef[]> =>
		(await knownLists(lists.collection, asked)).lists;

	function ofName(name: OwnerName): Known {
		const before = people.get(keyOf(name));
		if (before) {
			return before;
		}
		const person = onePerson(
			name,
			forge,
			(whose, signal) =>
				whose.startsWith('~')
					? mailsOfAccount(forge.lists, places, whose, signal)
					: mailsFromAddress(forge.lists, texts, places, whose, signal),
			() => changed.fire({ name, part: 'person' }),
		);
		const search = sentSearch(
			lists,
			async (signal) => {
				const [enough, asked] = await Promise.all([
					readEnoughMails(person, signal),
					knownLists(lists.collection, signal),
				]);
				const sentTo = mailsOf(enough).flatMap(({ list }) => (list === undefined ? [] : [refOfList(list)]));
				return { lists: distinctLists([...asked.lists, ...sentTo]), failure: asked.failure };
			},
			() => person.now(),
			() => changed.fire({ name, part: 'sent' }),
		);
		const known: Known = { name, person, search, hasBegun: false };
		people.set(keyOf(name), known);
		return known;
	}

	async function readEnoughMails(person: OnePerson, signal: AbortSignal): Promise<Person> {
		await person.read(['mails'], signal);
		for (let page = 1; page < mailPages; page += 1) {
			const { mails } = person.now();
			if (mails.kind !== 'known' || mails.value.completeness.kind !== 'more') {
				break;
			}
			await person.more('mails', signal).catch((error: unknown) => {
				signal.throwIfAborted();
				return error; // The loaded pages remain usable.
			});
		}
		return person.now();
	}

	return {
		/** No request. */
		known(name: OwnerName) {
			const known = people.get(keyOf(name));
			return known?.hasBegun === true ? known.person.now() : undefined;
		},
		/**
		 * Reads all unloaded or failed parts; `onDidChange` fires for each. Resolves when all have loaded or failed.
		 * Rejects only with aborts.
		 */
		async read(name: OwnerName, signal: AbortSignal) {
			const known = ofName(name);
			known.hasBegun = true;
			await known.person.read(everything, signal);
			return known.person.now();
		},
		/** Reads the next page of one part. On errors, rejects and keeps the loaded data. */
		async more(name: OwnerName, part: PersonListing, signal: AbortSignal) {
			const { person } = ofName(name);
			await person.more(part, signal);
			return person.now();
		},
		/** Loaded matches; no request. */
		sent: (name: OwnerName) => people.get(keyOf(name))?.search.now() ?? { items: [], lists: [], failure: undefined },
		/**
		 * Searches all known lists (own, subscribed, followed) and those with mails of the person. Covers some hundred
		 * patchsets per list; `deeper` adds as many. A failing list appears in `lists` without affecting others.
		 * Rejects only with aborts.
		 */
		async readSent(name: OwnerName, options: { readonly deeper: boolean }, signal: AbortSignal) {
			const { search } = ofName(name);
			const key = `${keyOf(name)} ${String(options.deeper)}`;
			await reads.read(key, (shared) => search.read(options, shared), signal);
			return search.now();
		},
		onDidChange: changed.event,
		/** Reads the account's own profile in the list area. Stores its address across restarts. */
		async ownProfile(signal: AbortSignal) {
			const profile = await forge.users.user('lists', undefined, signal);
			if (profile.email !== undefined && profile.email !== ownAddress()) {
				await address.write(JSON.stringify(profile.email));
			}
			return profile;
		},
		/** Last known address of the account. No request. */
		ownAddress,
		dispose: () => owned.dispose(),
	};
}

interface Known {
	readonly name: OwnerName;
	readonly person: OnePerson;
	readonly search: SentSearch;
	hasBegun: boolean;
}

/** Servers look up people case-insensitively. */
function keyOf(name: OwnerName): string {
	return name.toLowerCase();
}

/** Pages per list for the first search and for each "deeper". */
const pagesAtATime = 2;
/** Concurrent list reads. */
const listsAtATime = 4;

interface Place {
	readonly list: ListRef;
	/** Wanted pages. */
	pages: number;
	/** Requested pages. */
	asked: number;
	readers: number;
	failure: { readonly error: unknown } | undefined;
}

/** Search for one person's patchsets. */
type SentSearch = ReturnType<typeof sentSearch>;

/**
 * Searches lists for a person's patchsets. The list store caches the pages. `findPlaces`: lists to search. `person`: the
 * same object until the person changes. `changed`: called after each change.
 */
function sentSearch(
	lists: ListStore,
	findPlaces: (signal: AbortSignal) => Promise<KnownLists>,
	person: () => Person,
	changed: () => void,
) {
	const places = new Map<string, Place>();
	/** Matches per list, cached by listing and person. */
	const found = new Map<
		string,
		{
			readonly items: readonly Patchset[];
			readonly sender: Person;
			readonly sent: readonly SentPatchset[];
		}
	>();
	let listFailure: KnownLists['failure'];

	async function readPlace(place: Place, signal: AbortSignal): Promise<void> {
		place.readers += 1;
		place.failure = undefined;
		changed();
		try {
			if (!lists.patchsets(place.list).known()) {
				place.asked = 0;
			}
			let listing = await lists.patchsets(place.list).first(signal);
			place.asked = Math.max(place.asked, 1);
			while (place.asked < place.pages && listing.completeness.kind === 'more') {
				listing = await lists.patchsets(place.list).more(signal);
				place.asked += 1;
			}
		} catch (error) {
			if (isAbort(error)) {
				throw error;
			}
			place.failure = { error };
		} finally {
			place.readers -= 1;
			changed();
		}
	}

	function itemsIn({ list }: Place): readonly SentPatchset[] {
		const items = lists.knownPatchsets(list);
		const sender = person();
		const key = listKey(list);
		const before = found.get(key);
		if (before?.items === items && before.sender === sender) {
			return before.sent;
		}
		const mails = mailsOf(sender).filter((mail) => mail.list && listKey(refOfList(mail.list)) === key);
		const isTheirs = sentBy({ account: sender.account, address: sender.address, mails });
		const sent = items.filter(isTheirs).map((patchset) => ({ ref: { list, id: patchset.id }, patchset }));
		found.set(key, { items, sender, sent });
		return sent;
	}

	return {
		now(): SentPatchsets {
			const all = [...places.values()];
			return {
				items: all.flatMap(itemsIn).sort((a, b) => b.patchset.createdMs - a.patchset.createdMs || b.ref.id - a.ref.id),
				lists: all.map(({ list, readers, failure }) => {
					if (failure) {
						return { list, part: { kind: 'failed', error: failure.error } };
					}
					const known = lists.patchsets(list).known();
					const isReading = readers > 0 || !known;
					return { list, part: isReading ? { kind: 'reading' } : { kind: 'known', value: known.completeness } };
				}),
				failure: listFailure,
			};
		},
		/** Rejects only with aborts. */
		async read({ deeper }: { readonly deeper: boolean }, signal: AbortSignal) {
			const asked = await findPlaces(signal);
			listFailure = asked.failure;
			for (const list of asked.lists) {
				const place = places.get(listKey(list)) ?? { list, pages: 0, asked: 0, readers: 0, failure: undefined };
				place.pages = place.pages === 0 ? pagesAtATime : place.pages + (deeper ? pagesAtATime : 0);
				places.set(listKey(list), place);
			}
			const left = [...places.values()];
			const work = async (): Promise<void> => {
				for (let place = left.shift(); place; place = left.shift()) {
					await readPlace(place, signal);
				}
			};
			await Promise.all(Array.from({ length: listsAtATime }, work));
		},
		/** True when the search covers this list. */
		looksInto: (list: ListRef) => places.has(listKey(list)),
	};
}

/** Search limit; nobody waits longer. */
const mostLists = 20;
/** Limit of mails per list whose sender needs a check. */
const mostRead = 40;

/**
 * Mails from an address without an account. No endpoint lists them, so this searches list by list. Servers may ignore
 * the search terms, so each result counts only if its sender matches. `lists`: where to search.
 */
async function* mailsFromAddress(
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
