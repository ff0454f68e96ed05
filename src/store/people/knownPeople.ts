import { LRUCache } from 'lru-cache';
import * as v from 'valibot';
import { assertNever } from '../../base/assertNever.ts';
import { Emitter } from '../../base/event.ts';
import { Disposables, onDispose } from '../../base/lifecycle.ts';
import type { Forge } from '../../forge/port/forge.ts';
import { refOfList, type ListRef } from '../../forge/port/list.ts';
import type { OwnerName } from '../../forge/port/user.ts';
import { distinctLists, knownLists, type KnownLists } from '../lists/knownLists.ts';
import type { ListStore } from '../lists/listStore.ts';
import type { ListStoreChange } from '../lists/listChange.ts';
import { mailsOfAccount } from '../lists/ownMails.ts';
import { mailsFromAddress } from '../lists/mailsFromAddress.ts';
import type { MailTexts } from '../lists/listMailTexts.ts';
import { onePerson, type OnePerson } from './onePerson.ts';
import { kept, type KeptText } from '../shared/keptText.ts';
import { mailsOf, type Person, type PersonListing } from './person.ts';
import { sentSearch, type SentSearch } from './sentPatchsets.ts';
import { SharedReads } from '../../base/sharedFlights.ts';

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
	owned.add(lists.onDidChange(heard));

	const places = async (asked: AbortSignal): Promise<readonly ListRef[]> =>
		(await knownLists(lists.shelf, asked)).lists;

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
			(signal) => placesOf(person, signal),
			() => person.now(),
			() => changed.fire({ name, part: 'sent' }),
		);
		const known: Known = { name, person, search, hasBegun: false };
		people.set(keyOf(name), known);
		return known;
	}

	function heard(change: ListStoreChange): void {
		const list = listOf(change);
		for (const { name, search } of people.values()) {
			if (list && search.looksInto(list)) {
				changed.fire({ name, part: 'sent' });
			}
		}
	}

	async function placesOf(one: OnePerson, signal: AbortSignal): Promise<KnownLists> {
		const [person, asked] = await Promise.all([readEnoughMails(one, signal), knownLists(lists.shelf, signal)]);
		const sentTo = mailsOf(person).flatMap(({ list }) => (list === undefined ? [] : [refOfList(list)]));
		return { lists: distinctLists([...asked.lists, ...sentTo]), failure: asked.failure };
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

/** The list with possibly changed patchsets. */
function listOf(change: ListStoreChange): ListRef | undefined {
	switch (change.kind) {
		case 'patchset':
			return change.patchset.list;
		case 'patchsets':
		case 'list':
			return change.list;
		case 'lists':
		case 'posts':
		case 'thread':
			return undefined;
		default:
			return assertNever(change);
	}
}

/** Servers look up people case-insensitively. */
function keyOf(name: OwnerName): string {
	return name.toLowerCase();
}
