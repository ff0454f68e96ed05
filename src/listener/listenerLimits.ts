import type { QueueLimits } from './arrivalQueue.ts';
import type { ConnectionLimits } from './connections.ts';
import type { ArrivalLimits } from './loopbackServer.ts';

/** What strangers can take of the machine at most. */
export interface ListenerLimits extends ArrivalLimits, ConnectionLimits, QueueLimits {
	/** Of one body. Forges cut theirs at 65,536 characters, which JSON may write with six bytes each. */
	readonly bodyBytes: number;
	/** Pieces in which a body may come. */
	readonly bodyChunks: number;
	/** From the beginning of a connection until its answer goes out; forges wait five seconds. */
	readonly answerMs: number;
	/** Answers that are waited for at the same time; fewer than connections, so that others find a place. */
	readonly asked: number;
}

/** The limits outside of tests. */
export const listenerLimits: ListenerLimits = {
	connections: 256,
	heldBytes: 8 * 1024 * 1024,
	headersMs: 2000,
	requestMs: 4000,
	checkMs: 500,
	headerBytes: 8192,
	bodyBytes: 512 * 1024,
	bodyChunks: 4096,
	answerMs: 4500,
	asked: 10,
	waiting: 256,
	waitingBytes: 8 * 1024 * 1024,
};
