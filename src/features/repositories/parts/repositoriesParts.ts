import type { Clock } from '../../../base/clock.ts';
import type { Problems } from '../../../editor/ask/problems.ts';
import type { Connections } from '../../../store/connection.ts';

export interface RepositoriesParts {
	readonly connections: Connections;
	/** Resolves when all signed-in accounts are connected. Never rejects. */
	readonly ready: () => Promise<void>;
	readonly problems: Problems;
	readonly clock: Clock;
}
