import type { FileMatches, TextSearchQuestion } from './searchText.ts';

/** `failed`: the searcher crashed; the log has the reason. */
export type TextSearchOutcome = FileMatches | { readonly kind: 'tooSlow' } | { readonly kind: 'failed' };

/** Searches files off the main thread, because the pattern may be slow. */
export interface TextSearcher {
	/** Rejects with the signal's reason. */
	search(question: TextSearchQuestion, signal: AbortSignal): Promise<TextSearchOutcome>;
}
