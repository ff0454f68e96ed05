import type { Duplex } from 'node:stream';
import type { Clock } from '../../base/clock.ts';
import { nextTurn } from '../../base/timeSlice.ts';

/** Limits for clients with an incomplete request or an unread response. */
export interface ConnectionLimits {
	/**
	 * Maximum of open connections, without those accepted in this turn and those with a complete request. High enough
	 * that a request that takes a second survives 200 slow ones.
	 */
	readonly connections: number;
	/** Total body bytes. */
	readonly heldBytes: number;
}

export interface Connections {
	/** Registers a new connection. Above the limit, the oldest one without a complete request closes soon. */
	add(socket: Duplex): void;
	/** Start of the connection. `undefined` for a second request, because each connection serves only one. */
	begin(socket: Duplex): number | undefined;
	/**
	 * Adds body bytes that stay in memory until the connection ends. Above the limit, the oldest connection with such
	 * bytes and an incomplete request closes.
	 */
	hold(socket: Duplex, byteLength: number): void;
	/** The request is complete, so only its response ends the connection. */
	complete(socket: Duplex): void;
	/** The deadline has passed. Closes the connection unless the request turns out to be complete. */
	endLate(socket: Duplex): Promise<void>;
	endAll(): void;
}

interface Connection {
	readonly sinceMs: number;
	state: 'silent' | 'begun' | 'complete';
	heldBytes: number;
}

/**
 * Never rejects the newest connection: otherwise slow ones would lock out everybody else
 * (docs/security.md#slow-senders).
 */
export function openConnections(limits: ConnectionLimits, { nowMs }: Pick<Clock, 'nowMs'>): Connections {
	// In order of arrival.
	const open = new Map<Duplex, Connection>();
	const most = limits.connections;
	let heldBytes = 0;
	let isRoomMadeSoon = false;

	function remove(socket: Duplex): void {
		heldBytes -= open.get(socket)?.heldBytes ?? 0;
		open.delete(socket);
	}

	/** Closes the oldest matching connection; false without one. Skips connections with a pending response. */
	function makeRoom(isMeant: (connection: Connection, isNewest: boolean) => boolean): boolean {
		let at = 0;
		// Iterates without a copy, because a flood runs this for each connection.
		for (const [socket, connection] of open) {
			at += 1;
			if (connection.state !== 'complete' && isMeant(connection, at === open.size)) {
				remove(socket);
				socket.destroy();
				return true;
			}
		}
		return false;
	}

	async function makeRoomSoon(): Promise<void> {
		isRoomMadeSoon = true;
		await readWhatCame();
		isRoomMadeSoon = false;
		for (let isRoomMade = true; isRoomMade && open.size > most;) {
			isRoomMade = oldestMakesRoom();
		}
	}

	/** If all others have a pending response, the newest one stays as well. */
	function oldestMakesRoom(): boolean {
		return makeRoom((_, isNewest) => !isNewest);
	}

	return {
		add(socket) {
			open.set(socket, { sinceMs: nowMs(), state: 'silent', heldBytes: 0 });
			socket.once('close', () => remove(socket));
			if (open.size > most * 2) {
				oldestMakesRoom();
			}
			if (open.size > most && !isRoomMadeSoon) {
				void makeRoomSoon();
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
		async endLate(socket) {
			await readWhatCame();
			if (open.get(socket)?.state !== 'complete') {
				socket.destroy();
			}
		},
		endAll() {
			for (const socket of open.keys()) {
				socket.destroy();
			}
		},
	};
}

/**
 * A punctual request may still be unread, behind others of the same turn or after a blocked event loop. Reading it
 * takes up to two turns, because its connection may be new.
 */
async function readWhatCame(): Promise<void> {
	await nextTurn();
	await nextTurn();
}
