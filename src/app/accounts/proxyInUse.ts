import { BlockList, isIP } from 'node:net';
import type { ProxySource, ProxyUse } from 'sourcehut/port/proxyUse.ts';
import { transportSettings } from './network.ts';

type Setting = Parameters<typeof transportSettings>[0];
type Environment = Parameters<typeof transportSettings>[1];

const empty: Setting = { get: () => undefined };

/** The proxy of a URL and its source, by the same settings as all requests. */
export function proxyInUse(address: string, settings: Setting, environment: Environment): ProxyUse {
	const { protocol, hostname, port } = new URL(address);
	const isTls = protocol === 'https:';
	const usable = (from: ReturnType<typeof transportSettings>): string | undefined =>
		isTls ? from.httpsProxy : from.httpProxy;
	const all = transportSettings(settings, environment, '');
	const host = hostname.replace(/^\[(.*)\]$/, '$1');
	if (settings.get('http.proxySupport') === 'off' || isExempt(host, Number(port || (isTls ? 443 : 80)), all.noProxy)) {
		return { kind: 'none' };
	}
	const written = settings.get('http.proxy');
	const inEnvironment = [isTls ? 'HTTPS_PROXY' : 'HTTP_PROXY']
		.flatMap((name) => [environment[name], environment[name.toLowerCase()]])
		.find((value) => value !== undefined && value.trim() !== '');
	const isSet = typeof written === 'string' ? written.trim() !== '' : written !== undefined && written !== null;
	const source: ProxySource = isSet ? 'setting' : 'environment';
	const found = usable(
		isSet
			? transportSettings({ get: (key) => (key === 'http.proxy' ? written : undefined) }, {}, '')
			: transportSettings(empty, environment, ''),
	);
	if (found !== undefined) {
		return { kind: 'proxy', address: found, source };
	}
	return isSet || inEnvironment !== undefined ? { kind: 'unusable', source } : { kind: 'none' };
}

/** As the network library and our own subnets decide. */
function isExempt(host: string, port: number, noProxy: readonly string[]): boolean {
	const subnets = new BlockList();
	for (const entry of noProxy) {
		const [, address = '', length = ''] = /^\[?([\da-f.:]+)\]?\/(\d{1,3})$/i.exec(entry.trim()) ?? [];
		const version = isIP(address);
		if (version !== 0 && Number(length) <= (version === 4 ? 32 : 128)) {
			subnets.addSubnet(address, Number(length), version === 4 ? 'ipv4' : 'ipv6');
		}
	}
	const version = isIP(host);
	const isNamed = noProxy.some((entry) => {
		const [, wild, name = '', only] = /^(\*?\.)?\[?(.*?)\]?(?::(\d+))?$/.exec(entry.trim().toLowerCase()) ?? [];
		const bare = isIP(entry) === 6 ? entry : name;
		const isPort = isIP(entry) === 6 || only === undefined || Number(only) === port;
		return bare !== '' && isPort && (bare === '*' || (wild !== '*.' && host === bare) || host.endsWith(`.${bare}`));
	});
	return isNamed || (version !== 0 && subnets.check(host, version === 4 ? 'ipv4' : 'ipv6'));
}
