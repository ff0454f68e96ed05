import type { Disposable } from '../base/lifecycle.ts';
import type { FileMatches } from '../search/texts/searchText.ts';
import type { TextSearcher } from '../search/texts/textSearcher.ts';
import type { TextSearchQuestion } from '../search/texts/textSearchThread.ts';
import { limitedThread, type LimitedThreadParts } from './limitedThread.ts';

/** What looking through texts beside everything else needs. */
export interface SearchWorkerParts extends Pick<LimitedThreadParts, 'programPath' | 'clock' | 'log'> {
	/** How long one text may take, the start of the thread counted in. */
	readonly limitMs: number;
}

const memoryMb = 256;

/**
 * Looks through texts in a thread that is ended when one takes too long or is no longer wanted: a pattern that a user
 * typed may take for ever on a text that somebody else wrote.
 */
export function searchWorker(parts: SearchWorkerParts): TextSearcher & Disposable {
	const thread = limitedThread<TextSearchQuestion, FileMatches>({
		...parts,
		answerer: 'searchAnswerer',
		name: 'Looking through a file',
		memoryMb,
	});
	return {
		async search({ bytes, pattern, mostLines }, signal) {
			// A part of a larger buffer would be copied with the whole of it.
			const own = bytes.byteLength === bytes.buffer.byteLength ? bytes : bytes.slice();
			const outcome = await thread.ask({ bytes: own, pattern, mostLines }, parts.limitMs, signal);
			return outcome.kind === 'answer' ? outcome.answer : { kind: outcome.kind };
		},
		dispose: () => thread.dispose(),
	};
}
