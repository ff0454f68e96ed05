import type { Clock } from '../../base/clock.ts';
import type { Background } from '../background/backgroundLoop.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** Part of the hourly budget. */
const part = 0.1;
/** Interval between looks for due things. */
const lookMs = 5 * minuteMs;

/** Schedule of single requests with a small part of the hourly budget. */
export function rareAsking({ budget }: Pick<Background, 'budget'>, clock: Pick<Clock, 'nowMs'>) {
	let lastMs = clock.nowMs();
	let lookAgainMs = 0;
	let hurriedMs: number | undefined;
	return {
		/** Milliseconds since 1970. Infinity if the budget allows none. */
		nextMs: () => hurriedMs ?? Math.max(lookAgainMs, lastMs + hourMs / (budget.perHour() * part)),
		/** Call before each request. */
		spend() {
			lastMs = clock.nowMs();
			budget.spend();
		},
		/** Waits only for the budget, until the next `rest`. */
		hurry() {
			hurriedMs = clock.nowMs();
		},
		/** Call without a due thing, or after a failure. */
		rest() {
			hurriedMs = undefined;
			lookAgainMs = clock.nowMs() + lookMs;
		},
		get isHurried() {
			return hurriedMs !== undefined;
		},
		clockWentBack(byMs: number) {
			lastMs -= byMs;
			lookAgainMs -= byMs;
			hurriedMs = hurriedMs === undefined ? undefined : hurriedMs - byMs;
		},
	};
}
