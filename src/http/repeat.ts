import { delay } from '../base/abort.ts';
import type { Clock } from '../base/clock.ts';
import type { Cancellation } from './cancellation.ts';
import { HttpFailure } from './httpClient.ts';
import type { HttpAnswer, HttpRequest } from './httpClient.ts';

/** Sends the request once, within the time that is left for it. */
export type Attempt = (deadlineMs: number) => Promise<HttpAnswer>;

/** What repeating needs. */
export interface RepeatOptions {
	readonly clock: Clock;
	readonly random: () => number;
	readonly cancellation: Cancellation;
	readonly remainingMs: number;
}

/** The longest that a server may ask us to wait before we rather tell the user. */
const longestWaitMs = 60_000;
const mostRepetitions = 2;
const firstPauseMs = 300;
const busyStatuses: ReadonlySet<number> = new Set([429, 502, 503, 504]);
/** Of these the server itself says that it did nothing; with the others it may have broken off over what it was asked. */
const laterStatuses: ReadonlySet<number> = new Set([429, 503]);

/**
 * Goes on after a first attempt that failed or was put off. Only GET and HEAD are repeated: anything else may already have done its work.
 * A question by POST is repeated where it was put off; where it broke off, who asks has smaller ones. The pause grows and is jittered unless the server named one.
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
		// With no time left the outcome that there is says more than a timeout of an attempt that was never made.
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

/** True for an answer that says no more than "later". */
export function isBusy({ status }: HttpAnswer): boolean {
	return busyStatuses.has(status);
}

/** True when an outcome is of the kind that a later attempt may better. */
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

/** What a promise was refused with, as an Error. */
export function asError(error: unknown): Error {
	return error instanceof Error ? error : new Error('Something that is no error was thrown', { cause: error });
}
