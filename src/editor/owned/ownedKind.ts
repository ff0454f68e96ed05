import { pushAll } from '@forge-desk/base/longArrays.ts';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import type { NamedRef } from 'sourcehut/port/namedRef.ts';
import type { Pages } from 'sourcehut/port/page.ts';
import type { OwnerName } from 'sourcehut/port/user.ts';
import type { WantedVisibility } from 'sourcehut/port/visibility.ts';
import type { Connection } from '../../store/connection.ts';
import type { Listing } from '../../store/shared/listing.ts';
import { listingPages } from '../../store/shared/pageRead.ts';
import type { NamedSubject } from '../commands/subjects.ts';
import type { CommandId } from '../../commands/table.ts';
import type { ForgeInstance } from 'sourcehut/port/instance.ts';

export type OwnedName = 'tracker' | 'list' | 'repository';

/** Differences between trackers, lists and repositories for shared commands of owners and followers. */
export interface OwnedKind<K extends OwnedName = OwnedName> {
	readonly kind: K;
	/** Codicon. */
	readonly icon: string;
	/** Where on the forge they are. */
	readonly area: 'todo' | 'lists' | 'git';
	readonly commands: { readonly follow: CommandId; readonly showView: string };
	readonly rules: OwnedRules;
	readonly texts: OwnedTexts;
	/** Absent if new things have no visibility. */
	readonly visibility?: NewVisibility;
	/** Subject in a command's argument, from any caller. */
	subjectOf(value: unknown): NamedSubject<K> | undefined;
	/** Parses a typed reference or pasted address; rejects addresses of other hosts. */
	pasted(text: string, instance: ForgeInstance): NamedRef | undefined;
	/** Things at URLs of no account, such as lists of mail archives. */
	elsewhere?(text: string): (() => Thenable<unknown>) | undefined;
	/** Extra description of a row. */
	note?(connection: Connection, ref: NamedRef): string | undefined;
	/** Own things by name; loads first pages, cached. */
	own(connection: Connection, signal: AbortSignal): Promise<Listing<{ readonly name: string }>>;
	/** Reads on in them. */
	moreOwn(connection: Connection, signal: AbortSignal): Promise<Listing<{ readonly name: string }>>;
	/** All own, subscribed and followed things of an account. */
	tied(connection: Connection, signal: AbortSignal): Promise<TiedRefs>;
	/** Things of an owner that the account may see. Throws on a refusal or an unknown owner. */
	ofOwner(connection: Connection, search: OwnerSearch, signal: AbortSignal): Promise<FoundNames>;
	/** Followed things of others. Makes no requests. */
	followed(connection: Connection): readonly NamedRef[];
	/** Returns its name on the forge. */
	follow(connection: Connection, ref: NamedRef, signal: AbortSignal): Promise<NamedRef>;
	unfollow(connection: Connection, ref: NamedRef): Promise<void>;
	/** Creates an own thing; returns its name on the forge. */
	create(connection: Connection, wanted: NewOwned, signal: AbortSignal): Promise<NamedRef>;
	/** The description as the forge has it now. */
	description(connection: Connection, ref: NamedRef, signal: AbortSignal): Promise<string | undefined>;
	/** Sends another one; an empty one takes it away. */
	describe(connection: Connection, ref: NamedRef, text: string, signal: AbortSignal): Promise<unknown>;
	/** False if the forge doesn't support it. */
	remove(connection: Connection, ref: NamedRef, signal: AbortSignal): Promise<boolean>;
}

/** Fields of a new thing. */
export interface NewOwned {
	readonly name: string;
	/** Markdown. */
	readonly description?: string;
	readonly visibility?: WantedVisibility;
}

/** Question about a new thing's visibility. */
export interface NewVisibility {
	readonly question: () => string;
	/** False if only some forges require it and say so (docs/protocol.md#later-servers). */
	readonly isAlwaysAsked: boolean;
}

/** Known names, and whether a part failed to load. */
export interface TiedRefs {
	readonly refs: readonly NamedRef[];
	readonly failure: { readonly error: unknown } | undefined;
}

