import type { Socket } from 'node:net';
import type { Clock } from '../base/clock.ts';

/** The connections that are open, of which there are few. */
export interface Connections {
	/** Takes in a new one. When there are too many, the oldest that has brought no complete request makes room. */
	add(socket: Socket): void;
	/** When the connection of this request began; `undefined` for its second request, which there is no place for. */
	begin(socket: Socket): number | undefined;
	/** The request of this connection is there, so it is no longer what has to make room. */
	complete(socket: Socket): void;
	/** Ends all. */
	endAll(): void;
}

interface Connection {
	readonly sinceMs: number;
	state: 'silent' | 'begun' | 'complete';
}

/** Never refuses the newest: slow ones would then keep everybody else out (docs/security.md#slow-senders). */
export function openConnections(most: number, { nowMs }: Pick<Clock, 'nowMs'>): Connections {
	// A map keeps the order in which its connections came.
	const open = new Map<Socket, Connection>();

	function makeRoom(): void {
		const [oldest] = open.keys();
		const [slowest = oldest] = [...open].flatMap(([socket, { state }]) => (state === 'complete' ? [] : [socket]));
		if (slowest !== undefined) {
			open.delete(slowest);
			slowest.destroy();
		}
	}

	return {
		add(socket) {
			open.set(socket, { sinceMs: nowMs(), state: 'silent' });
			socket.once('close', () => open.delete(socket));
			if (open.size > most) {
				makeRoom();
			}
		},
		begin(socket) {
			const connection = open.get(socket);
			if (connection?.state !== 'silent') {
				return undefined;
			}
			connection.state = 'begun';
			return connection.sinceMs;
		},
		complete(socket) {
			const connection = open.get(socket);
			if (connection !== undefined) {
				connection.state = 'complete';
			}
		},
		endAll() {
			for (const socket of open.keys()) {
				socket.destroy();
			}
		},
	};
}
