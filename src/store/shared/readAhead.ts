import type { Disposable } from '../../base/lifecycle.ts';
import { isHopeless } from '../../forge/port/isHopeless.ts';

/** Concurrency: far above normal, but leaves room for other requests. */
const mostAtOnce = 32;

/**
 * Prefetches items in order. Individual failures are ignored, because the view reports them. A failure that affects all
 * items stops the prefetch and rejects. `beginWalk`: raises the request concurrency until disposed. `onRead`: called
 * after each success or failure.
 */
export async function readAhead<T>(
	all: readonly T[],
	beginWalk: () => Promise<Disposable>,
	read: (one: T, signal: AbortSignal) => Promise<void>,
	onRead: () => void,
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
	const boost = await beginWalk();
	try {
		await Promise.all(Array.from({ length: mostAtOnce }, readOn));
	} finally {
		boost.dispose();
	}
}
