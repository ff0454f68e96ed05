import { readMail } from '../../src/mailParser.ts';
import type { ListsParts } from '../../src/features/lists/listsParts.ts';
import type { Connections } from '../../src/state/connection.ts';
import { fakeClock } from './fakeClock.ts';
import { quietProblems } from './fakeTicketsParts.ts';

/** Parts of the lists feature, with the real mail parser. */
export function listsParts(connections: Connections): ListsParts {
	return {
		connections,
		ready: () => Promise.resolve(),
		mailReader: { readMail },
		problems: quietProblems,
		clock: fakeClock(),
	};
}
