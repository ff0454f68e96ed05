import type { Clock } from '../../base/clock.ts';
import type { Event } from '../../base/event.ts';
import type { Disposable } from '../../base/lifecycle.ts';

/** Open questions to the user, who may take any time. */
export interface OpenQuestions {
	readonly isOpen: () => boolean;
	readonly onDidChange: Event<void>;
}

/** Timeout; the caller disposes it. */
export interface TimeLimit extends Disposable {
	/** Aborted after the time limit. */
	readonly signal: AbortSignal;
}

/** Timeout that pauses while a question is open. */
export function timeLimit(timeMs: number, clock: Clock, questions: OpenQuestions | undefined): TimeLimit {
	const over = new AbortController();
	let leftMs = timeMs;
	let running: { readonly sinceMs: number; readonly timer: Disposable } | undefined;
	const follow = (): void => {
		const isOpen = questions?.isOpen() === true;
		if (isOpen && running) {
			leftMs -= clock.nowMs() - running.sinceMs;
			running.timer.dispose();
			running = undefined;
		} else if (!isOpen && !running) {
			running = { sinceMs: clock.nowMs(), timer: clock.after(Math.max(0, leftMs), () => over.abort()) };
		}
	};
	follow();
	const following = questions?.onDidChange(follow);
	return {
		signal: over.signal,
		dispose() {
			following?.dispose();
			running?.timer.dispose();
		},
	};
}
