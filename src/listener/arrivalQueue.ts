import type { Disposable } from '../base/lifecycle.ts';
import type { Log } from '../base/log.ts';
import { nextTurn } from '../base/timeSlice.ts';
import type { Arrival, Delivery } from './delivery.ts';

/** Hands deliveries on, one after another, beside the answering of others. */
export interface ArrivalQueue extends Disposable {
	add(delivery: Delivery): void;
}

/** How much may wait. */
export interface QueueLimits {
	readonly waiting: number;
	readonly waitingBytes: number;
}

/**
 * Takes as little memory as the limits say, however much comes: what finds no room is merged into one arrival for its
 * hook. What is disposed hands on nothing more.
 */
export function arrivalQueue(
	received: (arrival: Arrival) => void | Promise<void>,
	{ waiting: mostWaiting, waitingBytes: mostBytes }: QueueLimits,
	log: Log,
): ArrivalQueue {
	let waiting: Delivery[] = [];
	let waitingBytes = 0;
	const merged = new Set<string>();
	let isRunning = false;
	let isDisposed = false;

	function next(): Arrival | undefined {
		const delivery = waiting.shift();
		if (delivery !== undefined) {
			waitingBytes -= delivery.body.byteLength;
			return { kind: 'delivery', delivery };
		}
		const [path] = merged;
		if (path === undefined) {
			return undefined;
		}
		merged.delete(path);
		return { kind: 'many', path };
	}

	async function run(): Promise<void> {
		isRunning = true;
		for (let arrival = next(); arrival !== undefined; arrival = next()) {
			try {
				await received(arrival);
			} catch (error) {
				log.error(`A webhook delivery was not taken in: ${error instanceof Error ? error.message : 'unknown'}`);
			}
			await nextTurn();
		}
		isRunning = false;
	}

	return {
		add(delivery) {
			if (isDisposed) {
				return;
			}
			const size = delivery.body.byteLength;
			if (merged.has(delivery.path) || waiting.length >= mostWaiting || waitingBytes + size > mostBytes) {
				merged.add(delivery.path);
			} else {
				waiting.push(delivery);
				waitingBytes += size;
			}
			if (!isRunning) {
				void run();
			}
		},
		dispose() {
			// Then nothing comes next, and whoever runs ends.
			isDisposed = true;
			waiting = [];
			merged.clear();
		},
	};
}
