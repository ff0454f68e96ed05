import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/** A reserved port for another listener. */
export interface ReservedPort {
	readonly port: number;
	release(): void;
}

/** Systems assign ports from 32768 or 49152 upwards. */
const firstPort = 20_000;
const pairs = 5000;
const mostTries = 100;

/**
 * A free port outside the system's ephemeral range. A listener on the next port reserves the pair until its release. `pick` returns a number below its argument.
 */
export async function reservePort(
	pick: (below: number) => number = (below) => randomInt(below),
): Promise<ReservedPort> {
	const mark = createServer((socket) => socket.destroy());
	for (let tried = 0; tried < mostTries; tried += 1) {
		const port = firstPort + 2 * pick(pairs);
		if (await opens(mark, port + 1)) {
			if (await isFree(port)) {
				return { port, release: () => void mark.close() };
			}
			await close(mark);
		}
	}
	throw new Error(`No port for the redirect address was free, ${mostTries} times in a row`);
}

async function isFree(port: number): Promise<boolean> {
	const server = createServer();
	if (!(await opens(server, port))) {
		return false;
	}
	await close(server);
	return true;
}

async function opens(server: Server, port: number): Promise<boolean> {
	try {
		await listen(server, port);
		return true;
	} catch {
		return false;
	}
}

async function close(server: Server): Promise<void> {
	server.close();
	await once(server, 'close');
}

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
