import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';

/** Limits for the time and size of a request; the server disconnects clients that exceed them. */
export interface ArrivalLimits {
	/** From the start of the connection to the end of the headers. */
	readonly headersMs: number;
	/** From the headers to the end of the body. */
	readonly requestMs: number;
	/** Interval of the checks. Node's default of 30 seconds defeats shorter limits. */
	readonly checkMs: number;
	/** Total header size. A browser sends its cookies of every port of this machine. */
	readonly headerBytes: number;
}

/** A server with strict limits, not listening yet. */
export function loopbackServer(limits: ArrivalLimits, handle: RequestListener): Server {
	const { headersMs, requestMs, checkMs, headerBytes } = limits;
	return createServer(
		{
			headersTimeout: headersMs,
			requestTimeout: requestMs,
			connectionsCheckingInterval: checkMs,
			maxHeaderSize: headerBytes,
			// The handler checks the host header like all others, and doesn't reveal that it is missing.
			requireHostHeader: false,
		},
		handle,
	);
}

/** Listens only at this address of this machine, and returns the port. 0 takes a free one. Rejects with Node's error. */
export async function listenAt(server: Server, port: number, address: string): Promise<number> {
	const listening = Promise.withResolvers<void>();
	server.once('error', listening.reject);
	server.listen({ port, host: address, exclusive: true }, listening.resolve);
	await listening.promise;
	server.off('error', listening.reject);
	// A later error ends its connection, never the window.
	server.on('error', () => undefined);
	const bound = server.address();
	if (bound === null || typeof bound === 'string') {
		throw new TypeError('The server listens at no port');
	}
	return bound.port;
}

/**
 * Valid host names for a server at this address. Port forwarding rewrites the name to `localhost`, so a server on
 * loopback or on all interfaces accepts all loopback names (docs/security.md#requests-to-the-webhook-listener).
 */
export function hostsOf(address: string, port: number): readonly string[] {
	return ['127.0.0.1', '0.0.0.0', '::1', '::'].includes(address)
		? ['127.0.0.1', '[::1]', 'localhost'].map((name) => `${name}:${port}`)
		: [address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`];
}

/**
 * The request's only host name, in lower case; `undefined` without exactly one. A web page can reach a local server
 * under a name of its own (DNS rebinding).
 */
export function calledHost(request: IncomingMessage): string | undefined {
	const names = valuesOf(request, 'host');
	return names.length === 1 ? names[0]?.toLowerCase() : undefined;
}

/** All values of a header. `name`: lower case. Node's own property would collect every other header too. */
export function valuesOf({ rawHeaders }: IncomingMessage, name: string): readonly string[] {
	return rawHeaders.filter((_, at) => {
		const named = at % 2 === 1 ? rawHeaders[at - 1] : undefined;
		return named?.length === name.length && named.toLowerCase() === name;
	});
}
