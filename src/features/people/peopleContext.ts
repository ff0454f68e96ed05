import type { Clock } from '@forge-desk/base/clock.ts';
import type { Problems } from '../../editor/ask/problems.ts';
import type { Connections } from '../../store/connection.ts';

/** Dependencies of the people area. */
export interface PeopleContext {
	readonly connections: Connections;
	/** Resolves when all signed-in accounts are connected. Never rejects. */
	readonly ready: () => Promise<void>;
	readonly problems: Problems;
	readonly clock: Clock;
}
