import type { ObjectKind } from '../../../git/objectId.ts';

/**
 * Git objects of one account's repositories, where they outlive the window. An id is made from the content, so what is
 * kept holds for ever and for every repository; nothing is given out that its id does not prove.
 */
export interface KeptObjects {
	/** `undefined` for what is not kept, or is no longer whole. Never rejects. */
	read(kind: ObjectKind, id: string): Promise<Uint8Array | undefined>;
	/** Which of these are kept, without looking whether they are whole. Never rejects. */
	among(ids: Iterable<string>): Promise<ReadonlySet<string>>;
	/** Begins to keep what the id proves; anything else is dropped. Nobody waits for it, and it may be given up. */
	keep(kind: ObjectKind, id: string, content: LateBytes): void;
}

/** Bytes that are made when there is time for them. */
export interface LateBytes {
	readonly aboutBytes: number;
	/** `undefined` for what has no such bytes. */
	readonly bytes: () => Uint8Array | undefined;
}
