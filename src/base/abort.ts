import type { Clock } from './clock.ts';

/** True when `error` only says that somebody no longer wants the answer. Such an error is shown to nobody. */
export function isAbort(error: unknown): boolean {
	return error instanceof Error && error.name === 'AbortError';
}

/** Waits, and gives up at once with the signal's reason when the wait is no longer wanted. */
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

/** The signal's reason as an Error, whatever was given as reason. */
export function abortReason(signal: AbortSignal): Error {
	const reason: unknown = signal.reason;
	return reason instanceof Error ? reason : new DOMException('The operation was aborted', 'AbortError');
}
