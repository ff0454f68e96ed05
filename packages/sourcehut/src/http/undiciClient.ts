import PQueue from 'p-queue';
import { abortReason, delay } from '@forge-desk/base/abort.ts';
import type { Clock } from '@forge-desk/base/clock.ts';
import { onDispose } from '@forge-desk/base/lifecycle.ts';
import { SharedFlights } from '@forge-desk/base/sharedFlights.ts';
import { minOf, pushAll } from '@forge-desk/base/longArrays.ts';
import { bodyRoom, type BodyRoom } from './bodyRoom.ts';
import { asError, unreachable } from './connectionFailures.ts';
import { Cancellation, exchange } from './exchange.ts';
import { HttpFailure, type HttpAnswer, type HttpClient, type HttpRequest } from './httpClient.ts';
import { streamedExchange } from './streamedExchange.ts';
import { undiciDispatchers, type TransportSettings } from './undiciDispatchers.ts';

/** Concurrent calls per origin during a walk. */
const walkCalls = 64;

/** The server is overloaded when calls take this many times as long as the first ones did, and noticeably so. */
const latencyFactor = 3;

const latencyFloorMs = 250;

const latencySamples = 8;

/** Default deadline of a call; extended while a body keeps arriving. */
const usualDeadlineMs = 30_000;

/** State per origin. */
interface Host {
	readonly pace: Pace;
	/** Equal reads in flight share one call. */
	readonly shared: SharedFlights<HttpAnswer, Cancellation>;
}

/**
 * HttpClient on undici's dispatchers. Successful calls take a short path; only failures pay for error handling.
 * Connections open on first use and stay until `close`.
 */
export function undiciClient(options: {
	readonly transport: TransportSettings;
	readonly clock: Clock;
	readonly random: () => number;
	/** Memory budget for buffered bodies. Without it, the client has its own. */
	readonly room?: BodyRoom;
}): HttpClient {
	const { transport, clock, random, room = bodyRoom() } = options;
	const dispatchers = undiciDispatchers(transport.wayTo);
	const hosts = new Map<string, Host>();
	let isClosed = false;

	function hostFor(origin: string): Host {
		let host = hosts.get(origin);
		if (host === undefined) {
			host = {
				pace: pace(transport.callsInFlight, () => clock.nowMs()),
				shared: new SharedFlights(() => new Cancellation()),
			};
			hosts.set(origin, host);
		}
		return host;
	}

	/**
	 * One attempt, after its turn in the queue. Uses plain promises, because every call would pay for each `async`
	 * layer.
	 */
	function attempt(host: Host, request: HttpRequest, limits: Limits): Promise<HttpAnswer> {
		const queuedMs = clock.nowMs();
		return host.pace.queue.add(() => {
			// The wait in the queue counts too. Otherwise the last of many calls to a dead server would end minutes
			// later.
			const deadlineMs = limits.deadlineMs - (clock.nowMs() - queuedMs);
			if (deadlineMs <= 0) {
				return Promise.reject(unreachable(request.origin, 'timeout', { isUnsent: true }));
			}
			const answer = exchange(request, {
				passage: dispatchers.passageTo(request.origin),
				headers: headersOf(request, transport.userAgent),
				clock,
				cancellation: limits.cancellation,
				deadlineMs,
				mayTakeLonger: request.deadlineMs === undefined,
				share: room.shareFor(request.origin),
			});
			host.pace.watch(answer);
			return answer;
		});
	}

	function call(host: Host, request: HttpRequest, cancellation: Cancellation): Promise<HttpAnswer> {
		const startedMs = clock.nowMs();
		const allowedMs = request.deadlineMs ?? usualDeadlineMs;
		const goOn = (outcome: HttpAnswer | Error): Promise<HttpAnswer> => {
			const remainingMs = allowedMs - (clock.nowMs() - startedMs);
			return repeat(
				(deadlineMs) => attempt(host, request, { cancellation, deadlineMs }),
				request,
				{ clock, random, cancellation, remainingMs },
				outcome,
			);
		};
		return attempt(host, request, { cancellation, deadlineMs: allowedMs }).then(
			(answer) => (isBusy(answer) && !isClosed ? goOn(answer) : answer),
			(error: unknown) => (isClosed ? Promise.reject(asError(error)) : goOn(asError(error))),
		);
	}

	return {
		send(request) {
			const host = hostFor(request.origin);
			const start = (cancellation: Cancellation): Promise<HttpAnswer> => call(host, request, cancellation);
			const { method, path, authorization, accept, limitBytes } = request;
			return method === 'GET' || method === 'HEAD'
				? host.shared.join(
						`${method} ${limitBytes} ${accept ?? ''} ${authorization ?? ''} ${path}`,
						start,
						request.signal,
					)
				: // Reads in flight during a write may return the old state, so later readers start new ones.
					whileWanted(request.signal, start).finally(() => host.shared.forget());
		},
		// Bypasses the queue: a download of minutes would block other calls.
		stream(request) {
			const passage = dispatchers.passageTo(request.origin);
			return streamedExchange(request, { passage, userAgent: transport.userAgent, clock });
		},
		beginWalk: (origin) => hostFor(origin).pace.beginWalk(),
		async close() {
			isClosed = true;
			await dispatchers.close();
		},
	};
}

