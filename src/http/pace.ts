import PQueue from 'p-queue';
import type { Disposable } from '../base/lifecycle.ts';
import { onDispose } from '../base/lifecycle.ts';
import type { HttpAnswer } from './httpClient.ts';

/** Concurrent calls per origin during a walk. */
const walkCalls = 64;
/** The server is overloaded when calls take this many times as long as the first ones did, and noticeably so. */
const latencyFactor = 3;
const latencyFloorMs = 250;
const latencySamples = 8;

/** Limits the concurrent calls to one origin. */
export interface Pace {
	/** Queue of calls over the limit. */
	readonly queue: PQueue;
	/** Watches the response of a starting call. */
	readonly watch: (answer: Promise<HttpAnswer>) => void;
	/** Raises the limit until disposed, or until the server is overloaded: 429, 503 or rising latency. */
	beginWalk(): Disposable;
}

/** `usual`: concurrent calls outside a walk. `nowMs`: clock for latencies. */
export function pace(usual: number, nowMs: () => number): Pace {
	const queue = new PQueue({ concurrency: usual });
	const latency = latencyWatch();
	let walks = 0;

	function slowDown(): void {
		queue.concurrency = usual;
	}

	return {
		queue,
		watch(answer) {
			if (walks > 0) {
				const startedMs = nowMs();
				const judge = ({ status }: HttpAnswer): void => {
					if (latency.rises(nowMs() - startedMs) || status === 429 || status === 503) {
						slowDown();
					}
				};
				answer.then(judge, () => undefined);
			}
		},
		beginWalk() {
			if (walks === 0) {
				latency.forget();
				queue.concurrency = Math.max(walkCalls, usual);
			}
			walks += 1;
			return onDispose(() => {
				walks -= 1;
				if (walks === 0) {
					slowDown();
				}
			});
		},
	};
}

interface LatencyWatch {
	/** Adds a sample; true if latency has risen too far. */
	rises(durationMs: number): boolean;
	forget(): void;
}

function latencyWatch(): LatencyWatch {
	let first: number[] = [];
	let averageMs = 0;
	return {
		rises(durationMs) {
			if (first.length < latencySamples) {
				first.push(durationMs);
				averageMs = first.reduce((sum, ms) => sum + ms, 0) / first.length;
				return false;
			}
			averageMs += (durationMs - averageMs) / latencySamples;
			return averageMs > latencyFactor * Math.min(...first) + latencyFloorMs;
		},
		forget() {
			first = [];
			averageMs = 0;
		},
	};
}
