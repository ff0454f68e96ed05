import type { MailDraftDocuments } from '../../../editor/documents/mailDrafts.ts';
import type { FolderMapping } from '../../../editor/git/folderMapping.ts';
import type { GitParts } from '../apply/applyParts.ts';
import type { ListsParts } from '../parts/listsParts.ts';
import type { Mailer } from '../reply/mailer.ts';
import type { KeptSeries } from './keptSeries.ts';

export interface SubmitSurroundings extends GitParts {
	/** Tracker, list and repository of a folder, from git and settings. */
	readonly folderOf: FolderMapping['of'];
	readonly mailer: Mailer;
	/** Documents for cover letters. */
	readonly documents: MailDraftDocuments;
	/** A name that nothing else has. */
	readonly newName: () => string;
}

export interface SubmitParts extends ListsParts, SubmitSurroundings {
	/** Prepared, unsent series. */
	readonly series: KeptSeries;
}
