import type { Disposable } from '../../base/lifecycle.ts';
import { isHopeless } from '../../forge/isHopeless.ts';

/** Texts that are read at the same time: far more than usual, and few enough that others find room between them. */
const mostAtOnce = 32;

export interface ReadAheadParts<T> {
	/** Lets more calls be in flight until disposed. */
	readonly beginWalk: () => Promise<Disposable>;
	readonly read: (one: T, signal: AbortSignal) => Promise<void>;
	/** Hears of each that was read, or that cannot be. */
	readonly onRead: () => void;
}

/**
 * Reads what is about to be shown, in its order. What cannot be read is left to whoever shows it, unless the same hinders
 * all: then nothing more is asked for, and that is thrown.
 */
export async function readAhead<T>(
	all: readonly T[],
	{ beginWalk, read, onRead }: ReadAheadParts<T>,
	signal: AbortSignal,
): Promise<void> {
	const failing = new AbortController();
	const working = AbortSignal.any([signal, failing.signal]);
	const left = all.values();
	async function readOn(): Promise<void> {
		for (const one of left) {
			working.throwIfAborted();
			try {
				await read(one, working);
			} catch (error) {
				if (isHopeless(error)) {
					failing.abort(error);
					throw error;
				}
			}
			onRead();
		}
	}
	const haste = await beginWalk();
	try {
		await Promise.all(Array.from({ length: mostAtOnce }, readOn));
	} finally {
		haste.dispose();
	}
}
