import type { Clock } from '../base/clock.ts';
import type { Event } from '../base/event.ts';
import type { Disposable } from '../base/lifecycle.ts';

/** Whether a person is being asked, who may take their time. */
export interface OpenQuestions {
	readonly isOpen: () => boolean;
	readonly onDidChange: Event<void>;
}

/** A limit of time; who made it disposes it. */
export interface TimeLimit extends Disposable {
	/** Aborted once the time is over. */
	readonly signal: AbortSignal;
}

/** So much time, of which what passes while a question is open does not count. */
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
