import { isAbort } from '../../base/abort.ts';
import { isForgeError } from '../../forge/forgeError.ts';
import { searchBudget, type SearchBudget } from '../repositories/history/historyReads.ts';
import { ForgeLook } from './forgeLook.ts';
import { LogSearch } from './logSearch.ts';
import { Look } from './look.ts';
import { wantedKey, type FileSources, type FoundFile, type PatchBase, type WantedFile } from './preImage.ts';

/** How far one look goes. */
export interface FinderLimits {
	readonly requests: number;
	/** The same where somebody wants it to look further. */
	readonly further: number;
	/** Files that the forge is asked for, in all looks; so many more once somebody wants it to look further. */
	readonly files: number;
}

export const finderLimits: FinderLimits = { requests: 60, further: 600, files: 300 };

/** `further`: what was not found before is looked for again, with more requests. */
export type HowFar = 'first' | 'further';

/** Finds the contents that patches change. */
export interface FileFinder {
	/**
	 * Looks for files, all of them together, until they are found or no request is left of `budget`. What was looked at is remembered
	 * by the finder, so that another look goes on from there. Rejects with aborts only.
	 */
	find(
		wanted: readonly WantedFile[],
		budget: SearchBudget,
		signal: AbortSignal,
	): Promise<ReadonlyMap<string, FoundFile>>;
	/** What one look may ask for, in however many steps it is done. One that goes further lets all ask for more files. */
	begin(how: HowFar): SearchBudget;
}

/**
 * Looks where it costs least first: what was found before, a clone, the forge by the id, the commit that the patch says it
 * is based on, and the commits up to the time of the mail. What is found in these ways is the very content, by its id. Of
 * the rest, what stood at the path when the patch was made is worth a try.
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
