import type { FileMatches } from './searchText.ts';
import type { TextSearchQuestion } from './textSearchThread.ts';

/** How looking through one file ended. `failed`: what looks through files broke down; the log says why. */
export type TextSearchOutcome = FileMatches | { readonly kind: 'tooSlow' } | { readonly kind: 'failed' };

/** Looks through files where that holds up nobody, whatever the pattern. */
export interface TextSearcher {
	/** Throws the signal's reason. */
	search(question: TextSearchQuestion, signal: AbortSignal): Promise<TextSearchOutcome>;
}
