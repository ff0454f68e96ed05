import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** A local web server of one test. */
export interface LocalServer {
	/** `http://127.0.0.1:4711` */
	readonly origin: string;
	readonly port: number;
	/** Requests so far, as `GET /path`. */
	readonly seen: readonly string[];
	stop(): Promise<void>;
}

/** Starts a server; stopping it closes all connections. */
export async function startLocalServer(
	answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<LocalServer> {
	const seen: string[] = [];
	const sockets = new Set<Socket>();
	const server = createServer((request, response) => {
		seen.push(`${request.method ?? ''} ${request.url ?? ''}`);
		answer(request, response);
	});
	server.on('connection', (socket) => {
		sockets.add(socket);
		socket.on('close', () => sockets.delete(socket));
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = addressOf(server.address());
	return {
		origin: `http://127.0.0.1:${port}`,
		port,
		seen,
		async stop() {
			const closed = once(server, 'close');
			server.close();
			sockets.forEach((socket) => socket.destroy());
			await closed;
		},
	};
}

function addressOf(address: AddressInfo | string | null): AddressInfo {
	if (address === null || typeof address === 'string') {
		throw new Error('The server has no port');
	}
	return address;
}
