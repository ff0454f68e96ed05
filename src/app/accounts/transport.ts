import { decodedPart } from '../../base/decodedPart.ts';
import type { TransportSettings } from '../../net.ts';

/** Never reached through a proxy: the sample forge, and whatever else runs here. */
const ownComputer = ['localhost', '127.0.0.1', '::1', '[::1]'] as const;

/** What the network library can speak to a proxy. */
const proxySchemes: ReadonlySet<string> = new Set(['http:', 'https:', 'socks:', 'socks5:']);

/** What is read of the editor's settings; values are as the user wrote them. */
export interface EditorSettings {
	get(key: string): unknown;
}

/**
 * How the network is reached: the editor's proxy settings before the environment's, as the editor itself does.
 * `version` is the extension's own, for an honest User-Agent.
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
	const isProxyOff = settings.get('http.proxySupport') === 'off';
	const inFlight = settings.get('forge.requests.inFlight');
	return {
		userAgent: `ForgeDesk/${version} (VS Code extension)`,
		callsInFlight: typeof inFlight === 'number' && inFlight >= 1 ? Math.min(16, Math.floor(inFlight)) : 4,
		httpsProxy: isProxyOff ? undefined : (proxy ?? environmentProxy('HTTPS_PROXY')),
		httpProxy: isProxyOff ? undefined : (proxy ?? environmentProxy('HTTP_PROXY')),
		noProxy: [
			...(hostsOf(settings.get('http.noProxy')) ?? fromEnvironment('NO_PROXY')?.split(/[\s,]+/) ?? []),
			...ownComputer,
		],
		strictTls: settings.get('http.proxyStrictSSL') !== false,
		systemCertificates: settings.get('http.systemCertificates') !== false,
	};
}

function textOf(value: unknown): string | undefined {
	return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

/**
 * The address of a proxy. In the environment it is often written without scheme, which means http. What can be no proxy
 * counts as none: it would make every call fail, this computer's included.
 */
function proxyOf(value: unknown): string | undefined {
	const written = textOf(value);
	if (written === undefined) {
		return undefined;
	}
	const address = /^[a-z][a-z\d+.-]*:\/\//i.test(written) ? written : `http://${written.replace(/^\/\//, '')}`;
	const url = URL.parse(address);
	// A stray percent sign is what the network library would stumble on.
	const isProxy = url !== null && url.hostname !== '' && proxySchemes.has(url.protocol);
	return isProxy && [url.username, url.password].every((part) => decodedPart(part) !== undefined) ? address : undefined;
}

function hostsOf(value: unknown): readonly string[] | undefined {
	return Array.isArray(value) && value.length > 0
		? value.filter((host): host is string => typeof host === 'string')
		: undefined;
}
