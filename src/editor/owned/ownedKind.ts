import type { NamedRef } from '../../forge/namedRef.ts';
import type { WantedVisibility } from '../../forge/visibility.ts';
import type { Connection } from '../../state/connection.ts';
import type { Listing } from '../../state/shared/listing.ts';
import { listingPages } from '../../state/shared/listingPages.ts';
import type { NamedSubject } from '../commands/subjects.ts';
import type { CommandId } from '../../commands/table.ts';
import type { FoundNames, OwnerSearch } from './ownerSearch.ts';

export type OwnedName = 'tracker' | 'list' | 'repository';

/**
 * What trackers, lists and repositories are to those who own or follow them: what is done with all three is written
 * once, and what differs between them is told here.
 */
export interface OwnedKind<K extends OwnedName = OwnedName> {
	readonly kind: K;
	/** Codicon. */
	readonly icon: string;
	/** Where on the forge they are. */
	readonly area: 'todo' | 'lists' | 'git';
	readonly commands: { readonly follow: CommandId; readonly showView: string };
	readonly rules: OwnedRules;
	readonly texts: OwnedTexts;
	/** Absent where a new one has none. */
	readonly visibility?: NewVisibility;
	/** What a command was handed, by a row, a page or anybody. */
	subjectOf(value: unknown): NamedSubject<K> | undefined;
	/** What a typed reference or a pasted address names; addresses of other hosts name nothing. */
	pasted(text: string, origin: string): NamedRef | undefined;
	/** What a row says of it besides. */
	note?(connection: Connection, ref: NamedRef): string | undefined;
	/** One's own, by name; as known, first pages are read. */
	own(connection: Connection, signal: AbortSignal): Promise<Listing<{ readonly name: string }>>;
	/** Reads on in them. */
	moreOwn(connection: Connection, signal: AbortSignal): Promise<Listing<{ readonly name: string }>>;
	/** All that ties an account to any: its own, and what it is subscribed to or follows. */
	tied(connection: Connection, signal: AbortSignal): Promise<TiedRefs>;
	/** Those of anybody that the account may see. Throws where the forge refuses or does not know the owner. */
	ofOwner(connection: Connection, search: OwnerSearch, signal: AbortSignal): Promise<FoundNames>;
	/** Others' that are followed. Needs no request. */
	followed(connection: Connection): readonly NamedRef[];
	/** Answers its name on the forge. */
	follow(connection: Connection, ref: NamedRef, signal: AbortSignal): Promise<NamedRef>;
	unfollow(connection: Connection, ref: NamedRef): Promise<void>;
	/** Makes one of the account's own; answers its name on the forge. */
	create(connection: Connection, wanted: NewOwned, signal: AbortSignal): Promise<NamedRef>;
	/** The description as the forge has it now. */
	description(connection: Connection, ref: NamedRef, signal: AbortSignal): Promise<string | undefined>;
	/** Sends another one; an empty one takes it away. */
	describe(connection: Connection, ref: NamedRef, text: string, signal: AbortSignal): Promise<unknown>;
	/** False where the forge turns out to have no way to. */
	remove(connection: Connection, ref: NamedRef, signal: AbortSignal): Promise<boolean>;
}

/** What a new one starts with. */
export interface NewOwned {
	readonly name: string;
	/** Markdown. */
	readonly description?: string;
	readonly visibility?: WantedVisibility;
}

/** How it is asked who may see a new one. */
export interface NewVisibility {
	readonly question: () => string;
	/** False where only some forges want to know, and say so (docs/protocol.md#later-servers). */
	readonly isAlwaysAsked: boolean;
}

/** Names that an account knows, and whether asking for some of them failed. */
export interface TiedRefs {
	readonly refs: readonly NamedRef[];
	readonly failure: { readonly error: unknown } | undefined;
}

/** One's own and those that are followed; the latter, and the pages before it, are there though a page cannot be read. */
export async function ownAndFollowed(
	{ own, moreOwn }: Pick<OwnedKind, 'own' | 'moreOwn'>,
	connection: Connection,
	followed: readonly NamedRef[],
	signal: AbortSignal,
): Promise<TiedRefs> {
	let refs: readonly NamedRef[] = [];
	let failure: TiedRefs['failure'];
	try {
		const pages = listingPages(
			() => own(connection, signal),
			() => moreOwn(connection, signal),
		);
		for await (const { items } of pages) {
			refs = items.map(({ name }) => ({ owner: connection.me, name }));
		}
	} catch (error) {
		failure = { error };
	}
	return { refs: [...refs, ...followed], failure };
}

/** What servers were seen to take. */
export interface OwnedRules {
	readonly longestName: number;
	readonly longestDescription: number;
	/** Others take a digit or a sign there. */
	readonly isLetterFirst: boolean;
	/** Stands where a name is typed. */
	readonly exampleName: string;
}

/** Whole sentences and titles. */
export interface OwnedTexts {
	readonly notSignedIn: () => string;
	/** Names the command that asks, where it is known. */
	readonly choose: (command: string | undefined) => string;
	/** Why some of an account are missing where one is chosen. */
	readonly someMissing: (account: string, reason: string) => string;
	readonly chooseOwn: () => string;
	readonly noneOwn: () => string;
	readonly onlyOwner: (owner: string) => string;
	readonly noneFollowed: () => string;
	/** Button. */
	readonly followAny: () => string;
	/** Title of the question what to follow. */
	readonly follow: () => string;
	/** What can be typed there. */
	readonly reference: () => string;
	/** Title of the choice among those of one owner. */
	readonly ofOwner: (owner: string) => string;
	/** Says that there is nothing to choose; the word may be empty. */
	readonly noneOfOwner: (owner: string, word: string) => string;
	readonly isOwn: (name: string) => string;
	/** Title of the questions for a new one. */
	readonly create: () => string;
	readonly isTaken: () => string;
	/** What the line above a description says that sends it. */
	readonly saveDescription: () => string;
	/** What goes with it when it is deleted. */
	readonly deletes: () => string;
	readonly typeToDelete: (name: string) => string;
}
