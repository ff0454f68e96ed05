import { filterProblemText } from '../../../editor/ask/filterProblemText.ts';
import type { FilterProblem } from '../../../search/filterProblem.ts';

/** Why a filter of lists cannot be run and what to do, in one or two plain sentences that name the wrong part. */
export function listProblemText(problem: FilterProblem): string {
	return filterProblemText(problem, '!status:applied');
}
