import type { Clock } from '@forge-desk/base/clock.ts';
import { onDispose } from '@forge-desk/base/lifecycle.ts';
import { pushAll } from '@forge-desk/base/longArrays.ts';

/** Request times of all windows of an account in the last hour; milliseconds since 1970. */
export interface SentMemory {
	/** Last written value of any window. The same array until it changes. */
	read(): readonly number[];
	write(sentMs: readonly number[]): void;
}

/** `fill`: has a pace of its own. */
export type TaskCause = 'poll' | 'fill' | 'delivery';

const hourMs = 3_600_000;
/** Deliveries may use this share even when polls have spent everything. */
const deliveryShare = 0.2;
/** Part of the hourly limit that polls may spend at once. Too small a part would delay the first look at a few things. */
const burstShare = 0.12;
const leastBurst = 20;
/** Part of the hourly limit that polls may borrow from it after a start of webhooks; the rest is for deliveries only. */
const lentShare = deliveryShare / 2;

/** Sliding-window rate limit over one hour. */
export type RequestBudget = ReturnType<typeof requestBudget>;

/**
 * Counts single requests, so any one-hour window respects the limit. A token bucket would allow twice as many in its
 * first hour.
 */
export function requestBudget(perHour: () => number, clock: Clock, memory?: SentMemory) {
	const sentMs: number[] = [];
	const deliveryMs: number[] = [];
	let lifts = 0;
	let lends = 0;
	/** Requests of polls in this window. */
	const polledMs: number[] = [];
	const running: TaskCause[] = [];
	let taken: readonly number[] | undefined;

	/** Requests of other windows, and of this one before a reload. */
	function takeOver(): void {
		const told = memory?.read();
		if (told === undefined || told === taken) {
			return;
		}
		taken = told;
		const known = new Set(sentMs);
		pushAll(
			sentMs,
			told.filter((atMs) => !known.has(atMs)),
		);
		sentMs.sort((a, b) => a - b);
	}

	function forgetOld(): void {
		takeOver();
		trim(sentMs, clock.nowMs());
		trim(deliveryMs, clock.nowMs());
		trim(polledMs, clock.nowMs());
	}

	function readyIn(times: readonly number[], share: number): number {
		// Round up: a share of a small limit would otherwise be 0.
		const most = Math.ceil(perHour() * share);
		if (most < 1) {
			return Number.POSITIVE_INFINITY;
		}
		const blocking = times[times.length - most];
		return blocking === undefined ? clock.nowMs() : blocking + hourMs;
	}

	/** After a burst, polls have even intervals, so no part of an hour is without news. */
	function pacedIn(share: number): number {
		const most = Math.ceil(perHour() * share);
		const burst = Math.max(leastBurst, Math.ceil(most * burstShare));
		const everyMs = hourMs / (most + 1 - burst);
		let readyMs = readyIn(sentMs, share);
		for (let sent = burst; sent < Math.min(most, polledMs.length + 1); sent += 1) {
			const atMs = polledMs[polledMs.length - sent] ?? 0;
			readyMs = Math.max(readyMs, atMs + (sent + 1 - burst) * everyMs);
		}
		return readyMs;
	}

	return {
		/** Current hourly limit. */
		perHour,
		/** Requests in the last hour. */
		spent() {
			forgetOld();
			return sentMs.length;
		},
		/** Counts a request; call before sending. */
		spend() {
			if (lifts > 0) {
				return;
			}
			forgetOld();
			sentMs.push(clock.nowMs());
			if (lends > 0 || running.includes('delivery')) {
				deliveryMs.push(clock.nowMs());
			}
			if (running.includes('poll')) {
				polledMs.push(clock.nowMs());
			}
			memory?.write(sentMs);
		},
		/**
		 * Earliest time for a request within a share (0 to 1) of the hourly limit, in milliseconds since 1970. `Infinity`
		 * if the setting allows none. Polls keep their pace. Deliveries have an additional share.
		 */
		readyAtMs(share: number, cause: TaskCause = 'poll') {
			if (lifts > 0) {
				return clock.nowMs();
			}
			forgetOld();
			if (cause === 'fill') {
				return readyIn(sentMs, share);
			}
			const pollMs = pacedIn(share);
			if (cause === 'delivery') {
				return Math.min(pollMs, readyIn(deliveryMs, deliveryShare));
			}
			return lends > 0 ? Math.min(pollMs, readyIn(deliveryMs, lentShare)) : pollMs;
		},
		/** The user waits: until disposed, polls ignore the budget and don't count. */
		lift() {
			lifts += 1;
			return onDispose(() => (lifts -= 1));
		},
		/** Until disposed, polls may spend half the share of deliveries and count against it. */
		lend() {
			lends += 1;
			return onDispose(() => (lends -= 1));
		},
		/** True during `lift` or `lend`: fills must wait. */
		get isLifted() {
			return lifts + lends > 0;
		},
		/** Runs a task. The requests of polls count against their pace, those of deliveries against their share. */
		async forTask(cause: TaskCause, work: () => Promise<void>) {
			running.push(cause);
			try {
				await work();
			} finally {
				running.splice(running.indexOf(cause), 1);
			}
		},
	};
}

/**
 * Drops times older than an hour. After the clock was set back, later times count as now, because they would block for
 * too long.
 */
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
