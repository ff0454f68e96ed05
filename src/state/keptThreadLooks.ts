import type { Clock } from '../base/clock.ts';
import { Emitter } from '../base/event.ts';
import type { Disposable } from '../base/lifecycle.ts';
import { listRefText } from '../forge/list.ts';
import type { KeptText } from './keptLooks.ts';
import { fieldsOf } from './keptValues.ts';
import { jsonIn } from './looseJson.ts';
import type { ThreadLooks, ThreadRef } from './threadLooks.ts';

/** What keeping looks at conversations needs. */
export interface ThreadLooksParts {
	readonly kept: KeptText;
	readonly clock: Clock;
}

/** Pages report looks in bursts; each write carries all of them. */
const quietMs = 400;
/** Some 60 kB at most. */
const mostLooks = 2000;

/**
 * Looks kept as one small text, last looked at last. Other windows of the same account write the same text, so what
 * stands there is taken over before every read and write; of two looks the one that saw more counts.
 */
export function keptThreadLooks({ kept, clock }: ThreadLooksParts): ThreadLooks & Disposable {
	const looks = new Map<string, number>();
	const changed = new Emitter<ThreadRef | 'all'>();
	let waiting: Disposable | undefined;
	/** What was last read or written. */
	let lastText: unknown;

	function takeOver(): void {
		const text = kept.read();
		if (text === lastText) {
			return;
		}
		lastText = text;
		for (const [key, id] of looksIn(text)) {
			looks.set(key, Math.max(id, looks.get(key) ?? 0));
		}
	}

	function write(): void {
		waiting?.dispose();
		waiting = undefined;
		takeOver();
		for (const key of [...looks.keys()].slice(0, Math.max(0, looks.size - mostLooks))) {
			looks.delete(key);
		}
		const text = JSON.stringify(Object.fromEntries(looks));
		lastText = text;
		// A look that could not be written is a mark too many later on, and no reason to disturb anybody.
		kept.write(text).catch(() => undefined);
	}

	return {
		lastSeen(thread) {
			takeOver();
			return looks.get(keyOf(thread));
		},
		look(thread, newestId) {
			takeOver();
			const key = keyOf(thread);
			const before = looks.get(key) ?? 0;
			looks.delete(key);
			looks.set(key, Math.max(before, newestId));
			waiting ??= clock.after(quietMs, write);
			if (newestId > before) {
				changed.fire(thread);
			}
		},
		onDidChange: changed.event,
		dispose() {
			if (waiting) {
				write();
			}
			changed.dispose();
		},
	};
}

/** Never a whole number by itself: an object would not keep such names in the order in which they came. */
function keyOf({ list, id }: ThreadRef): string {
	return `${listRefText(list).toLowerCase()} ${id}`;
}

function looksIn(text: unknown): readonly (readonly [string, number])[] {
	return Object.entries(fieldsOf(jsonIn(text))).filter(
		(entry): entry is [string, number] => typeof entry[1] === 'number' && Number.isSafeInteger(entry[1]),
	);
}
