import type { Clock } from '../../../base/clock.ts';
import type { Disposable } from '../../../base/lifecycle.ts';
import { listOf, numbersOf } from '../../shared/looseJson.ts';
import { parsedText, type KeptText } from '../../shared/keptText.ts';
import type { SentMemory } from './requestBudget.ts';

/** Each write carries all of the last hour. */
const quietMs = 5000;

/**
 * The requests of an account's last hour as one small text, so that neither another window nor a reload is given a
 * budget of its own. Disposing writes what is still unwritten.
 */
export function keptSent(kept: KeptText, clock: Clock): SentMemory & Disposable {
	const times = parsedText(kept, (json) => numbersOf(listOf(json)));
	let unwritten: readonly number[] = [];
	let waiting: Disposable | undefined;

	function write(): void {
		waiting?.dispose();
		waiting = undefined;
		// What cannot be kept is counted by this window at least.
		kept.write(JSON.stringify(unwritten)).catch(() => undefined);
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
