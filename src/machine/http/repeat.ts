import { delay } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import type { Cancellation } from './cancellation.ts';
import { HttpFailure } from './httpClient.ts';
import type { HttpAnswer, HttpRequest } from './httpClient.ts';

/** Sends the request once, with the remaining time as deadline. */
export type Attempt = (deadlineMs: number) => Promise<HttpAnswer>;

/** Context of the retries. */
export interface RepeatOptions {
	readonly clock: Clock;
	readonly random: () => number;
	readonly cancellation: Cancellation;
	readonly remainingMs: number;
}

/** For longer waits, the caller reports the error to the user instead. */
const longestWaitMs = 60_000;
const mostRepetitions = 2;
const firstPauseMs = 300;
const busyStatuses: ReadonlySet<number> = new Set([429, 502, 503, 504]);
/** With these statuses the server did no work; with the others it may have failed during the work. */
const laterStatuses: ReadonlySet<number> = new Set([429, 503]);

/**
 * Retries after a failed first attempt. Retries only GET and HEAD, because other methods may already have taken effect.
 * A POST without side effects is retried after 429 or 503; after a failure, its caller sends smaller queries. The pause
 * grows with jitter, unless the server named one.
 */
export async function repeat(
	attempt: Attempt,
	request: HttpRequest,
	options: RepeatOptions,
	first: HttpAnswer | Error,
): Promise<HttpAnswer> {
	let outcome = first;
	let { remainingMs } = options;
	for (let repetition = 0; repetition < mostRepetitions && isWorthRepeating(request, outcome); repetition += 1) {
		const asked = outcome instanceof Error ? undefined : outcome.retryAfterMs;
		const pauseMs = asked ?? firstPauseMs * 2 ** repetition * (0.5 + options.random());
		// Without time left, the last outcome is more informative than a timeout of an attempt that never started.
		if (remainingMs <= 0 || pauseMs > (asked === undefined ? remainingMs : longestWaitMs)) {
			break;
		}
		await pause(options, pauseMs);
		const startedMs = options.clock.nowMs();
		remainingMs -= asked === undefined ? pauseMs : 0;
		outcome = await attempt(remainingMs).catch(asError);
		remainingMs -= options.clock.nowMs() - startedMs;
	}
	if (outcome instanceof Error) {
		throw outcome;
	}
	return outcome;
}

async function pause({ clock, cancellation }: RepeatOptions, pauseMs: number): Promise<void> {
	const controller = new AbortController();
	cancellation.tell((reason) => controller.abort(reason));
	if (cancellation.reason !== undefined) {
		throw cancellation.reason;
	}
	try {
		await delay(clock, pauseMs, controller.signal);
	} finally {
		cancellation.tell(undefined);
	}
}

/** True for a temporary status. */
export function isBusy({ status }: HttpAnswer): boolean {
	return busyStatuses.has(status);
}

/** True if a retry may succeed. */
function isWorthRepeating({ method, isQuestion }: HttpRequest, outcome: HttpAnswer | Error): boolean {
	if (method !== 'GET' && method !== 'HEAD') {
		return isQuestion === true && !(outcome instanceof Error) && laterStatuses.has(outcome.status);
	}
	if (!(outcome instanceof Error)) {
		return isBusy(outcome);
	}
	if (!(outcome instanceof HttpFailure)) {
		return false;
	}
	const { failure } = outcome;
	return failure.kind === 'truncated' || (failure.kind === 'unreachable' && failure.reason === 'reset');
}

export function asError(error: unknown): Error {
	return error instanceof Error ? error : new Error('Something that is no error was thrown', { cause: error });
}
