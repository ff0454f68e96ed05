import { createHash } from 'node:crypto';
import type { Log } from '../../base/log.ts';
import { nextTurn } from '@forge-desk/base/timeSlice.ts';
import type { Arrival, Delivery } from '../../store/listening/openedListener.ts';

/** Storage of seen deliveries, shared by the listeners of all windows. */
export interface KeptSeen {
	/** Texts of `add`, oldest first. */
	read(): readonly string[];
	/** Must not block. */
	add(text: string): void;
}

/** Covers a long time of deliveries in little memory. */
export const mostRemembered = 10_000;

const nonceMark = 'n ';
const idMark = 'd ';

/** Detects repeated deliveries. */
export function seenDeliveries(kept: KeptSeen, most: number) {
	const nonces = rememberTexts(most);
	const ids = rememberTexts(most);

	function recallAll(texts: ReturnType<typeof rememberTexts>, mark: string, all: readonly string[]): void {
		all.filter((text) => text.startsWith(mark)).forEach((text) => texts.seenBefore(text.slice(mark.length)));
	}

	return {
		/** Loads the deliveries of earlier listeners. */
		recall(): void {
			const all = kept.read();
			recallAll(nonces, nonceMark, all);
			recallAll(ids, idMark, all);
		},
		/** True for a repeated nonce. */
		isNonceSeen: (nonce: string): boolean => nonces.seenBefore(nonce),
		/** True for a repeated id at this path. */
		isIdSeen: (id: string, path: string): boolean => ids.seenBefore(ownId(id, path)),
		/**
		 * Stores a delivery for later listeners, with a nonce if it is signed. Call it after `received`, so that a delivery
		 * lost before can return.
		 */
		keep(id: string, path: string, nonce: string | undefined): void {
			if (nonce !== undefined) {
				kept.add(`${nonceMark}${nonce}`);
			}
			kept.add(`${idMark}${ownId(id, path)}`);
		},
	};
}

/**
 * Some forges use one id for all webhooks of an event (docs/protocol.md#graphql-webhooks). Short, and without the secret
 * path of the webhook. Encode only the kept bytes: a slice of a longer text keeps the whole text in memory.
 */
function ownId(id: string, path: string): string {
	return createHash('sha256').update(`${id} ${path}`).digest().toString('base64url', 0, 12);
}

export function rememberTexts(most: number) {
	// In order of arrival.
	const texts = new Set<string>();
	return {
		/** True for a repeated text, which becomes the newest one. */
		seenBefore(text: string): boolean {
			const wasSeen = texts.delete(text);
			texts.add(text);
			if (texts.size > most) {
				const [oldest = ''] = texts;
				texts.delete(oldest);
			}
			return wasSeen;
		},
	};
}

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
