import type { Disposable } from '@forge-desk/base/lifecycle.ts';
import type { IndexAnswer, IndexQuestion } from 'public-inbox/local/indexAnswerer.ts';
import type { AskIndex } from 'public-inbox/local/mailSource.ts';
import { limitedThread, type ThreadPlace } from './limitedThread.ts';

/** Measured with 100,000 mails by `packages/public-inbox/test/local/measureIndex.ts`. */
const limits = { maxOldGenerationSizeMb: 40, maxYoungGenerationSizeMb: 4 };

/**
 * The indexes of mailboxes, in a worker thread of their own. A question that takes too long ends the thread: a step is
 * whole or undone, and the next question starts the thread again. `limitMs`: per question.
 */
export function indexThread(place: ThreadPlace, limitMs: number): { readonly ask: AskIndex } & Disposable {
	const thread = limitedThread<IndexQuestion, IndexAnswer>(place, 'indexAnswerer', 'The index of mails', limits);
	return {
		async ask(question, signal) {
			const outcome = await thread.ask(question, limitMs, signal);
			return outcome.kind === 'answer' ? outcome.answer : { kind: 'trouble', trouble: 'failed' };
		},
		dispose: () => thread.dispose(),
	};
}
