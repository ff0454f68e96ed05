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
