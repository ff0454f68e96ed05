import type { ThreadPlan } from '../../src/worlds/lists/tellMail.ts';
import type { OddNames } from '../worlds/repositories/gitWorld.ts';
import type { OddTickets } from '../worlds/tickets/ticketWorld.ts';
import { tellOddNames } from './oddNames.ts';
import { oddThreads } from './oddThreads.ts';
import { oddTickets } from './oddTickets.ts';

/**
 * Names and texts that broke other programs. Package scanners take them for attacks, so the shipped forge has none.
 */
interface OddThings {
	readonly tickets: OddTickets;
	readonly threads: readonly ThreadPlan[];
	readonly names: OddNames;
}

/** All odd content of the tests' sample world. */
export const oddThings: OddThings = {
	tickets: oddTickets,
	threads: oddThreads,
	names: { tell: tellOddNames, worldHash: 'e0f72349ed7f3f89' },
};
