import * as v from 'valibot';
import type { Clock } from '../../../base/clock.ts';
import type { Disposable } from '../../../base/lifecycle.ts';
import { type KeptText, kept } from '../../shared/keptText.ts';
import type { SentMemory } from '../../background/requestBudget.ts';

/** Each write carries all of the last hour. */
const quietMs = 5000;

/**
 * The requests of an account's last hour as one small text, so that neither another window nor a reload is given a
 * budget of its own. Disposing writes what is still unwritten.
 */
export function keptSent(place: KeptText, clock: Clock): SentMemory & Disposable {
	const times = kept<readonly number[]>(place, v.array(v.number()), []);
	let unwritten: readonly number[] = [];
	let waiting: Disposable | undefined;

	function write(): void {
		waiting?.dispose();
		waiting = undefined;
		// What cannot be kept is counted by this window at least.
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
