import type { NamedRef } from 'sourcehut/port/namedRef.ts';

/** An own thing with a description. */
export interface Described {
	readonly connectionKey: string;
	readonly ref: NamedRef;
}

/** Opens a description as a document; unsent text is a draft. */
export type EditDescription = (described: Described) => Promise<void>;
