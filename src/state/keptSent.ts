import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/lifecycle.ts';
import type { KeptText } from './keptLooks.ts';
import { listOf, numbersOf } from './looseJson.ts';
import type { SentMemory } from './requestBudget.ts';

/** Each write carries all of the last hour. */
const quietMs = 5000;

/**
 * The requests of an account's last hour as one small text, so that neither another window nor a reload is given a
 * budget of its own. Disposing writes what is still unwritten.
 */
export function keptSent(kept: KeptText, clock: Clock): SentMemory & Disposable {
	let lastText: unknown;
	let last: readonly number[] = [];
	let unwritten: readonly number[] = [];
	let waiting: Disposable | undefined;

	function write(): void {
		waiting?.dispose();
		waiting = undefined;
		// What cannot be kept is counted by this window at least.
		kept.write(JSON.stringify(unwritten)).catch(() => undefined);
	}

	return {
		read() {
			const text = kept.read();
			if (text !== lastText) {
				lastText = text;
				last = timesOf(text);
			}
			return last;
		},
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

/** Anything else than what was written counts as none. */
function timesOf(text: unknown): readonly number[] {
	try {
		return typeof text === 'string' ? numbersOf(listOf(JSON.parse(text))) : [];
	} catch {
		return [];
	}
}
