import * as v from 'valibot';
import type { Clock } from '@forge-desk/base/clock.ts';
import type { Disposable } from '@forge-desk/base/lifecycle.ts';
import { type KeptText, kept } from '../../shared/keptText.ts';
import type { SentMemory } from '../../background/requestBudget.ts';

/** Each write contains the whole last hour, so batch writes. */
const quietMs = 5000;

/** Stores request times of the last hour, so that windows and reloads share one budget. Disposing flushes. */
export function keptSent(place: KeptText, clock: Clock): SentMemory & Disposable {
	const times = kept<readonly number[]>(place, v.array(v.number()), []);
	let unwritten: readonly number[] = [];
	let waiting: Disposable | undefined;

	function write(): void {
		waiting?.dispose();
		waiting = undefined;
		// After a failed write, the budget still holds in this window.
		place.write(JSON.stringify(unwritten)).catch(() => undefined);
	}

	return {
		read: times,
		write(sentMs) {
			unwritten = sentMs;
			waiting ??= clock.after(quietMs, write);
		},
		dispose() {
			if (waiting) {
				write();
			}
		},
	};
}
