import { BlockList, isIP } from 'node:net';
import { getCACertificates } from 'node:tls';
import type { Dispatcher } from 'undici';
import connect from 'undici/lib/api/api-connect.js';
import Agent from 'undici/lib/dispatcher/agent.js';
import EnvHttpProxyAgent from 'undici/lib/dispatcher/env-http-proxy-agent.js';
import Pool from 'undici/lib/dispatcher/pool.js';

/** Network settings as plain data, from the editor's settings and the process's environment. */
export interface TransportSettings {
	/** `User-Agent` of all calls, as `ForgeDesk/0.1.0 (VS Code extension)`. */
	readonly userAgent: string;
	/** Concurrent calls per origin outside a walk; 4 is polite. */
	readonly callsInFlight: number;
	/** Proxy URL for TLS origins, if any (`http.proxy`, else `HTTPS_PROXY`). */
	readonly httpsProxy: string | undefined;
	/** For origins without TLS (`http.proxy`, else `HTTP_PROXY`). */
	readonly httpProxy: string | undefined;
	/** `Proxy-Authorization` of all calls to the proxy, if any (`http.proxyAuthorization`). */
	readonly proxyAuthorization?: string | undefined;
	/** Hosts and subnets to contact directly (`http.noProxy`, else `NO_PROXY`). */
	readonly noProxy: readonly string[];
	/** False accepts untrusted certificates (`http.proxyStrictSSL`). Warn the user if you set it. */
	readonly strictTls: boolean;
	/** Trusts the system's certificates in addition to the ones of Node.js. */
	readonly systemCertificates: boolean;
}

/** Deadline for establishing a connection. */
const connectTimeoutMs = 10_000;

/**
 * Time for each address of a host with several. The default of Node.js is 250 ms: too short for far servers and for a
 * lost first packet (a retransmission takes 1 s). Node.js tries addresses in turn, so a longer time would delay users with a dead
 * address family.
 */
const addressTimeoutMs = 2500;

/** One dispatcher for plain and one for TLS origins, with and without proxy, all lazy: reading certificates takes time. */
export function undiciDispatchers(settings: TransportSettings) {
	const open = new Map<string, Dispatcher>();
	const routes = new Map<string, string>();
	/** Abandoned dispatchers with pending calls. */
	const left = new Set<Dispatcher>();
	const isDirect = subnetMatcher(settings.noProxy);

	function routeOf(origin: string): string {
		const { protocol, hostname } = new URL(origin);
		const route = `${protocol}${isDirect(hostname) ? 'direct' : 'usual'}`;
		routes.set(origin, route);
		return route;
	}

	function openRoute(route: string): Dispatcher {
		const reach = route.endsWith('direct') ? { ...settings, httpProxy: undefined, httpsProxy: undefined } : settings;
		const dispatcher = newDispatcher(
			reach,
			isEncrypted(route)
				? {
						rejectUnauthorized: settings.strictTls,
						...(settings.systemCertificates ? { ca: trustedCertificates() } : {}),
					}
				: {},
		);
		open.set(route, dispatcher);
		return dispatcher;
	}

	return {
		dispatcherFor(origin: string) {
			const route = routes.get(origin) ?? routeOf(origin);
			return open.get(route) ?? openRoute(route);
		},
		/**
		 * Call after a timeout on this dispatcher. An HTTP/2 connection survives an aborted call even if it is dead, and
		 * later calls would reuse it. So new calls get new connections, and pending calls continue.
		 */
		leave(dispatcher: Dispatcher) {
			// HTTP/2 runs only over TLS.
			const route = Array.from(open.keys()).find((each) => isEncrypted(each) && open.get(each) === dispatcher);
			if (route !== undefined) {
				open.delete(route);
				left.add(dispatcher);
				const isOver = (): void => void left.delete(dispatcher);
				dispatcher.close().then(isOver, isOver);
			}
		},
		async close() {
			await Promise.all([...open.values(), ...left].map(async (each) => each.destroy()));
		},
	};
}

function isEncrypted(route: string): boolean {
	return route.startsWith('https:');
}

/** Matches addresses in the subnets of a list, such as `10.0.0.0/8` or `fd00::/8`. Undici compares names alone. */
function subnetMatcher(noProxy: readonly string[]): (hostname: string) => boolean {
	const subnets = new BlockList();
	for (const entry of noProxy) {
		const [, address = '', length = ''] = /^\[?([\da-f.:]+)\]?\/(\d{1,3})$/i.exec(entry.trim()) ?? [];
		const version = isIP(address);
		if (version !== 0 && Number(length) <= (version === 4 ? 32 : 128)) {
			subnets.addSubnet(address, Number(length), version === 4 ? 'ipv4' : 'ipv6');
		}
	}
	return (hostname) => {
		const address = hostname.replace(/^\[(.*)\]$/, '$1');
		const version = isIP(address);
		return version !== 0 && subnets.check(address, version === 4 ? 'ipv4' : 'ipv6');
	};
}

function newDispatcher(
	settings: TransportSettings,
	trust: { readonly rejectUnauthorized?: boolean; readonly ca?: string[] },
): Dispatcher {
	const connecting = { ...trust, autoSelectFamilyAttemptTimeout: addressTimeoutMs };
	// Disables the parser's timers: the deadline covers the whole call, and a slow drip would defeat the timers.
	const options = { headersTimeout: 0, bodyTimeout: 0, connect: { timeout: connectTimeoutMs, ...connecting } };
	if (settings.httpProxy === undefined && settings.httpsProxy === undefined) {
		return new Agent(options);
	}
	return new EnvHttpProxyAgent({
		...options,
		// Empty strings prevent undici from reading the environment.
		httpProxy: settings.httpProxy ?? '',
		httpsProxy: settings.httpsProxy ?? '',
		noProxy: settings.noProxy.join(','),
		...(settings.proxyAuthorization === undefined ? {} : { token: settings.proxyAuthorization }),
		// Only undici's main file, which isn't loaded here, adds the `connect` method that opens a tunnel.
		clientFactory: (origin, poolOptions) => Object.assign(new Pool(origin, poolOptions), { connect }),
		requestTls: connecting,
		proxyTls: connecting,
	});
}

function trustedCertificates(): string[] {
	return [...getCACertificates('default'), ...getCACertificates('system')];
}
