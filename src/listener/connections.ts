import type { Duplex } from 'node:stream';
import type { Clock } from '../base/clock.ts';
import { nextTurn } from '../base/timeSlice.ts';

/** Limits for clients with an incomplete request or an unread response. */
export interface ConnectionLimits {
	/**
	 * Open at the same time, but for those that have come in this turn and those that have brought a complete request. So
	 * many that one whose request is on its way for a second stays between 200 slow ones.
	 */
	readonly connections: number;
	/** Total body bytes. */
	readonly heldBytes: number;
}

export interface Connections {
	/** Takes in a new one. When there are too many, the oldest that has brought no complete request makes room soon. */
	add(socket: Duplex): void;
	/** Start of the connection. `undefined` for a second request, because each connection serves only one. */
	begin(socket: Duplex): number | undefined;
	/**
	 * So many more bytes of its body are held, until it ends. When all hold too many, the oldest of those that hold some
	 * and have brought no complete request makes room.
	 */
	hold(socket: Duplex, byteLength: number): void;
	/** The request of this connection is there, so it never makes room any more: its answer ends it. */
	complete(socket: Duplex): void;
	/** Its time is over. It ends unless its request turns out to be there. */
	endLate(socket: Duplex): Promise<void>;
	endAll(): void;
}

interface Connection {
	readonly sinceMs: number;
	state: 'silent' | 'begun' | 'complete';
	heldBytes: number;
}

/** Never refuses the newest: slow ones would then keep everybody else out (docs/security.md#slow-senders). */
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

	/** Ends the oldest of those that are meant, and tells whether there was one. What is answered is left to its answer. */
	function makeRoom(isMeant: (connection: Connection, isNewest: boolean) => boolean): boolean {
		let at = 0;
		// No copy: a flood runs this for each of its connections.
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

	/** Where all others wait for their answers there is none, and the newest stays as well. */
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
 * Whoever sent in time may wait to be read, behind others that came in the same turn or because this process was held up:
 * what has come by now is read in this turn, or in the next one where its connection is new.
 */
async function readWhatCame(): Promise<void> {
	await nextTurn();
	await nextTurn();
}
