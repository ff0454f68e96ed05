import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/** Listens on the loopback address; resolves to the port that was taken. */
export async function listen(server: Server, port: number): Promise<number> {
	server.listen(port, '127.0.0.1');
	await once(server, 'listening');
	const address = server.address();
	if (address === null || typeof address === 'string') {
		throw new Error('A listening server has no port');
	}
	return address.port;
}

/** A port that nobody listens on at this moment. */
export async function freePort(): Promise<number> {
	const server = createServer();
	const port = await listen(server, 0);
	server.close();
	await once(server, 'close');
	return port;
}
