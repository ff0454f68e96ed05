import { searchText, type FileMatches } from './searchText.ts';
import type { TextPattern } from './textQuery.ts';

/** What the thread that looks through texts is asked. */
export interface TextSearchQuestion {
	readonly bytes: Uint8Array;
	readonly pattern: TextPattern;
	readonly mostLines: number;
}

/** Makes what answers the questions. */
export function searchAnswerer(): (question: TextSearchQuestion) => FileMatches {
	return ({ bytes, pattern, mostLines }) => searchText(bytes, pattern, mostLines);
}
