import { unlessAborted } from '@forge-desk/base/abort.ts';

/** Lets only one thing at a time ask the user something. */
export type Turns = ReturnType<typeof turns>;

/** Nobody has the turn at first. */
export function turns() {
	let running: AbortController | undefined;
	let last: Promise<unknown> = Promise.resolve();

	async function run<T>(work: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
		const mine = new AbortController();
		const before = last;
		const done = Promise.withResolvers<void>();
		last = before.then(() => done.promise);
		try {
			await unlessAborted(before, signal);
			running = mine;
			return await work(AbortSignal.any([signal, mine.signal]));
		} finally {
			done.resolve();
		}
	}

	return {
		/** Waits until nothing else asks, then runs. Gives up waiting when the signal aborts. */
		wait: run,
		/** Gives up what asks now, because the user started something else, then runs. */
		takeOver<T>(work: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
			running?.abort();
			return run(work, signal);
		},
	};
}
