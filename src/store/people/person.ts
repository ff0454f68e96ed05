import type { ListRef, MailingList, Patchset, PatchsetRef, ShortEmail } from 'sourcehut/port/list.ts';
import type { Completeness } from 'sourcehut/port/page.ts';
import type { Repository } from 'sourcehut/port/repository.ts';
import type { Tracker } from 'sourcehut/port/tracker.ts';
import type { OwnerName, User } from 'sourcehut/port/user.ts';
import type { Listing, ReadPart } from '../shared/listing.ts';

/** Paged parts of a person. */
export type PersonListing = 'trackers' | 'lists' | 'repositories' | 'mails';

/** One person as visible to an account; each part loads and fails separately. */
export interface Person {
	/** As requested: `~bob` or an e-mail address. */
	readonly name: OwnerName;
	/** `~bob`, once the account is known. All parts except mails need it. */
	readonly account: OwnerName | undefined;
	/** The requested e-mail address, or the profile's. */
	readonly address: string | undefined;
	/** Known `undefined`: an address without account, so trackers, lists and repositories are empty. */
	readonly profile: ReadPart<User | undefined>;
	readonly trackers: ReadPart<Listing<Tracker>>;
	readonly lists: ReadPart<Listing<MailingList>>;
	readonly repositories: ReadPart<Listing<Repository>>;
	/** Their mails on lists that the account may browse, newest first. */
	readonly mails: ReadPart<Listing<ShortEmail>>;
}

/** The loaded mails. */
export function mailsOf({ mails }: Person): readonly ShortEmail[] {
	return mails.kind === 'known' ? mails.value.items : [];
}

export interface SentPatchset {
	readonly ref: PatchsetRef;
	readonly patchset: Patchset;
}

/** Search progress of one list. */
export interface LookedThrough {
	readonly list: ListRef;
	/** `more`: older patchsets remain; see `PersonStore.readSent`. */
	readonly part: ReadPart<Completeness>;
}

/** A person's patchsets found on the known lists. */
export interface SentPatchsets {
	/** Newest first; grows during the search. Shows the list store's current version. */
	readonly items: readonly SentPatchset[];
	/** Progress and errors per list. Empty before the first read. */
	readonly lists: readonly LookedThrough[];
	/** Reading the lists failed, so some may be missing. */
	readonly failure: { readonly error: unknown } | undefined;
}
