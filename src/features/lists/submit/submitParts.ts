import type { MailDraftDocuments } from '../../../editor/documents/mailDrafts.ts';
import type { FolderMapping } from '../../../editor/git/folderMapping.ts';
import type { GitParts } from '../apply/applyParts.ts';
import type { ListsParts } from '../parts/listsParts.ts';
import type { Mailer } from '../reply/mailer.ts';
import type { KeptSeries } from './keptSeries.ts';

/** What sending commits needs of its surroundings, besides what lists need. */
export interface SubmitSurroundings extends GitParts {
	/** What a folder belongs to, as git and people say it. */
	readonly folderOf: FolderMapping['of'];
	readonly mailer: Mailer;
	/** The documents in which cover letters are written. */
	readonly documents: MailDraftDocuments;
	/** A name that nothing else has. */
	readonly newName: () => string;
}

export interface SubmitParts extends ListsParts, SubmitSurroundings {
	/** The series that are prepared and not sent. */
	readonly series: KeptSeries;
}
