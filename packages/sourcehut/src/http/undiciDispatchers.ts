import type { buildConnector, Dispatcher } from 'undici';
import connect from 'undici/lib/api/api-connect.js';
import Agent from 'undici/lib/dispatcher/agent.js';
import Pool from 'undici/lib/dispatcher/pool.js';
import ProxyAgent from 'undici/lib/dispatcher/proxy-agent.js';
import { asError, unreachable } from './connectionFailures.ts';

/** How to reach an origin. */
export interface Way {
	/** `address`: URL with http, https, socks or socks5. `unusable`: one is needed, so no call leaves. */
	readonly proxy: { readonly kind: 'none' | 'unusable' } | { readonly kind: 'proxy'; readonly address: string };
	/** `Proxy-Authorization` of all calls to the proxy, if any. */
	readonly proxyAuthorization: string | undefined;
	/** False accepts untrusted certificates. Warn the user if you set it. */
	readonly strictTls: boolean;
	/** Trusted certificates as PEM, the same array while they are the same. `undefined`: those of Node.js. */
	readonly authorities: readonly string[] | undefined;
}

/** Network settings. */
export interface TransportSettings {
	/** `User-Agent` of all calls, as `ForgeDesk/0.1.0 (VS Code extension)`. */
	readonly userAgent: string;
	/** Concurrent calls per origin outside a walk; 4 is polite. */
	readonly callsInFlight: number;
	/** Asked before each call, so changed settings and networks take effect. Without a promise, calls cost less. */
	readonly wayTo: (origin: string) => Way | Promise<Way>;
}

/** Deadline for establishing a connection. */
const connectTimeoutMs = 10_000;

/**
 * Time for each address of a host with several. The default of Node.js is 250 ms: too short for far servers and for a
 * lost first packet (a retransmission takes 1 s). Node.js tries addresses in turn, so a longer time would delay users with a dead
 * address family.
 */
const addressTimeoutMs = 2500;

/** The connections of one way. */
interface Route {
	readonly isEncrypted: boolean;
	readonly way: Way;
	readonly dispatcher: Dispatcher;
}

export type Connections = Pick<Dispatcher, 'dispatch'>;

/** A call that waits for its way. */
export interface WaitingCall {
	begin(connections: Connections): void;
	fail(error: unknown): void;
}

/** The way of one call. */
export interface Passage {
	/** Sends the call once its way is known: at once if it is. */
	enter(call: WaitingCall): void;
	/** URL of the proxy in use, to recognize its failures. */
	readonly proxy: string | undefined;
	/** False while the proxy is being looked up. */
	readonly isFound: boolean;
	/**
	 * Call after a timeout. An HTTP/2 connection survives an aborted call even if it is dead, and later calls would reuse
	 * it. So new calls get new connections, and pending calls continue.
	 */
	leave(): void;
}

/** One dispatcher for each way in use, with plain and TLS origins apart, because only TLS needs certificates. */
export function undiciDispatchers(wayTo: TransportSettings['wayTo']) {
	const open = new Set<Route>();
	const taken = new Map<string, Route>();
	/** Abandoned dispatchers with pending calls. */
	const left = new Set<Dispatcher>();
	let isClosed = false;

	/** Origins move to another route when their way changes. Nobody uses the old one then. */
	function routeFor(origin: string, way: Way): Route {
		const before = taken.get(origin);
		if (before !== undefined && open.has(before) && isSame(before.way, way)) {
			return before;
		}
		const isEncrypted = origin.startsWith('https:');
		const known = Array.from(open).find((each) => each.isEncrypted === isEncrypted && isSame(each.way, way));
		const route = known ?? { isEncrypted, way, dispatcher: newDispatcher(way) };
		open.add(route);
		taken.set(origin, route);
		if (before !== undefined && !Array.from(taken.values()).includes(before)) {
			leave(before);
		}
		return route;
	}

	function leave(route: Route): void {
		if (open.delete(route)) {
			const { dispatcher } = route;
			left.add(dispatcher);
			const isOver = (): void => void left.delete(dispatcher);
			dispatcher.close().then(isOver, isOver);
		}
	}

	return {
		passageTo(origin: string): Passage {
			let way: Way | undefined;
			let route: Route | undefined;

			function take(found: Way, call: WaitingCall): void {
				way = found;
				if (isClosed) {
					call.fail(unreachable(origin, 'reset', { isUnsent: true }));
					return;
				}
				if (way.proxy.kind === 'unusable') {
					call.fail(unreachable(origin, 'proxyUnusable', { isUnsent: true }));
					return;
				}
				try {
					route = routeFor(origin, way);
					call.begin(route.dispatcher);
				} catch (error) {
					call.fail(error);
				}
			}

			return {
				enter(call) {
					const found = wayTo(origin);
					if (!(found instanceof Promise)) {
						take(found, call);
						return;
					}
					found.then(
						(way) => take(way, call),
						(error: unknown) =>
							call.fail(unreachable(origin, 'proxyUnusable', { cause: asError(error), isUnsent: true })),
					);
				},
				get proxy() {
					return way?.proxy.kind === 'proxy' ? way.proxy.address : undefined;
				},
				get isFound() {
					return way !== undefined;
				},
				leave() {
					// HTTP/2 runs only over TLS.
					if (route?.isEncrypted === true) {
						leave(route);
					}
				},
			};
		},
		async close() {
			isClosed = true;
			const all = [...Array.from(open, ({ dispatcher }) => dispatcher), ...left];
			await Promise.all(all.map(async (each) => each.destroy()));
		},
	};
}

function isSame(one: Way, other: Way): boolean {
	return (
		addressOf(one) === addressOf(other) &&
		one.proxyAuthorization === other.proxyAuthorization &&
		one.strictTls === other.strictTls &&
		one.authorities === other.authorities
	);
}

/** Without this, a proxy with an untrusted certificate looks like such a server. */
function namingProxy(reach: buildConnector.connector): buildConnector.connector {
	return (options, done) =>
		reach(options, (...[error, socket]) =>
			error === null ? done(null, socket) : done(new Error('The proxy cannot be reached', { cause: error }), null),
		);
}

function addressOf({ proxy }: Way): string | undefined {
	return proxy.kind === 'proxy' ? proxy.address : undefined;
}

function newDispatcher(way: Way): Dispatcher {
	const connecting = {
		rejectUnauthorized: way.strictTls,
		...(way.authorities === undefined ? {} : { ca: [...way.authorities] }),
		autoSelectFamilyAttemptTimeout: addressTimeoutMs,
	};
	// Disables the parser's timers: the deadline covers the whole call, and a slow drip would defeat the timers.
	const options = { headersTimeout: 0, bodyTimeout: 0, connect: { timeout: connectTimeoutMs, ...connecting } };
	const uri = addressOf(way);
	if (uri === undefined) {
		return new Agent(options);
	}
	return new ProxyAgent({
		...options,
		uri,
		...(way.proxyAuthorization === undefined ? {} : { token: way.proxyAuthorization }),
		// Only undici's main file, which isn't loaded here, adds the `connect` method that opens a tunnel.
		clientFactory: (origin, { connect: reach }: { readonly connect: buildConnector.connector }) =>
			Object.assign(new Pool(origin, { connect: namingProxy(reach) }), { connect }),
		requestTls: connecting,
		proxyTls: connecting,
	});
}
