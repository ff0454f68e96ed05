import type { Clock } from '../../../base/clock.ts';
import type { Problems } from '../../../editor/ask/problems.ts';
import type { Connections } from '../../../state/connection.ts';

/** What repositories need of the rest of the program. */
export interface RepositoriesParts {
	readonly connections: Connections;
	/** Settles once every account that is signed in now is connected. Never rejects. */
	readonly ready: () => Promise<void>;
	readonly problems: Problems;
	readonly clock: Clock;
}