/** Own and followed things. A failed page keeps the followed ones and earlier pages. */
export async function ownAndFollowed(
	kind: OwnedKind,
	connection: Connection,
	followed: readonly NamedRef[],
	signal: AbortSignal,
): Promise<TiedRefs> {
	let refs: readonly NamedRef[] = [];
	let failure: TiedRefs['failure'];
	try {
		const pages = listingPages(
			() => kind.own(connection, signal),
			() => kind.moreOwn(connection, signal),
		);
		for await (const { items, completeness } of pages) {
			refs = items.map(({ name }) => ({ owner: connection.me, name }));
			failure =
				completeness.kind === 'more' && completeness.isLast
					? { error: new ForgeError({ kind: 'incomplete' }) }
					: undefined;
		}
	} catch (error) {
		failure = { error };
	}
	return { refs: [...refs, ...followed], failure };
}

/** Observed limits of servers. */
export interface OwnedRules {
	readonly longestName: number;
	readonly longestDescription: number;
	/** Others take a digit or a sign there. */
	readonly isLetterFirst: boolean;
	/** Placeholder of the name field. */
	readonly exampleName: string;
}

/** Whole sentences and titles. */
export interface OwnedTexts {
	readonly notSignedIn: () => string;
	/** Title, with the running command if known. */
	readonly choose: (command: string | undefined) => string;
	/** Reason why an account's list is incomplete. */
	readonly someMissing: (account: string, reason: string) => string;
	readonly chooseOwn: () => string;
	readonly noneOwn: () => string;
	readonly onlyOwner: (owner: string) => string;
	readonly noneFollowed: () => string;
	/** Button. */
	readonly followAny: () => string;
	/** Title of the question what to follow. */
	readonly follow: () => string;
	/** Hint for the input. */
	readonly reference: () => string;
	/** Title of the choice among those of one owner. */
	readonly ofOwner: (owner: string) => string;
	/** Says that there is nothing to choose; the word may be empty. */
	readonly noneOfOwner: (owner: string, word: string) => string;
	readonly isOwn: (name: string) => string;
	/** Title of the questions for a new one. */
	readonly create: () => string;
	readonly isTaken: () => string;
	/** Label of the save action in a description document. */
	readonly saveDescription: () => string;
	/** Consequences of a deletion. */
	readonly deletes: () => string;
	readonly typeToDelete: (name: string) => string;
}

/** Owner and part of a name; an empty word matches all. */
export interface OwnerSearch {
	readonly owner: OwnerName;
	readonly word: string;
}

/** Search results. */
export interface FoundNames {
	readonly names: readonly string[];
	/** False if there are more than a user would read. */
	readonly isComplete: boolean;
}

/** `~owner` or the owner's address on the web, with a word behind it or without. */
const owners = /^(?<address>https?:\/\/[^\s/]+\/)?(?<owner>~[^\s/?#]+)\/?(?:\s+(?<word>\S+))?$/;

/** Parses a search; `undefined` for other texts and for addresses of other hosts. */
export function ownerSearchOf(text: string, origin: string): OwnerSearch | undefined {
	const { address, owner, word = '' } = owners.exec(text.trim())?.groups ?? {};
	const isElsewhere = address !== undefined && URL.parse(address)?.origin !== URL.parse(origin)?.origin;
	return owner === undefined || isElsewhere ? undefined : { owner, word };
}

/** Somebody has some hundreds at most; each page is a request that a person waits for. */
const mostPages = 20;

/** Reads the names that contain a word, upper and lower case alike. */
export async function namesWith(word: string, pages: Pages<{ readonly name: string }>): Promise<FoundNames> {
	const names: string[] = [];
	let read = 0;
	for await (const { items, completeness } of pages) {
		read += 1;
		pushAll(
			names,
			items.map(({ name }) => name).filter((name) => name.toLowerCase().includes(word.toLowerCase())),
		);
		if (completeness.kind !== 'more' || read === mostPages) {
			return { names, isComplete: completeness.kind !== 'more' };
		}
	}
	return { names, isComplete: true };
}
