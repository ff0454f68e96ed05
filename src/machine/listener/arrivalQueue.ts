import type { Log } from '../../base/log.ts';
import { nextTurn } from '../../base/timeSlice.ts';
import type { Arrival, Delivery } from '../../store/listening/openedListener.ts';
import { mostRemembered } from './seenDeliveries.ts';

interface Waiting {
	readonly arrival: Arrival;
	readonly byteLength: number;
	readonly handedOn: readonly (() => void)[];
}

/** Limits of the queue. */
export interface QueueLimits {
	readonly waiting: number;
	readonly waitingBytes: number;
}

/**
 * Passes deliveries on, one at a time, in parallel to responses. Bounded memory: above the limits, the queue merges deliveries into one arrival per hook. A disposed queue passes
 * nothing on.
 */
export function arrivalQueue(
	received: (arrival: Arrival) => void | Promise<void>,
	{ waiting: mostWaiting, waitingBytes: mostBytes }: QueueLimits,
	log: Log,
) {
	let waiting: Waiting[] = [];
	let waitingBytes = 0;
	const merged = new Map<string, (() => void)[]>();
	let isRunning = false;
	let isDisposed = false;

	function next(): Waiting | undefined {
		const first = waiting.shift();
		if (first !== undefined) {
			waitingBytes -= first.byteLength;
			return first;
		}
		const [together] = merged;
		if (together === undefined) {
			return undefined;
		}
		const [path, handedOn] = together;
		merged.delete(path);
		return { arrival: { kind: 'many', path }, byteLength: 0, handedOn };
	}

	async function run(): Promise<void> {
		isRunning = true;
		for (let each = next(); each !== undefined; each = next()) {
			try {
				await received(each.arrival);
				each.handedOn.forEach((tell) => tell());
			} catch (error) {
				log.error(`A webhook delivery was not taken in: ${error instanceof Error ? error.message : 'unknown'}`);
			}
			await nextTurn();
		}
		isRunning = false;
	}

	return {
		/** Calls `handedOn` after success, alone or merged with others. */
		add(delivery: Delivery, handedOn: () => void): void {
			if (isDisposed) {
				return;
			}
			const { path, body } = delivery;
			const size = body.byteLength;
			if (merged.has(path) || waiting.length >= mostWaiting || waitingBytes + size > mostBytes) {
				const together = merged.get(path) ?? [];
				together.push(handedOn);
				// Callbacks beyond the number of remembered deliveries have no effect.
				if (together.length > mostRemembered) {
					together.shift();
				}
				merged.set(path, together);
			} else {
				waiting.push({ arrival: { kind: 'delivery', delivery }, byteLength: size, handedOn: [handedOn] });
				waitingBytes += size;
			}
			if (!isRunning) {
				void run();
			}
		},
		dispose(): void {
			// `next` then returns nothing, so a running loop ends.
			isDisposed = true;
			waiting = [];
			merged.clear();
		},
	};
}
