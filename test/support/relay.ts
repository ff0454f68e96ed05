import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { Socket } from 'node:net';

/** A proxy that reports traffic. It changes only the host name. */
export interface Relay {
	/** Replaces the server's own origin. */
	readonly origin: string;
	/** Resolves after forwarding the first request bytes. */
	readonly asked: Promise<void>;
	/** Resolves after forwarding the first response bytes. */
	readonly answered: Promise<void>;
	/** Resolves when the client has disconnected. */
	readonly left: Promise<void>;
	/** Ends all connections, and refuses new ones until `reopen`. */
	close(): Promise<void>;
	reopen(): Promise<void>;
	stop(): Promise<void>;
}

/** Opens a relay to a server on the loopback. */
export async function startRelay(toOrigin: string): Promise<Relay> {
	const { hostname, port: toPort } = new URL(toOrigin);
	const asked = Promise.withResolvers<void>();
	const answered = Promise.withResolvers<void>();
	const left = Promise.withResolvers<void>();
	const sockets = new Set<Socket>();
	// The server accepts only its own host. A client sends the head of a request in one write.
	const renamed = (bytes: Buffer): Buffer =>
		Buffer.from(bytes.toString('latin1').replace(/^host: .*$/im, `Host: ${hostname}:${toPort}`), 'latin1');
	const kept = (bytes: Buffer): Buffer => bytes;
	const server = createServer((near) => {
		const far = connect(Number(toPort), hostname);
		near.on('close', () => left.resolve());
		for (const [from, to, passed, change] of [
			[near, far, asked, renamed],
			[far, near, answered, kept],
		] as const) {
			sockets.add(from);
			from.on('data', (bytes: Buffer) => to.write(change(bytes), () => passed.resolve()));
			from.on('error', () => to.destroy());
			from.on('close', () => {
				sockets.delete(from);
				to.destroy();
			});
		}
	});
	const listen = async (port: number): Promise<number> => {
		server.listen(port, '127.0.0.1');
		await once(server, 'listening');
		const address = server.address();
		if (address === null || typeof address === 'string') {
			throw new Error('The relay has no port');
		}
		return address.port;
	};
	const close = async (): Promise<void> => {
		const closed = once(server, 'close');
		server.close();
		sockets.forEach((socket) => socket.destroy());
		await closed;
	};
	const port = await listen(0);
	return {
		origin: `http://127.0.0.1:${port}`,
		asked: asked.promise,
		answered: answered.promise,
		left: left.promise,
		close,
		async reopen() {
			await listen(port);
		},
		async stop() {
			await (server.listening ? close() : undefined);
		},
	};
}
