import type { Clock } from '../../../base/clock.ts';
import type { Feature } from '../../../editor/commands/feature.ts';
import type { WindowTrust } from '../../../editor/commands/trust.ts';
import type { CloneClues } from '../../../editor/git/cloneClues.ts';
import type { PageHost } from '../../../editor/pages/pageHost.ts';
import type { PageRenderer } from '../../../editor/pages/pageRenderer.ts';
import type { RestorePage } from '../../../editor/pages/restorePage.ts';
import type { Problems } from '../../../editor/ask/problems.ts';
import type { MailReader } from '../../../mail/mailReader.ts';
import type { ThreadLook } from '../../../protocol/threadProtocol.ts';
import type { PatchsetChecks } from '../checks/patchsetChecks.ts';
import type { ListMarks } from '../marks/listMarks.ts';
import type { DraftCounts } from '../review/draftCounts.ts';
import type { PatchsetReviews } from '../review/patchsetReviews.ts';
import type { StatusActs } from '../status/statusActs.ts';
import type { Connections } from '../../../state/connection.ts';
import type { Drafts } from '../../../state/drafts/drafts.ts';

/** What lists need of the rest of the program. */
export interface ListsParts {
	readonly connections: Connections;
	/** Settles once everybody who is signed in now is connected. Never rejects. */
	readonly ready: () => Promise<void>;
	readonly mailReader: MailReader;
	readonly pages: PageHost;
	readonly renderer: PageRenderer;
	/** How conversations are looked at, the same for all of them. */
	readonly threadLook: KeptThreadLook;
	readonly problems: Problems;
	/** The statuses that were set in this window, from rows and pages alike. */
	readonly statusActs: StatusActs;
	/** What of lists is unread. */
	readonly marks: ListMarks;
	/** What the clones of this window tell of where patches belong. */
	readonly cloneClues: CloneClues;
	/** What replies say of patchsets. */
	readonly reviews: PatchsetReviews;
	/** Which patchsets were tried on which commits. */
	readonly checks: PatchsetChecks;
	/** Whether git can be run in this window. */
	readonly trust: WindowTrust;
	/** What is written and not sent. */
	readonly drafts: Drafts;
	/** What of it belongs to reviews. */
	readonly draftCounts: DraftCounts;
	readonly clock: Clock;
}

/** How conversations are looked at, kept over restarts. */
export interface KeptThreadLook {
	now(): ThreadLook;
	keep(look: ThreadLook): Promise<void>;
}

/** Pages of one kind, with the commands that open them. */
export interface PageArea extends Feature {
	readonly restorePage: RestorePage;
}
