import { createRequire } from 'node:module';
import { join } from 'node:path';
import { getCACertificates } from 'node:tls';
import type { ProxySource, ProxyUse } from 'sourcehut/port/proxyUse.ts';
import { decodedPart } from '@forge-desk/base/decodedPart.ts';

/** Reads a setting of the editor; its value is unvalidated. */
export type ReadSetting = (key: string) => unknown;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The editor's own module for proxies and certificates. Its extension host has loaded it and added its functions, so
 * this is the same object. `undefined` in an editor without it.
 */
export function proxyModule(appRoot: string): unknown {
	const load = createRequire(join(appRoot, 'package.json'));
	for (const folder of ['node_modules.asar', 'node_modules']) {
		try {
			const loaded: unknown = load(join(appRoot, folder, '@vscode/proxy-agent'));
			return loaded;
		} catch {
			// The next folder.
		}
	}
	return undefined;
}

type Callable = (...args: readonly unknown[]) => unknown;

function member(value: unknown, name: string): unknown {
	return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

function functionOf(value: unknown, name: string): Callable | undefined {
	const found = member(value, name);
	return typeof found === 'function' ? (...args) => Reflect.apply(found, value, args) as unknown : undefined;
}

const none: ProxyUse = { kind: 'none' };

/** The editor's order: setting, environment, system. Rejects if the editor's own look-up does. */
export async function proxyFor(
	origin: string,
	editor: unknown,
	setting: ReadSetting,
	environment: Environment,
): Promise<ProxyUse> {
	if (setting('http.proxySupport') === 'off') {
		return none;
	}
	const resolve = functionOf(editor, 'resolveProxyByURL');
	if (resolve !== undefined) {
		const resolved = await resolve(`${origin}/`);
		const url = member(resolved, 'url');
		const source = member(resolved, 'source');
		if (typeof url === 'string') {
			return used(url, source === 'setting' ? 'setting' : source === 'env' ? 'environment' : 'system');
		}
		// The editor would connect directly after a failure. A firewall would hide its reason then.
		return source === 'fallback' || member(resolved, 'type') === 'UNRECOGNIZED'
			? { kind: 'unusable', source: 'system' }
			: none;
	}
	const written = writtenProxy(setting, environment);
	const resolveUrl = functionOf(editor, 'resolveProxyURL');
	if (resolveUrl !== undefined) {
		const url = await resolveUrl(`${origin}/`);
		return typeof url === 'string' ? used(url, written?.source ?? 'system') : none;
	}
	return written === undefined || isExcepted(new URL(origin), setting, environment)
		? none
		: used(written.address, written.source);
}

/** Proxy schemes of the network library. */
const proxySchemes: ReadonlySet<string> = new Set(['http:', 'https:', 'socks:', 'socks5:']);

/** The network library fails on other schemes, and on a stray percent sign. */
function used(address: string, source: ProxySource): ProxyUse {
	const url = URL.parse(address);
	const isUsable =
		url !== null &&
		url.hostname !== '' &&
		proxySchemes.has(url.protocol) &&
		[url.username, url.password].every((part) => decodedPart(part) !== undefined);
	return isUsable ? { kind: 'proxy', address, source } : { kind: 'unusable', source };
}

/** The proxy of setting or environment, by the editor's rules. Like the editor, it ignores one without a scheme. */
function writtenProxy(
	setting: ReadSetting,
	environment: Environment,
): { readonly address: string; readonly source: ProxySource } | undefined {
	const names = ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY'];
	const address = textOf(setting('http.proxy'));
	if (address !== undefined && isProxyAddress(address)) {
		return { address, source: 'setting' };
	}
	const ofSystem = names.map((name) => textOf(environment[name])).find((value) => value !== undefined);
	return ofSystem !== undefined && isProxyAddress(ofSystem) ? { address: ofSystem, source: 'environment' } : undefined;
}

/** The editor ignores a proxy without a scheme. */
export function isProxyAddress(text: string): boolean {
	return /^(?:https?|socks[45]?|socks4a|socks5h):\/\//i.test(text);
}

const ownComputer: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]', '[::ffff:7f00:1]']);

/** Names of hosts and domains, with or without a port. `*` means all. */
function isExcepted(url: URL, setting: ReadSetting, environment: Environment): boolean {
	const hosts = setting('http.noProxy');
	const excepted =
		Array.isArray(hosts) && hosts.length > 0
			? hosts.map(textOf)
			: (environment['no_proxy'] ?? environment['NO_PROXY'] ?? '').split(',').map(textOf);
	const port = url.port || (url.protocol === 'https:' ? '443' : '80');
	return (
		ownComputer.has(url.hostname) ||
		excepted.some((entry) => {
			const [name = '', ofPort] = (entry ?? '').toLowerCase().split(':', 2);
			const domain = name.startsWith('.') ? name : `.${name}`;
			return name === '*' || (name !== '' && `.${url.hostname}`.endsWith(domain) && (ofPort ?? port) === port);
		})
	);
}

export function textOf(value: unknown): string | undefined {
	return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

/** Certificates of Node.js with `NODE_EXTRA_CA_CERTS`, and the system's as the editor reads them. */
export async function trustedCertificates(editor: unknown, isByNode: boolean): Promise<readonly string[]> {
	const load = functionOf(editor, 'loadSystemCertificates');
	const silent = (): void => {};
	const log = { trace: silent, debug: silent, info: silent, warn: silent, error: silent };
	const loaded = await load?.({ log, loadSystemCertificatesFromNode: () => isByNode });
	const ofSystem = Array.isArray(loaded)
		? loaded.filter((each) => typeof each === 'string')
		: getCACertificates('system');
	return [...getCACertificates('default'), ...ofSystem];
}
