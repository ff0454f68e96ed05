import { getCACertificates } from 'node:tls';
import connect from 'undici/lib/api/api-connect.js';
import Agent from 'undici/lib/dispatcher/agent.js';
import EnvHttpProxyAgent from 'undici/lib/dispatcher/env-http-proxy-agent.js';
import Pool from 'undici/lib/dispatcher/pool.js';
import type { Dispatcher } from 'undici';
import type { TransportSettings } from './transportSettings.ts';

/** Finds the dispatcher for an origin. */
export interface Dispatchers {
	dispatcherFor(origin: string): Dispatcher;
	close(): Promise<void>;
}

/** How long a connection may take to be made. */
const connectTimeoutMs = 10_000;

/** One dispatcher for plain and one for encrypted origins, each made when first needed: reading certificates costs time. */
export function undiciDispatchers(settings: TransportSettings): Dispatchers {
	let plain: Dispatcher | undefined;
	let encrypted: Dispatcher | undefined;
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
		async close() {
			await Promise.all([plain?.destroy(), encrypted?.destroy()]);
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
