import { onDispose, type Disposable } from '../../base/lifecycle.ts';

/** Requests of the last hour, and when there is room for more. */
export interface RequestBudget {
	/** Counts a request that is about to be sent. */
	spend(): void;
	/**
	 * When a request may be sent that keeps within a share (0 to 1) of the hour's requests: now or later, in milliseconds
	 * since 1970. `Infinity` if the setting allows none. Deliveries have a share of their own beside that.
	 */
	readyAtMs(share: number, cause?: 'poll' | 'delivery'): number;
	/** Runs work that a delivery caused, and counts its requests in the deliveries' own share. */
	forDelivery(work: () => Promise<void>): Promise<void>;
	/** A person waits: until this is disposed, polling neither waits for the budget nor counts there. */
	lift(): Disposable;
	/** Until this is disposed, polling may also spend the share of deliveries, and counts there. */
	lend(): Disposable;
	/** True during `lift` or `lend`: filling must wait. */
	readonly isLifted: boolean;
	/** How many requests an hour allows, as set now. */
	perHour(): number;
	/** How many were sent in the last hour. */
	spent(): number;
}

/** Where all windows of an account keep when its requests of the last hour were sent; milliseconds since 1970. */
export interface SentMemory {
	/** What was written last, by whichever window. The same array until that is something else. */
	read(): readonly number[];
	write(sentMs: readonly number[]): void;
}

const hourMs = 3_600_000;
/** Deliveries may cause this share of an hour's requests even when polling has spent all. */
const deliveryShare = 0.2;

/**
 * Counts the requests of the last hour one by one, so that no hour, wherever it begins, holds more than are allowed. A
 * bucket that fills up again would allow twice as many in its first hour.
 */
export function requestBudget(perHour: () => number, nowMs: () => number, memory?: SentMemory): RequestBudget {
	const sentMs: number[] = [];
	const deliveryMs: number[] = [];
	let lifts = 0;
	let lends = 0;
	let delivering = 0;
	let taken: readonly number[] | undefined;

	/** Requests of other windows, and of this one before it was loaded again. */
	function takeOver(): void {
		const told = memory?.read();
		if (told === undefined || told === taken) {
			return;
		}
		taken = told;
		const known = new Set(sentMs);
		sentMs.push(...told.filter((atMs) => !known.has(atMs)));
		sentMs.sort((a, b) => a - b);
	}

	function forgetOld(): void {
		takeOver();
		trim(sentMs, nowMs());
		trim(deliveryMs, nowMs());
	}

	function readyIn(times: readonly number[], share: number): number {
		// A small allowance would otherwise round to nothing.
		const most = Math.ceil(perHour() * share);
		if (most < 1) {
			return Number.POSITIVE_INFINITY;
		}
		const blocking = times[times.length - most];
		return blocking === undefined ? nowMs() : blocking + hourMs;
	}

	return {
		perHour,
		spent() {
			forgetOld();
			return sentMs.length;
		},
		spend() {
			if (lifts > 0) {
				return;
			}
			forgetOld();
			sentMs.push(nowMs());
			if (lends + delivering > 0) {
				deliveryMs.push(nowMs());
			}
			memory?.write(sentMs);
		},
		readyAtMs(share, cause = 'poll') {
			if (lifts > 0) {
				return nowMs();
			}
			forgetOld();
			const pollMs = readyIn(sentMs, share);
			const isOwnShare = cause === 'delivery' || lends > 0;
			return isOwnShare ? Math.min(pollMs, readyIn(deliveryMs, deliveryShare)) : pollMs;
		},
		lift() {
			lifts += 1;
			return onDispose(() => (lifts -= 1));
		},
		lend() {
			lends += 1;
			return onDispose(() => (lends -= 1));
		},
		get isLifted() {
			return lifts + lends > 0;
		},
		async forDelivery(work) {
			delivering += 1;
			try {
				await work();
			} finally {
				delivering -= 1;
			}
		},
	};
}

/** Drops times older than an hour. After the clock was set back, later times count as now: they would block for too long. */
function trim(times: number[], now: number): void {
	for (let at = times.length - 1; (times[at] ?? 0) > now; at -= 1) {
		times[at] = now;
	}
	let count = 0;
	while ((times[count] ?? Number.POSITIVE_INFINITY) <= now - hourMs) {
		count += 1;
	}
	times.splice(0, count);
}
