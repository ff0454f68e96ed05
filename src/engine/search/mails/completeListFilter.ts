import {
	completeTerm,
	keyCandidate,
	peopleCandidates,
	valueCandidate,
	type Candidate,
	type Completion,
} from '../completeTerm.ts';
import { wordFor } from '../termWords.ts';
import { listKeys, listWordsAfter, offeredHeaders, type ListKey } from './listGrammar.ts';

/** Completion values of a list, most frequent first. */
export interface ListVocabulary {
	/** `~alice`, addresses. */
	readonly people: readonly string[];
	readonly prefixes: readonly string[];
	/** Statuses of known patchsets, in the server's spelling. */
	readonly statuses: readonly string[];
}

type CandidateKind = 'key' | 'header' | 'word' | 'person' | 'prefix';
export type ListCandidate = Candidate<CandidateKind>;

const keyCandidates: readonly ListCandidate[] = [
	...listKeys.map(keyCandidate),
	...offeredHeaders.map((name) => ({ kind: 'header', name, insert: `${name}:` }) as const),
];

/** Completions at the cursor of a list filter. */
export function completeListFilter(text: string, caret: number, vocabulary: ListVocabulary): Completion<CandidateKind> {
	return completeTerm<CandidateKind>(text, caret, {
		keys: () => keyCandidates,
		values(typed) {
			const key = wordFor(typed, listKeys);
			return key === undefined ? [] : valueCandidates(key, vocabulary);
		},
	});
}

function valueCandidates(key: ListKey, { people, prefixes, statuses }: ListVocabulary): readonly ListCandidate[] {
	switch (key) {
		case 'status':
		case 'is':
			return listWordsAfter(key, statuses).map((name) => valueCandidate('word', name));
		case 'from':
		case 'to':
		case 'cc':
			return peopleCandidates(people);
		case 'prefix':
			return prefixes.map((name) => valueCandidate('prefix', name));
		case 'sender-timestamp':
			return [];
	}
}
