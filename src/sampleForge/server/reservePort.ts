import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { listen } from './listen.ts';

/** A port for others to listen on, for as long as it is reserved. */
export interface ReservedPort {
	readonly port: number;
	release(): void;
}

/** Systems choose from 32768 and more, or from 49152 and more, where any port will do. */
const firstPort = 20_000;
const pairs = 5000;
const mostTries = 100;

/**
 * A port that is free now, that the system gives to nobody who asks for any, and that no other sample forge reserves until
 * it is released: the port after it is listened on meanwhile, which marks the pair as taken. `pick` answers a number below
 * the one it is handed.
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
