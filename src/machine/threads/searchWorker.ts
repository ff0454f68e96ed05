import type { Disposable } from '@forge-desk/base/lifecycle.ts';
import type { TextSearcher } from '../../engine/search/texts/textSearcher.ts';
import type { FileMatches, TextSearchQuestion } from '../../engine/search/texts/searchText.ts';
import { limitedThread, type ThreadPlace } from './limitedThread.ts';

const memoryMb = 256;

/**
 * Searches texts in a worker thread with a time limit, because a user's regular expression may take forever on a
 * hostile text. Aborting terminates the thread. `limitMs`: per text, including the thread's start.
 */
export function searchWorker(place: ThreadPlace, limitMs: number): TextSearcher & Disposable {
	const thread = limitedThread<TextSearchQuestion, FileMatches>(place, 'searchAnswerer', 'Looking through a file', {
		maxOldGenerationSizeMb: memoryMb,
	});
	return {
		async search({ bytes, pattern, mostLines }, signal) {
			// Copy: posting a view would copy its whole buffer.
			const own = bytes.byteLength === bytes.buffer.byteLength ? bytes : bytes.slice();
			const outcome = await thread.ask({ bytes: own, pattern, mostLines }, limitMs, signal);
			return outcome.kind === 'answer' ? outcome.answer : { kind: outcome.kind };
		},
		dispose: () => thread.dispose(),
	};
}
