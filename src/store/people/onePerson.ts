import { isAbort } from '@forge-desk/base/abort.ts';
import { onDispose, Disposables } from '@forge-desk/base/lifecycle.ts';
import type { Forge } from 'sourcehut/port/forge.ts';
import { ForgeError, isForgeError } from 'sourcehut/port/forgeError.ts';
import type { ContentArea } from 'sourcehut/port/instance.ts';
import type { ShortEmail } from 'sourcehut/port/list.ts';
import type { Pages } from 'sourcehut/port/page.ts';
import type { OwnerName, User } from 'sourcehut/port/user.ts';
import type { Person, PersonListing } from './person.ts';
import type { ReadPart, Listing } from '../shared/listing.ts';
import { SharedReads } from '@forge-desk/base/sharedFlights.ts';
import { PagedList } from '../shared/pagedList.ts';
import type { ListSource } from '../shared/pageRead.ts';

/** True for an e-mail address; only the list area knows people by it (docs/protocol.md#known-by-use). */
function isAddress(name: OwnerName): boolean {
	return !name.startsWith('~') && name.includes('@');
}

/** One person with separately loaded parts. */
export type OnePerson = ReturnType<typeof onePerson>;

/**
 * Sends no request before `read`. `mailsFrom`: mails by an address without account, or by an account if the forge has
 * no such list. `changed`: called after each change.
 */
export function onePerson(
	name: OwnerName,
	forge: Forge,
	mailsFrom: (name: string, signal: AbortSignal) => Pages<ShortEmail>,
	changed: () => void,
) {
	const owned = new Disposables();
	const profileReads = new SharedReads<User | undefined>();
	let profile: ReadPart<User | undefined> = { kind: 'reading' };
	let last: Person | undefined;
	owned.add(onDispose(() => profileReads.abortAll()));

	function told(): void {
		last = undefined;
		changed();
	}

	function account(): OwnerName | undefined {
		if (!isAddress(name)) {
			return name;
		}
		return profile.kind === 'known' ? profile.value?.canonicalName : undefined;
	}

	/** Items of the person's account; empty without one. */
	function theirs<T>(open: (owner: OwnerName | undefined) => Pages<T>): Pages<T> {
		const owner = account();
		return owner === undefined ? emptyPages() : open(ownerOf(owner));
	}

	/** `undefined` for oneself, because only that request includes private items. */
	function ownerOf(whose: OwnerName): OwnerName | undefined {
		return whose === forge.me ? undefined : whose;
	}

	const parts = {
		trackers: owned.add(
			personPart({ open: (signal) => theirs((owner) => forge.trackers.trackers(owner, signal)), ...byName }, told),
		),
		lists: owned.add(
			personPart({ open: (signal) => theirs((owner) => forge.lists.lists(owner, signal)), ...byName }, told),
		),
		repositories: owned.add(
			personPart(
				{ open: (signal) => theirs((owner) => forge.repositories.repositories(owner, signal)), ...byName },
				told,
			),
		),
		mails: owned.add(
			personPart(
				{
					open: (signal) => {
						const owner = account();
						return owner !== undefined && forge.lists.emailsOf
							? forge.lists.emailsOf(ownerOf(owner), signal)
							: mailsFrom(owner ?? name, signal);
					},
					...newestFirst,
				},
				told,
			),
		),
	};

	/** A 404 in one area doesn't mean that the person has no account elsewhere. */
	async function askProfile(signal: AbortSignal): Promise<User | undefined> {
		const areas: readonly ContentArea[] = isAddress(name) ? ['lists'] : ['lists', 'todo', 'git'];
		for (const area of areas) {
			try {
				return await forge.users.user(area, ownerOf(name), signal);
			} catch (error) {
				if (!isForgeError(error) || error.problem.kind !== 'notFound') {
					throw error;
				}
			}
		}
		if (isAddress(name)) {
			return undefined;
		}
		throw new ForgeError({ kind: 'notFound' }, { about: name });
	}

	async function readProfile(signal: AbortSignal): Promise<void> {
		if (profile.kind === 'known') {
			return;
		}
		try {
			profile = { kind: 'known', value: await profileReads.read('profile', askProfile, signal) };
		} catch (error) {
			if (isAbort(error)) {
				throw error;
			}
			profile = { kind: 'failed', error };
		}
		told();
	}

	/** Without the profile, the owner of an address is unknown, so all parts fail with it. */
	function partOf<T>(part: { now(): ReadPart<T> }): ReadPart<T> {
		return isAddress(name) && profile.kind === 'failed' ? profile : part.now();
	}

	async function readParts(wanted: readonly PersonListing[], signal: AbortSignal): Promise<void> {
		if (!isAddress(name) || profile.kind === 'known') {
			await Promise.all(wanted.map((part) => parts[part].read(signal)));
		}
	}

	return {
		/** The same object until something changes. */
		now() {
			last ??= {
				name,
				account: account(),
				address: isAddress(name) ? name : profile.kind === 'known' ? profile.value?.email : undefined,
				profile,
				trackers: partOf(parts.trackers),
				lists: partOf(parts.lists),
				repositories: partOf(parts.repositories),
				mails: partOf(parts.mails),
			};
			return last;
		},
		/** Reads the profile and the unloaded parts among `wanted`. Rejects only with aborts. */
		async read(wanted: readonly PersonListing[], signal: AbortSignal) {
			if (isAddress(name)) {
				await readProfile(signal);
				await readParts(wanted, signal);
			} else {
				await Promise.all([readProfile(signal), readParts(wanted, signal)]);
			}
		},
		/** Reads the next page of one part. Rejects on errors. */
		more: (part: PersonListing, signal: AbortSignal) => parts[part].more(signal),
		dispose: () => owned.dispose(),
	};
}

async function* emptyPages(): Pages<never> {
	yield { items: [], seen: 0, completeness: { kind: 'complete' } };
}

const byName = {
	idOf: ({ name }: { readonly name: string }): string => name,
	compare: (a: { readonly name: string }, b: { readonly name: string }): number =>
		a.name.localeCompare(b.name, 'en') || (a.name < b.name ? -1 : 1),
};

const newestFirst = {
	idOf: ({ id }: { readonly id: number }): number => id,
	compare: (a: { readonly id: number }, b: { readonly id: number }): number => b.id - a.id,
};

/** One paged part. `changed`: called whenever `now` changes. */
function personPart<T>(list: ListSource<T>, changed: () => void) {
	const paged = new PagedList({
		...list,
		async *open(signal) {
			try {
				yield* list.open(signal);
			} catch (error) {
				// Users get an account per area on their first visit, so a 404 means an empty list.
				if (!isForgeError(error) || error.problem.kind !== 'notFound') {
					throw error;
				}
				yield* emptyPages();
			}
		},
	});
	let failure: { readonly error: unknown } | undefined;

	return {
		now(): ReadPart<Listing<T>> {
			const value = paged.known();
			if (value) {
				return { kind: 'known', value };
			}
			return failure ? { kind: 'failed', error: failure.error } : { kind: 'reading' };
		},
		/** Reads the first page unless loaded. Rejects only with aborts; `now` reports other errors. */
		async read(signal: AbortSignal) {
			if (paged.known()) {
				return;
			}
			failure = undefined;
			try {
				await paged.first(signal);
			} catch (error) {
				if (isAbort(error)) {
					throw error;
				}
				failure = { error };
			}
			changed();
		},
		/** Reads the next page. Rejects on errors. */
		async more(signal: AbortSignal) {
			await paged.more(signal);
			changed();
		},
		dispose: () => paged.close(),
	};
}
