import type { WorkerJson, JsonAnswer, JsonQuestion } from '@forge-desk/base/workerJson.ts';
import type { Disposable } from '@forge-desk/base/lifecycle.ts';
import { limitedThread, type ThreadPlace } from './limitedThread.ts';

/** Far above the need of the largest accepted response: running out of memory would crash more than the thread. */
const memoryMb = 2048;

/**
 * Parses JSON in a worker thread with a time limit; aborting terminates the thread. One response at a time, because
 * termination would abort all others. `limitMs`: per response and per piece.
 */
export function jsonWorker(place: ThreadPlace, limitMs: number): WorkerJson & Disposable {
	const thread = limitedThread<JsonQuestion, JsonAnswer>(place, 'jsonAnswerer', 'Reading a large answer', {
		maxOldGenerationSizeMb: memoryMb,
	});
	let last: Promise<void> = Promise.resolve();

	return {
		async *read(body, signal) {
			const turn = Promise.withResolvers<void>();
			const before = last;
			last = turn.promise;
			try {
				await before;
				let question: JsonQuestion = { kind: 'parse', body };
				for (;;) {
					const outcome = await thread.ask(question, limitMs, signal);
					if (outcome.kind !== 'answer') {
						yield { kind: 'tooMuch' };
						return;
					}
					if (outcome.answer.kind === 'end') {
						return;
					}
					yield outcome.answer;
					if (outcome.answer.kind === 'noJson' || outcome.answer.kind === 'tooMuch') {
						return;
					}
					question = { kind: 'next' };
				}
			} finally {
				turn.resolve();
			}
		},
		dispose: () => thread.dispose(),
	};
}
