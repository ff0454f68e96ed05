import { abortReason } from '../base/abort.ts';
import type { Clock } from '../base/clock.ts';
import { SharedFlights } from '../base/sharedFlights.ts';
import { bodyRoom, type BodyRoom } from './bodyRoom.ts';
import { Cancellation } from './cancellation.ts';
import { exchange, unreachable } from './exchange.ts';
import type { HttpAnswer, HttpClient, HttpFailure, HttpRequest } from './httpClient.ts';
import { pace, type Pace } from './pace.ts';
import { asError, isBusy, repeat } from './repeat.ts';
import type { TransportSettings } from './transportSettings.ts';
import { streamedExchange } from './streamedExchange.ts';
import { getCACertificates } from 'node:tls';
import connect from 'undici/lib/api/api-connect.js';
import Agent from 'undici/lib/dispatcher/agent.js';
import EnvHttpProxyAgent from 'undici/lib/dispatcher/env-http-proxy-agent.js';
import Pool from 'undici/lib/dispatcher/pool.js';
import type { Dispatcher } from 'undici';

/** The time that a call has unless its request says otherwise, or a body goes on coming. */
const usualDeadlineMs = 30_000;

/** What is kept for each origin. */
interface Host {
	readonly pace: Pace;
	/** Equal reads that are on their way at the same time. */
	readonly shared: SharedFlights<HttpAnswer, Cancellation>;
}

/**
 * HttpClient over undici's dispatchers. Good calls take the short way; what a failed one needs is done only for it.
 * Connections are made on first use and kept until `close`.
 */
