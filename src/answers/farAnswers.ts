import type { FarJson } from '../base/farJson.ts';
import { Misread, decodeItems, type Decoder } from './decoding.ts';

/** Answers beyond this are parsed beside everything else (docs/security.md#slow-parsers). */
export const farBytes = 1024 * 1024;

/** How a large answer may be read. */
export interface FarWays {
	readonly farJson: FarJson | undefined;
	readonly signal: AbortSignal;
}

/** A list out of a large answer, its items read, and the answer without them. */
export interface FarList<T> {
	readonly items: readonly T[];
	readonly around: unknown;
}

/** The pieces of an answer that is parsed elsewhere. */
export type FarPieces = ReturnType<FarJson['read']>;

/** `undefined` for an answer that is to be parsed here. Nothing is parsed before somebody asks for a piece. */
export function farPieces(body: Uint8Array, { farJson, signal }: FarWays): FarPieces | undefined {
	return body.byteLength > farBytes ? farJson?.read(body, signal) : undefined;
}

/** Reads a list piece by piece. Throws `Misread` as reading it at once does, or the signal's reason. */
export async function readFarList<T>(pieces: FarPieces, decode: Decoder<T>): Promise<FarList<T>> {
	const items: T[] = [];
	let around: unknown;
	for await (const piece of pieces) {
		switch (piece.kind) {
			case 'around':
				around = piece.value;
				break;
			case 'items':
				for (const item of itemsBehind(items.length, piece.items, { decode, around })) {
					items.push(item);
				}
				break;
			case 'noJson':
				throw new Misread('', 'the answer is no JSON or ends too early');
			case 'tooMuch':
				throw new Misread('', 'the answer is more than can be read');
		}
	}
	return { items, around };
}

/** The value of a large answer that is no list. */
export async function readFarValue(pieces: FarPieces): Promise<unknown> {
	const { items, around } = await readFarList(pieces, (value) => value);
	if (Array.isArray(around)) {
		return items;
	}
	return items.length > 0 && typeof around === 'object' ? { ...around, results: items } : around;
}

function itemsBehind<T>(
	count: number,
	values: readonly unknown[],
	{ decode, around }: { readonly decode: Decoder<T>; readonly around: unknown },
): readonly T[] {
	try {
		return decodeItems(values, decode);
	} catch (error) {
		if (!(error instanceof Misread)) {
			throw error;
		}
		const moved = error.behind(count);
		throw Array.isArray(around) ? moved : moved.below('.results');
	}
}
