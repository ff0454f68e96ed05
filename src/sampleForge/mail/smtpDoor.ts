import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { createSmtpSession, type SmtpParts } from './smtpSession.ts';

/** A mail server on loopback. */
export interface SmtpDoor {
	readonly host: string;
	readonly port: number;
	/** Ends all connections. New connections reach the current world. */
	hangUp(): void;
	/** Ends all connections; resolves when the port is free. */
	close(): Promise<void>;
}

const host = '127.0.0.1';
const idleMs = 60_000;
const maxConnections = 50;

/**
 * Opens an SMTP server at `port` (0: any). Rejects if the port is in use. Calls `parts` for each connection, so the
 * port survives a reset of the world; refuses the connection without parts.
 */
export async function openSmtpDoor(parts: () => SmtpParts | undefined, port: number): Promise<SmtpDoor> {
	const sockets = new Set<Socket>();
	const server = createServer((socket) => {
		const asked = parts();
		if (asked === undefined) {
			socket.destroy();
			return;
		}
		sockets.add(socket);
		socket.on('close', () => sockets.delete(socket));
		serve(socket, asked);
	});
	server.maxConnections = maxConnections;
	server.listen(port, host);
	await once(server, 'listening');
	const hangUp = (): void => sockets.forEach((socket) => socket.destroy());
	return {
		host,
		port: portOf(server),
		hangUp,
		async close() {
			hangUp();
			server.close();
			await once(server, 'close');
		},
	};
}

function serve(socket: Socket, parts: SmtpParts): void {
	const session = createSmtpSession(parts);
	socket.setNoDelay(true);
	socket.setTimeout(idleMs, () => socket.destroy());
	// A client that went away is no business of the forge's.
	socket.on('error', () => socket.destroy());
	socket.on('data', (bytes: Buffer) => {
		socket.write(session.feed(bytes));
		if (session.ended()) {
			socket.end();
		}
	});
	socket.write(session.greeting);
}

function portOf(server: Server): number {
	const address = server.address();
	if (address === null || typeof address === 'string') {
		throw new Error('The mail door has no port');
	}
	return address.port;
}
