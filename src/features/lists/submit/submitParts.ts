import type { FolderMapping } from '../../../editor/git/folderMapping.ts';
import type { ListsParts } from '../parts/listsParts.ts';
import type { KeptSeries } from './keptSeries.ts';

export interface SubmitSurroundings {
	/** Tracker, list and repository of a folder, from git and settings. */
	readonly folderOf: FolderMapping['of'];
}

export interface SubmitParts extends ListsParts, SubmitSurroundings {
	/** Prepared, unsent series. */
	readonly series: KeptSeries;
}
