import type { OwnerName } from '../../forge/user.ts';
import type { Connection } from '../../state/connection.ts';

/** What one's own thing is called within an account. */
export interface NamedRef {
	readonly owner: OwnerName;
	readonly name: string;
}

/** Something of one's own that has a description. */
export interface Described {
	readonly connectionKey: string;
	readonly ref: NamedRef;
}

/** A description as the forge has it now. */
export interface DescriptionThere {
	/** Empty where there is none. */
	readonly description: string;
	/** Sends another one, and lets the store know; an empty one takes it away. */
	write(description: string, signal: AbortSignal): Promise<unknown>;
}

/** What the documents of one kind of things need to know of it. */
export interface DescribedKind {
	/** What the line above a text says that sends it. */
	readonly saving: string;
	look(connection: Connection, ref: NamedRef, signal: AbortSignal): Promise<DescriptionThere>;
	/** Why the forge would not take it. */
	complaint(description: string): string | undefined;
}

/** Opens a description as a document, whose text is kept as a draft until it is sent. */
export type EditDescription = (described: Described) => Promise<void>;
