import * as vscode from 'vscode';
import type { Clock } from '@forge-desk/base/clock.ts';
import type { WorkerJson } from '@forge-desk/base/workerJson.ts';
import type { GitReads } from 'sourcehut/port/gitReads.ts';
import type { Net, TransportSettings } from 'sourcehut/net.ts';
import { decodedPart } from '@forge-desk/base/decodedPart.ts';

/**
 * Lazily loads the network's bundle and reads its settings. As with the editor's own proxy settings, changes need a new
 * window.
 */
export function network(clock: Clock, version: string, workerJson: WorkerJson, git: GitReads) {
	let opening: Promise<Net> | undefined;
	async function load(): Promise<Net> {
		const { openNet } = await import('sourcehut/net.ts');
		const settings = vscode.workspace.getConfiguration();
		const transport = transportSettings(
			// Ignore workspace settings: a hostile workspace could redirect tokens through its proxy.
			{ get: (key) => settings.inspect<unknown>(key)?.globalValue ?? settings.inspect<unknown>(key)?.defaultValue },
			process.env,
			version,
		);
		return openNet({ transport, clock, random: Math.random, workerJson, git });
	}
	return {
		open() {
			opening ??= load();
			return opening;
		},
		dispose() {
			void opening?.then((net) => net.close()).catch(() => undefined);
		},
	};
}

/** Local hosts, such as the sample forge, bypass the proxy. */
const ownComputer = ['localhost', '127.0.0.1', '::1', '[::1]'] as const;

/** Proxy schemes of the network library. */
const proxySchemes: ReadonlySet<string> = new Set(['http:', 'https:', 'socks:', 'socks5:']);

/** The used part of the editor's settings; values are unvalidated. */
interface EditorSettings {
	get(key: string): unknown;
}

/**
 * Network settings. As in the editor, its proxy settings override the environment. `version`: of the extension, for the
 * User-Agent.
 */
export function transportSettings(
	settings: EditorSettings,
	environment: Readonly<Record<string, string | undefined>>,
	version: string,
): TransportSettings {
	const proxy = proxyOf(settings.get('http.proxy'));
	const fromEnvironment = (name: string): string | undefined =>
		textOf(environment[name]) ?? textOf(environment[name.toLowerCase()]);
	const environmentProxy = (name: string): string | undefined => proxyOf(fromEnvironment(name));
	const header = textOf(settings.get('http.proxyAuthorization'));
	const hosts = settings.get('http.noProxy');
	const noProxy =
		Array.isArray(hosts) && hosts.length > 0
			? hosts.filter((host): host is string => typeof host === 'string')
			: (fromEnvironment('NO_PROXY')?.split(/[\s,]+/) ?? []);
	const isProxyOff = settings.get('http.proxySupport') === 'off';
	const inFlight = settings.get('forge.requests.inFlight');
	return {
		userAgent: `ForgeDesk/${version} (VS Code extension)`,
		callsInFlight: typeof inFlight === 'number' && inFlight >= 1 ? Math.min(16, Math.floor(inFlight)) : 4,
		httpsProxy: isProxyOff ? undefined : (proxy ?? environmentProxy('HTTPS_PROXY')),
		httpProxy: isProxyOff ? undefined : (proxy ?? environmentProxy('HTTP_PROXY')),
		// A header with line ends or letters beyond ASCII would break every request.
		proxyAuthorization: header !== undefined && /^[\x20-\x7e]+$/.test(header) ? header : undefined,
		noProxy: [...noProxy, ...ownComputer],
		strictTls: settings.get('http.proxyStrictSSL') !== false,
		systemCertificates: settings.get('http.systemCertificates') !== false,
	};
}

function textOf(value: unknown): string | undefined {
	return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

/**
 * Parses a proxy address; without a scheme, it is http, as is common in environments. Ignores an invalid one, because
 * it would break every request, even local ones.
 */
function proxyOf(value: unknown): string | undefined {
	const written = textOf(value);
	if (written === undefined) {
		return undefined;
	}
	const address = /^[a-z][a-z\d+.-]*:\/\//i.test(written) ? written : `http://${written.replace(/^\/\//, '')}`;
	const url = URL.parse(address);
	// The network library fails on a stray percent sign.
	const isProxy = url !== null && url.hostname !== '' && proxySchemes.has(url.protocol);
	return isProxy && [url.username, url.password].every((part) => decodedPart(part) !== undefined) ? address : undefined;
}
