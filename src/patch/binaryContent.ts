import { inflateSync } from 'node:zlib';
import { decodeBase85 } from './base85.ts';
import { applyDelta, type DeltaRefusal } from './binaryDelta.ts';
import type { BinaryData } from './fileDiff.ts';

/** Why a binary patch gives no content. */
export type BinaryRefusal =
	| DeltaRefusal
	/** A delta, and the content that it changes is not given. */
	| 'needsBefore';

/** The content that a binary patch makes. */
export type BinaryOutcome =
	| { readonly kind: 'content'; readonly content: Uint8Array }
	| { readonly kind: 'refused'; readonly reason: BinaryRefusal };

/** 8 MiB; unpacking more would be felt. */
const mostBytes = 8 * 1024 * 1024;

/**
 * Decodes one side of a binary patch whose offsets point into `text`. A delta needs the content on its other side. Never
 * throws, and never unpacks more than was announced.
 */
export function binaryContent(text: string, data: BinaryData, before?: Uint8Array): BinaryOutcome {
	const outcome = contentOf(text, data, before);
	return typeof outcome === 'string' ? { kind: 'refused', reason: outcome } : { kind: 'content', content: outcome };
}

function contentOf(text: string, data: BinaryData, before: Uint8Array | undefined): Uint8Array | BinaryRefusal {
	if (data.size > mostBytes) {
		return 'tooLarge';
	}
	const packed = decodeBase85(text, data.start, data.end);
	const unpacked = packed === undefined ? undefined : inflated(packed, data.size);
	if (unpacked === undefined) {
		return 'badData';
	}
	if (data.method === 'literal') {
		return unpacked;
	}
	return before === undefined ? 'needsBefore' : applyDelta(before, unpacked, mostBytes);
}

/** `undefined` when the bytes cannot be inflated to exactly `size`. */
function inflated(packed: Uint8Array, size: number): Uint8Array | undefined {
	try {
		// The option may not be 0, and an empty file is announced as such.
		const bytes = inflateSync(packed, { maxOutputLength: Math.max(1, size) });
		return bytes.length === size ? bytes : undefined;
	} catch {
		return undefined;
	}
}
