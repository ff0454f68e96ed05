import type { QueueLimits } from './arrivalQueue.ts';
import type { ConnectionLimits } from './connections.ts';
import type { ArrivalLimits } from './loopbackServer.ts';

/** Limits for the resources that strangers can occupy. */
export interface ListenerLimits extends ArrivalLimits, ConnectionLimits, QueueLimits {
	/** Bytes of one body. Forges truncate at 65,536 characters, and JSON may need six bytes for each. */
	readonly bodyBytes: number;
	/** Chunks of a body. */
	readonly bodyChunks: number;
	/** From the start of a connection to its response. Forges wait five seconds. */
	readonly answerMs: number;
	/** Concurrent pending responses. Fewer than connections, to leave room for others. */
	readonly asked: number;
}

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
