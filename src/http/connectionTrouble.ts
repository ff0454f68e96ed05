import type { ConnectionTrouble } from './httpClient.ts';

/** Unambiguous error codes of Node.js and undici. */
const troubleByCode: ReadonlyMap<string, ConnectionTrouble> = new Map([
	['ENOTFOUND', 'dns'],
	['EAI_AGAIN', 'offline'],
	['ENETUNREACH', 'offline'],
	['ENETDOWN', 'offline'],
	['EHOSTUNREACH', 'offline'],
	['EHOSTDOWN', 'offline'],
	['EADDRNOTAVAIL', 'offline'],
	['ECONNREFUSED', 'refused'],
	['ETIMEDOUT', 'timeout'],
	['UND_ERR_CONNECT_TIMEOUT', 'timeout'],
	['UND_ERR_PRX_TLS', 'proxy'],
	['UND_ERR_PRX_CONN', 'proxy'],
	['EPROTO', 'tls'],
	['DEPTH_ZERO_SELF_SIGNED_CERT', 'tls'],
	['SELF_SIGNED_CERT_IN_CHAIN', 'tls'],
	['HOSTNAME_MISMATCH', 'tls'],
]);

const troubleByPrefix: readonly (readonly [string, ConnectionTrouble])[] = [
	['CERT_', 'tls'],
	['CRL_', 'tls'],
	['UNABLE_TO_', 'tls'],
	['ERROR_IN_CERT', 'tls'],
	['ERR_TLS_', 'tls'],
	['ERR_SSL_', 'tls'],
	['INVALID_CA', 'tls'],
	['UND_ERR_SOCKS5', 'proxy'],
];

/** Classifies a connection error. `proxies`: URLs of the proxies in use, to recognize their failures. */
export function connectionTrouble(error: Error, proxies: readonly string[]): ConnectionTrouble {
	const root = rootOf(error);
	if (speaksOfProxy(error, root, proxies)) {
		return 'proxy';
	}
	const code = codeOf(root);
	return troubleByCode.get(code) ?? troubleByPrefix.find(([prefix]) => code.startsWith(prefix))?.[1] ?? 'reset';
}

/** True if the server didn't speak HTTP. */
export function isGarbled(error: Error): boolean {
	return error.name === 'HTTPParserError' || codeOf(error) === 'UND_ERR_HEADERS_OVERFLOW';
}

/** Connecting to several addresses of a host fails with an AggregateError; its first error has the code. */
function rootOf(error: Error): Error {
	if (codeOf(error) !== '' && !(error instanceof AggregateError)) {
		return error;
	}
	const parts: readonly unknown[] = error instanceof AggregateError ? error.errors : [error.cause];
	return parts.find((part): part is Error => part instanceof Error) ?? error;
}

function speaksOfProxy(error: Error, root: Error, proxies: readonly string[]): boolean {
	if (/proxy/i.test(error.message)) {
		return true;
	}
	return proxies.some((proxy) => {
		const { hostname, port } = new URL(proxy);
		return (
			('hostname' in root && root.hostname === hostname) ||
			('port' in root && String(root.port) === port && 'address' in root)
		);
	});
}

function codeOf(error: Error): string {
	return 'code' in error && typeof error.code === 'string' ? error.code : '';
}