/** Sends the request once, with the remaining time as deadline. */
type Attempt = (deadlineMs: number) => Promise<HttpAnswer>;

/** For longer waits, the caller reports the error to the user instead. */
const longestWaitMs = 60_000;
/** The same after a 429: the caller rests the service until then, and queues writes. */
const longestLimitMs = 10_000;
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
async function repeat(
	attempt: Attempt,
	request: HttpRequest,
	options: {
		readonly clock: Clock;
		readonly random: () => number;
		readonly cancellation: Cancellation;
		readonly remainingMs: number;
	},
	first: HttpAnswer | Error,
): Promise<HttpAnswer> {
	const { clock, random, cancellation } = options;
	let outcome = first;
	let { remainingMs } = options;
	for (let repetition = 0; repetition < mostRepetitions && isWorthRepeating(request, outcome); repetition += 1) {
		const { retryAfterMs: asked, status } = outcome instanceof Error ? {} : outcome;
		const pauseMs = asked ?? firstPauseMs * 2 ** repetition * (0.5 + random());
		// Without time left, the last outcome is more informative than a timeout of an attempt that never started.
		if (
			remainingMs <= 0 ||
			pauseMs > (asked === undefined ? remainingMs : status === 429 ? longestLimitMs : longestWaitMs)
		) {
			break;
		}
		await pause(clock, cancellation, pauseMs);
		const startedMs = clock.nowMs();
		remainingMs -= asked === undefined ? pauseMs : 0;
		outcome = await attempt(remainingMs).catch(asError);
		remainingMs -= clock.nowMs() - startedMs;
	}
	if (outcome instanceof Error) {
		throw outcome;
	}
	return outcome;
}

async function pause(clock: Clock, cancellation: Cancellation, pauseMs: number): Promise<void> {
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
function isBusy({ status }: HttpAnswer): boolean {
	return busyStatuses.has(status);
}

/** True if a retry may succeed. */
function isWorthRepeating({ method, isQuestion, isOnce }: HttpRequest, outcome: HttpAnswer | Error): boolean {
	if (isOnce === true) {
		return false;
	}
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

interface Limits {
	readonly cancellation: Cancellation;
	readonly deadlineMs: number;
}

/** Cancellation must take effect while the call is in the queue. */
function whileWanted(
	signal: AbortSignal,
	start: (cancellation: Cancellation) => Promise<HttpAnswer>,
): Promise<HttpAnswer> {
	if (signal.aborted) {
		return Promise.reject(abortReason(signal));
	}
	const cancellation = new Cancellation();
	return new Promise((resolve, reject) => {
		const giveUp = (): void => {
			cancellation.cancel(abortReason(signal));
			reject(abortReason(signal));
		};
		signal.addEventListener('abort', giveUp, { once: true });
		start(cancellation)
			.then(resolve, reject)
			.finally(() => signal.removeEventListener('abort', giveUp));
	});
}

function headersOf({ accept, authorization, body, headers: others = {} }: HttpRequest, userAgent: string): string[] {
	const headers = ['User-Agent', userAgent, 'Accept', accept ?? '*/*', 'Accept-Encoding', 'gzip'];
	pushAll(headers, Object.entries(others).flat());
	if (authorization !== undefined) {
		headers.push('Authorization', authorization);
	}
	if (body !== undefined) {
		headers.push('Content-Type', body.contentType);
	}
	return headers;
}

/** Limits the concurrent calls to one origin. */
export type Pace = ReturnType<typeof pace>;

/** `usual`: concurrent calls outside a walk. `nowMs`: clock for latencies. */
export function pace(usual: number, nowMs: () => number) {
	const queue = new PQueue({ concurrency: usual });
	const latency = latencyWatch();
	let walks = 0;

	function slowDown(): void {
		queue.concurrency = usual;
	}

	return {
		/** Queue of calls over the limit. */
		queue,
		/** Watches the response of a starting call. */
		watch(answer: Promise<HttpAnswer>) {
			if (walks > 0) {
				const startedMs = nowMs();
				answer.then(
					({ status }) => {
						if (latency.rises(nowMs() - startedMs) || status === 429 || status === 503) {
							slowDown();
						}
					},
					() => undefined,
				);
			}
		},
		/** Raises the limit until disposed, or until the server is overloaded: 429, 503 or rising latency. */
		beginWalk() {
			if (walks === 0) {
				latency.forget();
				queue.concurrency = Math.max(walkCalls, usual);
			}
			walks += 1;
			return onDispose(() => {
				walks -= 1;
				if (walks === 0) {
					slowDown();
				}
			});
		},
	};
}

function latencyWatch() {
	let first: number[] = [];
	let averageMs = 0;
	return {
		/** Adds a sample; true if latency has risen too far. */
		rises(durationMs: number) {
			if (first.length < latencySamples) {
				first.push(durationMs);
				averageMs = first.reduce((sum, ms) => sum + ms, 0) / first.length;
				return false;
			}
			averageMs += (durationMs - averageMs) / latencySamples;
			return averageMs > latencyFactor * minOf(first) + latencyFloorMs;
		},
		forget() {
			first = [];
			averageMs = 0;
		},
	};
}
