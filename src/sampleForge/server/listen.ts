import { once } from 'node:events';
import type { Server } from 'node:net';

/** Listens on the loopback address; resolves to the port. */
export async function listen(server: Server, port: number): Promise<number> {
	server.listen(port, '127.0.0.1');
	await once(server, 'listening');
	const address = server.address();
	if (address === null || typeof address === 'string') {
		throw new Error('A listening server has no port');
	}
	return address.port;
}
