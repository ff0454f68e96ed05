import type { Connections } from '../../../state/connection.ts';
import type { Problems } from '../../../editor/ask/problems.ts';
import type { StatusActs } from './statusActs.ts';
import type { ListMarks } from '../marks/listMarks.ts';

/** What setting a status needs. */
export interface StatusParts {
	readonly connections: Connections;
	readonly problems: Problems;
	/** The statuses that were set in this window. */
	readonly statusActs: StatusActs;
	/** What of lists is unread. */
	readonly marks: ListMarks;
}

/** Takes back what was just set, and nothing else. */
export type UndoStatuses = () => Promise<void>;
