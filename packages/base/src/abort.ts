import type { Clock } from './clock.ts';

/** True for a cancellation. Never show it to the user. */
export function isAbort(error: unknown): boolean {
	return error instanceof Error && error.name === 'AbortError';
}

/** Rejects with the signal's reason on abort. */
export function delay(clock: Clock, delayMs: number, signal: AbortSignal): Promise<void> {
	const waiting = Promise.withResolvers<void>();
	if (signal.aborted) {
		waiting.reject(abortReason(signal));
		return waiting.promise;
	}
	const timer = clock.after(delayMs, waiting.resolve);
	const giveUp = (): void => {
		timer.dispose();
		waiting.reject(abortReason(signal));
	};
	signal.addEventListener('abort', giveUp, { once: true });
	return waiting.promise.finally(() => signal.removeEventListener('abort', giveUp));
}

/** Stops waiting on abort; the work continues. Rejects with the signal's reason. */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
	signal.throwIfAborted();
	const aborted = Promise.withResolvers<never>();
	const giveUp = (): void => aborted.reject(abortReason(signal));
	signal.addEventListener('abort', giveUp, { once: true });
	try {
		return await Promise.race([work, aborted.promise]);
	} finally {
		signal.removeEventListener('abort', giveUp);
	}
}

/** The signal's reason, always as an Error. */
export function abortReason(signal: AbortSignal): Error {
	const reason: unknown = signal.reason;
	return reason instanceof Error ? reason : new DOMException('The operation was aborted', 'AbortError');
}
