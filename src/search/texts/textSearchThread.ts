import { searchText, type FileMatches } from './searchText.ts';
import type { TextPattern } from './textQuery.ts';

/** A message to the search thread. */
export interface TextSearchQuestion {
	readonly bytes: Uint8Array;
	readonly pattern: TextPattern;
	readonly mostLines: number;
}

export function searchAnswerer(): (question: TextSearchQuestion) => FileMatches {
	return ({ bytes, pattern, mostLines }) => searchText(bytes, pattern, mostLines);
}
