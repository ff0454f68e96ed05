import {
	completeTerm,
	keyCandidate,
	peopleCandidates,
	valueCandidate,
	type Candidate,
	type Completion,
} from './completeTerm.ts';
import { filterKeys, wordsAfter, type FilterKey } from './filterGrammar.ts';
import type { FilterVocabulary } from './filterVocabulary.ts';
import { wordFor } from './termWords.ts';

type CandidateKind = 'key' | 'word' | 'label' | 'person';
export type FilterCandidate = Candidate<CandidateKind>;

/** Completions at the cursor of a ticket filter. `!` doesn't apply to sort keys. */
export function completeFilter(text: string, caret: number, vocabulary: FilterVocabulary): Completion<CandidateKind> {
	return completeTerm<CandidateKind>(text, caret, {
		keys: (isNegated) => filterKeys.filter((key) => !isNegated || !key.endsWith('sort')).map(keyCandidate),
		values(typed) {
			const key = wordFor(typed, filterKeys);
			return key === undefined ? [] : valueCandidates(key, vocabulary);
		},
	});
}

function valueCandidates(
	key: FilterKey,
	{ labels, submitters, assignees }: FilterVocabulary,
): readonly FilterCandidate[] {
	switch (key) {
		case 'status':
		case 'no':
		case 'is':
		case 'sort':
		case 'rsort':
			return wordsAfter(key).map((name) => valueCandidate('word', name));
		case 'submitter':
			return peopleCandidates(submitters);
		case 'assigned':
			return peopleCandidates(assignees);
		case 'label':
			return labels.map((name) => valueCandidate('label', name));
	}
}
