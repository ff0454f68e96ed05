import PQueue from 'p-queue';
import type { Disposable } from '../base/lifecycle.ts';
import { onDispose } from '../base/lifecycle.ts';
import type { HttpAnswer } from './httpClient.ts';

/** How many calls may be in flight at one origin during a walk. */
const walkCalls = 64;
/** A walk is too much when calls take this many times as long as its first ones did, and noticeably so. */
const latencyFactor = 3;
const latencyFloorMs = 250;
const latencySamples = 8;

/** Keeps the number of calls in flight at one origin. */
export interface Pace {
	/** Where calls wait until there is room. */
	readonly queue: PQueue;
	/** Looks at the answer of a call that starts now. */
	readonly watch: (answer: Promise<HttpAnswer>) => void;
	/** Raises the limit until disposed or until the server has had enough: 429, 503, or answers that take ever longer. */
	beginWalk(): Disposable;
}

/** `usual`: calls in flight outside a walk. `nowMs` times the calls of a walk. */
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
	/** Takes one more call into account; true when calls take much longer by now. */
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
