import { pushAll } from '@forge-desk/base/longArrays.ts';
import type { WorkerJson } from '@forge-desk/base/workerJson.ts';
import { Misread, decodeItems, type Decoder } from './decoding.ts';

/** A worker parses larger responses (docs/security.md#slow-parsers). */
export const workerBytes = 512 * 1024;

export interface WorkerWays {
	readonly workerJson: WorkerJson | undefined;
	readonly signal: AbortSignal;
}

/** The decoded list of a large response, and the rest of the response. */
export interface WorkerList<T> {
	readonly items: readonly T[];
	readonly around: unknown;
}

/** Pieces of a response that a worker parses. */
export type WorkerPieces = ReturnType<WorkerJson['read']>;

/** `undefined` for a small response. Parsing starts with the first requested piece. */
export function workerPieces(body: Uint8Array, { workerJson, signal }: WorkerWays): WorkerPieces | undefined {
	return body.byteLength > workerBytes ? workerJson?.read(body, signal) : undefined;
}

/** Decodes a list piece by piece. Throws `Misread` or the signal's reason. */
export async function readWorkerList<T>(pieces: WorkerPieces, decode: Decoder<T>): Promise<WorkerList<T>> {
	const items: T[] = [];
	let around: unknown;
	for await (const piece of pieces) {
		switch (piece.kind) {
			case 'around':
				around = piece.value;
				break;
			case 'items':
				try {
					pushAll(items, decodeItems(piece.items, decode));
				} catch (error) {
					if (!(error instanceof Misread)) {
						throw error;
					}
					const moved = error.behind(items.length);
					throw Array.isArray(around) ? moved : moved.below('.results');
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

/** Value of a large response without a list. */
export async function readWorkerValue(pieces: WorkerPieces): Promise<unknown> {
	const { items, around } = await readWorkerList(pieces, (value) => value);
	if (Array.isArray(around)) {
		return items;
	}
	return items.length > 0 && typeof around === 'object' ? { ...around, results: items } : around;
}
