import { isAbort } from '../../base/abort.ts';
import { isForgeError } from '../../forge/forgeError.ts';
import { searchBudget, type SearchBudget } from '../repositories/history/historyReads.ts';
import { ForgeLook } from './forgeLook.ts';
import { LogSearch } from './logSearch.ts';
import { Look } from './look.ts';
import { wantedKey, type FileSources, type FoundFile, type PatchBase, type WantedFile } from './preImage.ts';

/** Limits of one search. */
export interface FinderLimits {
	readonly requests: number;
	/** Request limit when the user asks to search further. */
	readonly further: number;
	/** Maximum files to request from the forge in all searches; each `further` adds the same number. */
	readonly files: number;
}

export const finderLimits: FinderLimits = { requests: 60, further: 600, files: 300 };

/** `further`: repeats a failed search with more requests. */
export type HowFar = 'first' | 'further';

/** Finds the pre-images of patches. */
export interface FileFinder {
	/**
	 * Searches for files together until all are found or the budget is spent. The finder remembers its progress, so
	 * another search continues. Rejects only with aborts.
	 */
	find(
		wanted: readonly WantedFile[],
		budget: SearchBudget,
		signal: AbortSignal,
	): Promise<ReadonlyMap<string, FoundFile>>;
	/** Budget of one search. `further` also raises the file limit for all. */
	begin(how: HowFar): SearchBudget;
}

/**
 * Searches the cheapest sources first: earlier findings, a clone, the forge by id, the patch's base commit, and commits
 * up to the time of the mail. All verify the content by its id. Otherwise, guesses the content from the path at the
 * time of the patch.
 */
export function fileFinder(sources: FileSources, base: PatchBase, limits: FinderLimits = finderLimits): FileFinder {
	const search = new LogSearch(base.sentMs);
	const asked = new Set<string>();
	let { files } = limits;

	return {
		async find(wanted, budget, signal) {
			const look = new Look(wanted, sources);
			await look.before();
			await look.inClone(signal);
			const { forge } = sources;
			if (!forge) {
				look.giveUp('noRepository');
				return look.results;
			}
			look.left().forEach((each) => asked.size < files && asked.add(wantedKey(each)));
			look.leaveOut('tooMany', (each) => !asked.has(wantedKey(each)));
			try {
				await new ForgeLook({ forge, look, budget, base, search }).run(signal);
			} catch (error) {
				if (signal.aborted || (!isForgeError(error) && !(isAbort(error) && budget.isSpent()))) {
					throw error;
				}
				look.giveUp(isForgeError(error) ? 'failed' : 'budget', isForgeError(error) ? error : undefined);
			}
			look.giveUp('notThere');
			return look.results;
		},
		begin(how) {
			if (how === 'first') {
				return searchBudget(limits.requests);
			}
			files = asked.size + limits.files;
			return searchBudget(limits.further);
		},
	};
}
