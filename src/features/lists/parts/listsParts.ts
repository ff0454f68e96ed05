import type { Clock } from '../../../base/clock.ts';
import type { Feature } from '../../../editor/commands/feature.ts';
import type { WindowTrust } from '../../../editor/commands/trust.ts';
import type { CloneClues } from '../../../editor/git/cloneClues.ts';
import type { PageHost } from '../../../editor/pages/pageHost.ts';
import type { PageRenderer } from '../../../editor/pages/pageRenderer.ts';
import type { RestorePage } from '../../../editor/pages/restorePage.ts';
import type { Problems } from '../../../editor/ask/problems.ts';
import type { MailReader } from '../../../engine/mail/mailReader.ts';
import type { ThreadLook } from '../../../pages/protocol/threadProtocol.ts';
import type { PatchsetChecks } from '../checks/patchsetChecks.ts';
import type { ListMarks } from '../marks/listMarks.ts';
import type { DraftCounts } from '../review/draftCounts.ts';
import type { PatchsetReviews } from '../review/patchsetReviews.ts';
import type { StatusActs } from '../status/statusActs.ts';
import type { Connections } from '../../../store/connection.ts';
import type { Drafts } from '../../../store/drafts/drafts.ts';

export interface ListsParts {
	readonly connections: Connections;
	/** Resolves when all signed-in accounts are connected. Never rejects. */
	readonly ready: () => Promise<void>;
	readonly mailReader: MailReader;
	readonly pages: PageHost;
	readonly renderer: PageRenderer;
	/** Display settings of all threads. */
	readonly threadLook: KeptThreadLook;
	readonly problems: Problems;
	/** Status changes of this window, from rows and pages. */
	readonly statusActs: StatusActs;
	/** Unread marks. */
	readonly marks: ListMarks;
	/** Repositories of patches, according to this window's clones. */
	readonly cloneClues: CloneClues;
	/** Review state from replies. */
	readonly reviews: PatchsetReviews;
	/** Results of checking patchsets against commits. */
	readonly checks: PatchsetChecks;
	/** Whether git can be run in this window. */
	readonly trust: WindowTrust;
	/** Unsent texts. */
	readonly drafts: Drafts;
	/** Counts of review drafts. */
	readonly draftCounts: DraftCounts;
	readonly clock: Clock;
}

/** Persistent display settings of threads. */
export interface KeptThreadLook {
	now(): ThreadLook;
	keep(look: ThreadLook): Promise<void>;
}

/** Pages of one kind, with the commands that open them. */
export interface PageArea extends Feature {
	readonly restorePage: RestorePage;
}
