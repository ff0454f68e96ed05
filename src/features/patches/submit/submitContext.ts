import type { ListsContext } from '../../lists/context/listsContext.ts';
import type { savedSeries } from './savedSeries.ts';
import type { seriesTrials } from './trySending.ts';

/** Needed to submit commits. */
export interface SubmitContext extends ListsContext {
	/** Prepared, unsent series. */
	readonly series: ReturnType<typeof savedSeries>;
	/** Problems that git finds when it applies a series. */
	readonly tried: ReturnType<typeof seriesTrials>;
}
