import type { Duplex } from 'node:stream';
import { nextTurn } from '@forge-desk/base/timeSlice.ts';

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

interface Connection {
	state: 'silent' | 'begun' | 'complete';
	heldBytes: number;
}

/**
 * Never rejects the newest connection: otherwise slow ones would lock out everybody else
 * (docs/security.md#slow-senders).
 */
export function openConnections(limits: ConnectionLimits) {
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
		/** Registers a new connection. Above the limit, the oldest one without a complete request closes soon. */
		add(socket: Duplex): void {
			open.set(socket, { state: 'silent', heldBytes: 0 });
			socket.once('close', () => remove(socket));
			if (open.size > most * 2) {
				oldestMakesRoom();
			}
			if (open.size > most && !isRoomMadeSoon) {
				void makeRoomSoon();
			}
		},
		/** False for a second request, because each connection serves only one. */
		begin(socket: Duplex): boolean {
			const connection = open.get(socket);
			if (connection?.state !== 'silent') {
				return false;
			}
			connection.state = 'begun';
			return true;
		},
		/**
		 * Adds body bytes that stay in memory until the connection ends. Above the limit, the oldest connection with such
		 * bytes and an incomplete request closes.
		 */
		hold(socket: Duplex, byteLength: number): void {
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
		/** The request is complete, so only its response ends the connection. */
		complete(socket: Duplex): void {
			const connection = open.get(socket);
			if (connection !== undefined) {
				connection.state = 'complete';
			}
		},
		/** The deadline has passed. Closes the connection unless the request turns out to be complete. */
		async endLate(socket: Duplex): Promise<void> {
			await readWhatCame();
			if (open.get(socket)?.state !== 'complete') {
				socket.destroy();
			}
		},
		endAll(): void {
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
