import type { Socket } from 'node:net';
import type { Clock } from '../base/clock.ts';

/** How much is held for those who have sent no whole request yet, or have not taken their answer. */
export interface ConnectionLimits {
	/** Open at the same time. So many that one whose request is on its way for a second stays between 200 slow ones. */
	readonly connections: number;
	/** Of their bodies together. */
	readonly heldBytes: number;
}

/** The connections that are open. */
export interface Connections {
	/** Takes in a new one. When there are too many, the oldest that has brought no complete request makes room. */
	add(socket: Socket): void;
	/** When the connection of this request began; `undefined` for its second request, which there is no place for. */
	begin(socket: Socket): number | undefined;
	/**
	 * So many more bytes of its body are held, until it ends. When all hold too many, the oldest of those that hold some
	 * makes room, and before any other one whose request is not complete.
	 */
	hold(socket: Socket, byteLength: number): void;
	/** The request of this connection is there, so it is no longer what has to make room. */
	complete(socket: Socket): void;
	/** Ends all. */
	endAll(): void;
}

interface Connection {
	readonly sinceMs: number;
	state: 'silent' | 'begun' | 'complete';
	heldBytes: number;
}

/** Never refuses the newest: slow ones would then keep everybody else out (docs/security.md#slow-senders). */
export function openConnections(limits: ConnectionLimits, { nowMs }: Pick<Clock, 'nowMs'>): Connections {
	// A map keeps the order in which its connections came.
	const open = new Map<Socket, Connection>();
	let heldBytes = 0;

	function remove(socket: Socket): void {
		heldBytes -= open.get(socket)?.heldBytes ?? 0;
		open.delete(socket);
	}

	/** Whether one of those that are meant was ended. */
	function makeRoom(isMeant: (connection: Connection) => boolean): boolean {
		const meant = [...open].filter(([, connection]) => isMeant(connection));
		const [victim] = meant.find(([, { state }]) => state !== 'complete') ?? meant[0] ?? [];
		if (victim !== undefined) {
			remove(victim);
			victim.destroy();
		}
		return victim !== undefined;
	}

	return {
		add(socket) {
			open.set(socket, { sinceMs: nowMs(), state: 'silent', heldBytes: 0 });
			socket.once('close', () => remove(socket));
			if (open.size > limits.connections) {
				makeRoom(() => true);
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
		hold(socket, byteLength) {
			const connection = open.get(socket);
			if (connection === undefined) {
				return;
			}
			connection.heldBytes += byteLength;
			heldBytes += byteLength;
			for (let isRoomMade = true; isRoomMade && heldBytes > limits.heldBytes;) {
				isRoomMade = makeRoom((each) => each.heldBytes > 0);
			}
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
