import type { NamedRef } from '../../forge/namedRef.ts';
import type { Connection } from '../../state/connection.ts';
import type { Listing } from '../../state/shared/listing.ts';

/**
 * What trackers, lists and repositories are to those who own them: what is done with all three is written once, and
 * what differs between them is told here.
 */
export interface OwnedKind {
	readonly rules: OwnedRules;
	readonly texts: OwnedTexts;
	/** One's own, by name; as known, first pages are read. */
	own(connection: Connection, signal: AbortSignal): Promise<Listing<{ readonly name: string }>>;
	/** Reads on in them. */
	moreOwn(connection: Connection, signal: AbortSignal): Promise<Listing<{ readonly name: string }>>;
	/** The description as the forge has it now. */
	description(connection: Connection, ref: NamedRef, signal: AbortSignal): Promise<string | undefined>;
	/** Sends another one; an empty one takes it away. */
	describe(connection: Connection, ref: NamedRef, text: string, signal: AbortSignal): Promise<unknown>;
	/** False where the forge turns out to have no way to. */
	remove(connection: Connection, ref: NamedRef, signal: AbortSignal): Promise<boolean>;
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

/** Whole sentences each. */
export interface OwnedTexts {
	/** Title of the questions for a new one. */
	readonly create: () => string;
	readonly isTaken: () => string;
	/** What the line above a description says that sends it. */
	readonly saveDescription: () => string;
	/** What goes with it when it is deleted. */
	readonly deletes: () => string;
	readonly typeToDelete: (name: string) => string;
}
