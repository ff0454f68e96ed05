import type { OddThings } from '../../../../src/sampleForge/areas.ts';
import { tellOddNames } from './oddNames.ts';
import { oddThreads } from './oddThreads.ts';
import { oddTickets } from './oddTickets.ts';

/** Everything odd that the sample world has in tests. */
export const oddThings: OddThings = {
	tickets: oddTickets,
	threads: oddThreads,
	names: { tell: tellOddNames, worldHash: 'e0f72349ed7f3f89' },
};
