import { binaryContent } from '../../engine/patch/binaryContent.ts';
import type { BinaryData, DiffContent } from '../../engine/patch/fileDiff.ts';

/** Diff of a binary file. */
export type BinaryDiff = Extract<DiffContent, { readonly kind: 'binary' }>;

/** Contents before and after; `undefined` unless the patch holds or implies them. */
export interface BinarySides {
	readonly before: Uint8Array | undefined;
	readonly after: Uint8Array | undefined;
}

/** Decodes literal data first, then deltas against it. */
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
