import type { Connections } from '../../../store/connection.ts';
import type { Problems } from '../../../editor/ask/problems.ts';
import type { StatusActs } from './statusActs.ts';
import type { ListMarks } from '../marks/listMarks.ts';

export interface StatusParts {
	readonly connections: Connections;
	readonly problems: Problems;
	/** Status changes of this window. */
	readonly statusActs: StatusActs;
	/** Unread marks. */
	readonly marks: ListMarks;
}

/** Takes back what was just set, and nothing else. */
export type UndoStatuses = () => Promise<void>;