export function undiciClient(options: {
	readonly transport: TransportSettings;
	readonly clock: Clock;
	readonly random: () => number;
	/** The memory for bodies that are read once; left out, the client has room of its own. */
	readonly room?: BodyRoom;
}): HttpClient {
	const { transport, clock, random, room = bodyRoom() } = options;
	const dispatchers = undiciDispatchers(transport);
	const hosts = new Map<string, Host>();
	let isClosed = false;
	const proxies = [transport.httpProxy, transport.httpsProxy].filter((proxy) => proxy !== undefined);

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

	/** One attempt, in its turn. Plain promises: each layer of `async` would be paid for by every call. */
	function attempt(host: Host, request: HttpRequest, limits: Limits): Promise<HttpAnswer> {
		const queuedMs = clock.nowMs();
		return host.pace.queue.add(() => {
			// Waiting for its turn counts too, or the last of many calls to a dead server would end minutes later.
			const deadlineMs = limits.deadlineMs - (clock.nowMs() - queuedMs);
			if (deadlineMs <= 0) {
				return Promise.reject(tooLate(request));
			}
			const dispatcher = dispatchers.dispatcherFor(request.origin);
			const answer = exchange(request, {
				dispatcher,
				onTimeout: () => dispatchers.leave(dispatcher),
				headers: headersOf(request, transport.userAgent),
				clock,
				cancellation: limits.cancellation,
				deadlineMs,
				mayTakeLonger: request.deadlineMs === undefined,
				proxies,
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
			const again = (deadlineMs: number): Promise<HttpAnswer> => attempt(host, request, { cancellation, deadlineMs });
			return repeat(again, request, { clock, random, cancellation, remainingMs }, outcome);
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
			return request.method === 'GET' || request.method === 'HEAD'
				? host.shared.join(keyOf(request), start, request.signal)
				: // What is on its way when a change is made may tell of the time before; later readers start anew.
					whileWanted(request.signal, start).finally(() => host.shared.forget());
		},
		// Outside of the pace: what takes minutes would take the place of everything else.
		stream(request) {
			const dispatcher = dispatchers.dispatcherFor(request.origin);
			return streamedExchange(request, {
				dispatcher,
				onTimeout: () => dispatchers.leave(dispatcher),
				userAgent: transport.userAgent,
				clock,
				proxies,
			});
		},
		beginWalk: (origin) => hostFor(origin).pace.beginWalk(),
		async close() {
			isClosed = true;
			await dispatchers.close();
		},
	};
}

interface Limits {
	readonly cancellation: Cancellation;
	readonly deadlineMs: number;
}

function tooLate({ origin }: HttpRequest): HttpFailure {
	return unreachable(origin, 'timeout', { isUnsent: true });
}

/** Waiting for room in the queue must not outlast the wish for the answer. */
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

function keyOf({ method, path, authorization, accept, limitBytes }: HttpRequest): string {
	return `${method} ${limitBytes} ${accept ?? ''} ${authorization ?? ''} ${path}`;
}

function headersOf({ accept, authorization, body, headers: others = {} }: HttpRequest, userAgent: string): string[] {
	const headers = ['User-Agent', userAgent, 'Accept', accept ?? '*/*', 'Accept-Encoding', 'gzip'];
	headers.push(...Object.entries(others).flat());
	if (authorization !== undefined) {
		headers.push('Authorization', authorization);
	}
	if (body !== undefined) {
		headers.push('Content-Type', body.contentType);
	}
	return headers;
}

/** Finds the dispatcher for an origin. */
interface Dispatchers {
	dispatcherFor(origin: string): Dispatcher;
	/**
	 * To be called with one by which something waited in vain. A connection of HTTP/2 stays when a call on it is given up, and
	 * each later one would join it, however dead it is: what comes now gets connections anew. What is under way goes on.
	 */
	leave(dispatcher: Dispatcher): void;
	close(): Promise<void>;
}

/** How long a connection may take to be made. */
const connectTimeoutMs = 10_000;

/** One dispatcher for plain and one for encrypted origins, each made when first needed: reading certificates costs time. */
function undiciDispatchers(settings: TransportSettings): Dispatchers {
	let plain: Dispatcher | undefined;
	let encrypted: Dispatcher | undefined;
	/** Those that end with what is under way. */
	const left = new Set<Dispatcher>();
	return {
		dispatcherFor(origin) {
			if (origin.startsWith('https:')) {
				encrypted ??= newDispatcher(settings, {
					rejectUnauthorized: settings.strictTls,
					...(settings.systemCertificates ? { ca: trustedCertificates() } : {}),
				});
				return encrypted;
			}
			plain ??= newDispatcher(settings, {});
			return plain;
		},
		leave(dispatcher) {
			// Only servers behind TLS are spoken to in HTTP/2.
			if (dispatcher === encrypted) {
				encrypted = undefined;
				left.add(dispatcher);
				const isOver = (): void => void left.delete(dispatcher);
				dispatcher.close().then(isOver, isOver);
			}
		},
		async close() {
			await Promise.all([plain, encrypted, ...left].map(async (each) => each?.destroy()));
		},
	};
}

interface Trust {
	readonly rejectUnauthorized?: boolean;
	readonly ca?: string[];
}

function newDispatcher(settings: TransportSettings, trust: Trust): Dispatcher {
	// Deadlines are kept for the whole call, so the parser's own timers, which a slow drip escapes, are off.
	const options = { headersTimeout: 0, bodyTimeout: 0, connect: { timeout: connectTimeoutMs, ...trust } };
	if (settings.httpProxy === undefined && settings.httpsProxy === undefined) {
		return new Agent(options);
	}
	return new EnvHttpProxyAgent({
		...options,
		// Empty strings keep it from looking into the environment by itself.
		httpProxy: settings.httpProxy ?? '',
		httpsProxy: settings.httpsProxy ?? '',
		noProxy: settings.noProxy.join(','),
		// Only the package's main file, which is not loaded, gives dispatchers the method that opens a tunnel.
		clientFactory: (origin, poolOptions) => Object.assign(new Pool(origin, poolOptions), { connect }),
		requestTls: trust,
		proxyTls: trust,
	});
}

function trustedCertificates(): string[] {
	return [...getCACertificates('default'), ...getCACertificates('system')];
}
