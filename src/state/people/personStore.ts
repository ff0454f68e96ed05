import type { Event } from '../../base/event.ts';
import type { ListRef, MailingList, Patchset, PatchsetRef, ShortEmail } from '../../forge/list.ts';
import type { Completeness } from '../../forge/page.ts';
import type { Repository } from '../../forge/repository.ts';
import type { Tracker } from '../../forge/tracker.ts';
import type { OwnerName, User } from '../../forge/user.ts';
import type { Listing } from '../shared/listing.ts';
import type { ReadPart } from '../shared/readPart.ts';

/** What a person has that is read page by page. */
export type PersonListing = 'trackers' | 'lists' | 'repositories' | 'mails';

/** All that one account may see of somebody, each part read and failing by itself. */
export interface Person {
	/** As asked for: `~bob` or an e-mail address. */
	readonly name: OwnerName;
	/** `~bob`, once it is known that there is an account; everything but mails is asked for by this name. */
	readonly account: OwnerName | undefined;
	/** E-mail address: the one asked for, else the profile's. */
	readonly address: string | undefined;
	/** `undefined` inside `known`: an address without account. Then trackers, lists and repositories are empty. */
	readonly profile: ReadPart<User | undefined>;
	readonly trackers: ReadPart<Listing<Tracker>>;
	readonly lists: ReadPart<Listing<MailingList>>;
	readonly repositories: ReadPart<Listing<Repository>>;
	/** Mails of theirs that came to lists which the account may browse, newest first. */
	readonly mails: ReadPart<Listing<ShortEmail>>;
}

/** A patchset that somebody sent. */
export interface SentPatchset {
	readonly ref: PatchsetRef;
	readonly patchset: Patchset;
}

/** How far one list was looked through. */
export interface LookedThrough {
	readonly list: ListRef;
	/** `more`: only its newest patchsets were looked at, see `PersonStore.readSent`. */
	readonly part: ReadPart<Completeness>;
}

/** The patchsets that somebody sent, as far as the lists that are known were looked through. */
export interface SentPatchsets {
	/** Newest first; grows while lists are read. The same patchset as the list store knows it now. */
	readonly items: readonly SentPatchset[];
	/** Every list that is looked through, for progress and for what failed. Empty before the first read. */
	readonly lists: readonly LookedThrough[];
	/** Asking which lists there are failed, so that some may be missing. */
	readonly failure: { readonly error: unknown } | undefined;
}

/** What changed of a person, by the name that was asked for. */
export interface PersonChange {
	readonly name: OwnerName;
	readonly part: 'person' | 'sent';
}

/** People: what they have on the forge, and what they sent. Names are `~name` or e-mail addresses, in any case of letters. */
export interface PersonStore {
	/** Without asking. */
	known(name: OwnerName): Person | undefined;
	/**
	 * Reads every part that is not known or failed before; `onDidChange` tells of each as it comes. Resolves when all of
	 * them are there or failed; throws nothing but an abort.
	 */
	read(name: OwnerName, signal: AbortSignal): Promise<Person>;
	/** The same, whatever is known. */
	renew(name: OwnerName, signal: AbortSignal): Promise<Person>;
	/** Reads on in one part. Throws what went wrong, and what was known stays. */
	more(name: OwnerName, part: PersonListing, signal: AbortSignal): Promise<Person>;
	/** Without asking; as far as was read. */
	sent(name: OwnerName): SentPatchsets;
	/**
	 * Looks through all lists that the account knows (its own, subscribed and followed ones) and those that mails of the
	 * person came to, each up to some hundred patchsets deep, `deeper` that many more. A list that fails is told in
	 * `lists` and hides nothing of the others. Throws nothing but an abort.
	 */
	readSent(name: OwnerName, options: { readonly deeper: boolean }, signal: AbortSignal): Promise<SentPatchsets>;
	readonly onDidChange: Event<PersonChange>;
}
