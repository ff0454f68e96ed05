import { once } from 'node:events';
import { createServer } from 'node:http';
import { createSecureServer } from 'node:http2';
import { createServer as createTlsServer } from 'node:https';
import { connect, type Server, type Socket } from 'node:net';
import type { Certificate } from './certificateAuthority.ts';

/** A proxy on this computer. */
export interface LocalProxy {
	/** `http://127.0.0.1:4711` */
	readonly origin: string;
	/** Everything that it was asked for: `CONNECT host:port`, or `GET http://host/path`. */
	readonly seen: readonly string[];
	stop(): Promise<void>;
}

/**
 * Starts a proxy. It leads every tunnel to `targetPort` of this computer, and answers plain requests with its name.
 * `authorization`: the `Proxy-Authorization` that it requires. `certificate`: its own, if it is encrypted.
 */
export async function startLocalProxy({
	name = 'proxy',
	port = 0,
	targetPort,
	authorization,
	certificate,
}: {
	readonly name?: string;
	readonly port?: number;
	readonly targetPort?: number;
	readonly authorization?: string;
	readonly certificate?: Certificate;
}): Promise<LocalProxy> {
	const seen: string[] = [];
	const mayPass = (given: string | undefined): boolean => authorization === undefined || given === authorization;
	const server = certificate === undefined ? createServer() : createTlsServer(certificate);
	server.on('request', (request, response) => {
		seen.push(`${request.method ?? ''} ${request.url ?? ''}`);
		if (mayPass(request.headers['proxy-authorization'])) {
			response.end(`through ${name}`);
		} else {
			response.writeHead(407, { 'proxy-authenticate': 'Basic realm="test"' }).end();
		}
	});
	const sockets = socketsOf(server);
	server.on('connect', (request, client) => {
		seen.push(`CONNECT ${request.url ?? ''}`);
		client.on('error', () => undefined);
		if (!mayPass(request.headers['proxy-authorization'])) {
			client.end('HTTP/1.1 407 No\r\nproxy-authenticate: Basic realm="test"\r\ncontent-length: 0\r\n\r\n');
			return;
		}
		const target = connect(targetPort ?? Number(new URL(`http://${request.url ?? ''}`).port), '127.0.0.1', () => {
			client.write('HTTP/1.1 200 Connected\r\n\r\n');
			target.pipe(client).pipe(target);
		});
		target.on('error', () => client.destroy());
		sockets.add(target);
	});
	const scheme = certificate === undefined ? 'http' : 'https';
	const origin = `${scheme}://127.0.0.1:${await listening(server, port)}`;
	return { origin, seen, stop: () => stopped(server, sockets) };
}

/** An encrypted server for both versions of HTTP. */
export interface ModernServer {
	readonly port: number;
	/** Versions of HTTP of its requests. */
	readonly versions: readonly string[];
	/** Connections so far. */
	readonly connections: () => number;
	stop(): Promise<void>;
}

/** Starts it with a certificate; it answers `sealed`. */
export async function startModernServer({ cert, key }: Certificate): Promise<ModernServer> {
	const versions: string[] = [];
	let connections = 0;
	const server = createSecureServer({ cert, key, allowHTTP1: true }, (request, response) => {
		versions.push(request.httpVersion);
		response.end('sealed');
	});
	const sockets = socketsOf(server);
	server.on('connection', () => (connections += 1));
	return {
		port: await listening(server, 0),
		versions,
		connections: () => connections,
		stop: () => stopped(server, sockets),
	};
}

/** All sockets of a server so far: those of HTTP/2 outlive its end. */
function socketsOf(server: Server): Set<Socket> {
	const sockets = new Set<Socket>();
	server.on('connection', (socket: Socket) => sockets.add(socket));
	return sockets;
}

async function listening(server: Server, port: number): Promise<number> {
	server.listen(port, '127.0.0.1');
	await once(server, 'listening');
	const address = server.address();
	if (address === null || typeof address === 'string') {
		throw new Error('The server has no port');
	}
	return address.port;
}

async function stopped(server: Server, sockets: Iterable<Socket>): Promise<void> {
	const closed = once(server, 'close');
	server.close();
	for (const socket of sockets) {
		socket.destroy();
	}
	await closed;
}
