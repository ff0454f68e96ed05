import { inflateSync } from 'node:zlib';
import { decodeBase85 } from './base85.ts';
import type { BinaryData } from './fileDiff.ts';

export type BinaryRefusal =
	| DeltaRefusal
	/** A delta without the content that it changes. */
	| 'needsBefore';

export type BinaryOutcome =
	| { readonly kind: 'content'; readonly content: Uint8Array }
	| { readonly kind: 'refused'; readonly reason: BinaryRefusal };

/** 8 MiB; inflating more causes a noticeable delay. */
const mostBytes = 8 * 1024 * 1024;

/**
 * Decodes one side of a binary patch; its offsets point into `text`. A delta needs the content on its other side. Never
 * throws, and never inflates beyond the stated size.
 */
export function binaryContent(text: string, data: BinaryData, before?: Uint8Array): BinaryOutcome {
	if (data.size > mostBytes) {
		return { kind: 'refused', reason: 'tooLarge' };
	}
	const bytes = unpacked(text, data);
	if (bytes === undefined) {
		return { kind: 'refused', reason: 'badData' };
	}
	if (data.method === 'literal') {
		return { kind: 'content', content: bytes };
	}
	const outcome = before === undefined ? 'needsBefore' : applyDelta(before, bytes, mostBytes);
	return typeof outcome === 'string' ? { kind: 'refused', reason: outcome } : { kind: 'content', content: outcome };
}

/** True for data that do not inflate to the stated size. Git then ignores this file and the rest of the text. */
export function isCorrupt(text: string, data: BinaryData): boolean {
	return data.size <= mostBytes && unpacked(text, data) === undefined;
}

/** `undefined` unless the data inflate to exactly their stated size. */
function unpacked(text: string, { start, end, size }: BinaryData): Uint8Array | undefined {
	const packed = decodeBase85(text, start, end);
	if (!packed) {
		return undefined;
	}
	try {
		// Node rejects 0 here, but an empty file has the size 0.
		const bytes = inflateSync(packed, { maxOutputLength: Math.max(1, size) });
		return bytes.length === size ? bytes : undefined;
	} catch {
		return undefined;
	}
}

type DeltaRefusal = 'badData' | 'wrongBefore' | 'tooLarge';

/** Sequential reader; `undefined` past the end. */
interface Cursor {
	readonly bytes: Uint8Array;
	at: number;
}

/**
 * Applies a git pack delta. It begins with the sizes of both contents. Each instruction then copies a range of the old
 * content (offset and length, without their zero bytes) or inserts up to 127 new bytes. `most`: maximum size in bytes.
 */
export function applyDelta(before: Uint8Array, delta: Uint8Array, most: number): Uint8Array | DeltaRefusal {
	const cursor: Cursor = { bytes: delta, at: 0 };
	const beforeSize = varint(cursor);
	const size = varint(cursor);
	if (beforeSize === undefined || size === undefined) {
		return 'badData';
	}
	if (beforeSize !== before.length) {
		return 'wrongBefore';
	}
	if (size > most) {
		return 'tooLarge';
	}
	const after = new Uint8Array(size);
	let filled = 0;
	while (cursor.at < delta.length) {
		const piece = nextPiece(before, cursor);
		if (piece === undefined || filled + piece.length > size) {
			return 'badData';
		}
		after.set(piece, filled);
		filled += piece.length;
	}
	return filled === size ? after : 'badData';
}

function nextPiece(before: Uint8Array, cursor: Cursor): Uint8Array | undefined {
	const code = cursor.bytes[cursor.at++];
	if (code === undefined || code === 0) {
		return undefined;
	}
	if ((code & 0x80) !== 0) {
		const offset = sparse(cursor, code, 4);
		const length = sparse(cursor, code >> 4, 3);
		return slice(before, offset, length === 0 ? 0x1_0000 : length);
	}
	const start = cursor.at;
	cursor.at += code;
	return slice(cursor.bytes, start, code);
}

function slice(bytes: Uint8Array, start: number, length: number): Uint8Array | undefined {
	return start + length <= bytes.length ? bytes.subarray(start, start + length) : undefined;
}

/** Little-endian number with only the bytes whose bits are set; the others are 0. NaN if a byte is missing. */
function sparse(cursor: Cursor, bits: number, count: number): number {
	let value = 0;
	for (let byte = 0; byte < count; byte++) {
		if ((bits & (1 << byte)) !== 0) {
			value += (cursor.bytes[cursor.at++] ?? Number.NaN) * 2 ** (8 * byte);
		}
	}
	return value;
}

function varint(cursor: Cursor): number | undefined {
	let value = 0;
	for (let shift = 0; shift < 49; shift += 7) {
		const byte = cursor.bytes[cursor.at++];
		if (byte === undefined) {
			return undefined;
		}
		value += (byte & 0x7f) * 2 ** shift;
		if ((byte & 0x80) === 0) {
			return value;
		}
	}
	return undefined;
}
