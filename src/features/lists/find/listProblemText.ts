import { filterProblemText } from '../../../editor/ask/filterProblemText.ts';
import type { FilterProblem } from '../../../engine/search/filterProblem.ts';

/** Reason why a filter is invalid and the next step, in one or two sentences. */
export function listProblemText(problem: FilterProblem): string {
	return filterProblemText(problem, '!status:applied');
}
