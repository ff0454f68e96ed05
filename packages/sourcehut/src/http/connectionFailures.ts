import { HttpFailure, type ConnectionTrouble } from './httpClient.ts';

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

/** Progress of a failed call. */
interface FailedCall {
	readonly origin: string;
	/** URL of the proxy in use. */
	readonly proxy: string | undefined;
	/** The connection was never established. */
	readonly isUnsent: boolean;
	/** The head of the response arrived. */
	readonly hasBegun: boolean;
}

/** Classifies an error of the network library. */
export function failureOf(thrown: unknown, { origin, isUnsent, hasBegun, proxy }: FailedCall): HttpFailure {
	if (thrown instanceof HttpFailure) {
		return thrown;
	}
	const error = asError(thrown);
	if (error.name === 'HTTPParserError' || codeOf(error) === 'UND_ERR_HEADERS_OVERFLOW') {
		// No cause: the parser's error contains the server's bytes.
		return new HttpFailure({ kind: 'garbled' });
	}
	if (hasBegun) {
		return new HttpFailure({ kind: 'truncated' }, { cause: error });
	}
	const trouble = connectionTrouble(error, proxy);
	// A rejecting proxy forwards nothing, even after it received the whole request.
	const isRejected = trouble === 'proxy' || trouble === 'proxySignIn';
	return unreachable(origin, trouble, { cause: error, isUnsent: isUnsent || isRejected });
}

/** The failure of a call that took too long. A PAC file that gives no answer is no slow server. */
export function timedOut(origin: string, isFound: boolean, isUnsent: boolean): HttpFailure {
	return unreachable(origin, isFound ? 'timeout' : 'proxyUnusable', { isUnsent });
}

export function unreachable(
	origin: string,
	reason: ConnectionTrouble,
	how: { readonly cause?: Error; readonly isUnsent: boolean },
): HttpFailure {
	return new HttpFailure({ kind: 'unreachable', reason, host: new URL(origin).host }, how);
}

/** Classifies a connection error. `proxy`: URL of the proxy in use, to recognize its failures. */
export function connectionTrouble(error: Error, proxy: string | undefined): ConnectionTrouble {
	const root = rootOf(error);
	if (speaksOfProxy(error, root, proxy)) {
		return error.message.includes('(407)') ? 'proxySignIn' : 'proxy';
	}
	const code = codeOf(root);
	return troubleByCode.get(code) ?? troubleByPrefix.find(([prefix]) => code.startsWith(prefix))?.[1] ?? 'reset';
}

/** Connecting to several addresses of a host fails with an AggregateError; its first error has the code. */
function rootOf(error: Error): Error {
	if (codeOf(error) !== '' && !(error instanceof AggregateError)) {
		return error;
	}
	const parts: readonly unknown[] = error instanceof AggregateError ? error.errors : [error.cause];
	return parts.find((part): part is Error => part instanceof Error) ?? error;
}

function speaksOfProxy(error: Error, root: Error, proxy: string | undefined): boolean {
	if (/proxy/i.test(error.message)) {
		return true;
	}
	if (proxy === undefined) {
		return false;
	}
	const { hostname, port } = new URL(proxy);
	return (
		('hostname' in root && root.hostname === hostname) ||
		('port' in root && String(root.port) === port && 'address' in root)
	);
}

function codeOf(error: Error): string {
	return 'code' in error && typeof error.code === 'string' ? error.code : '';
}

export function asError(error: unknown): Error {
	return error instanceof Error ? error : new Error('Something that is no error was thrown', { cause: error });
}
