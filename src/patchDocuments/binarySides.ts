import { binaryContent } from '../patch/binaryContent.ts';
import type { BinaryData, DiffContent } from '../patch/fileDiff.ts';

/** What a diff says of a binary file. */
export type BinaryDiff = Extract<DiffContent, { readonly kind: 'binary' }>;

/** The content before and after, as far as the patch holds it whole. */
export interface BinarySides {
	readonly before: Uint8Array | undefined;
	readonly after: Uint8Array | undefined;
}

/** Decodes what is whole, and then what is told as its difference from that. */
export function binarySides(text: string, { forward, reverse }: BinaryDiff): BinarySides {
	const after = whole(text, forward);
	const before = whole(text, reverse);
	return { before: before ?? changed(text, reverse, after), after: after ?? changed(text, forward, before) };
}

function whole(text: string, data: BinaryData | undefined): Uint8Array | undefined {
	return data?.method === 'literal' ? decoded(text, data, undefined) : undefined;
}

function changed(text: string, data: BinaryData | undefined, other: Uint8Array | undefined): Uint8Array | undefined {
	return data?.method === 'delta' && other ? decoded(text, data, other) : undefined;
}

function decoded(text: string, data: BinaryData, other: Uint8Array | undefined): Uint8Array | undefined {
	const outcome = binaryContent(text, data, other);
	return outcome.kind === 'content' ? outcome.content : undefined;
}
