import type { PageHost } from '../../src/editor/pageHost.ts';
import type { Problems } from '../../src/editor/problems.ts';
import type { TicketsParts } from '../../src/features/tickets/ticketsParts.ts';
import { isForgeError } from '../../src/forge/forgeError.ts';
import type { Draft, Drafts } from '../../src/state/drafts.ts';
import type { Connections } from '../../src/state/connection.ts';
import { fakeClock } from './fakeClock.ts';

/** Problems in words, with nothing shown. */
export const quietProblems: Problems = {
	explain: (error) => ({
		message: isForgeError(error) ? `The forge said: ${error.problem.kind}.` : String(error),
		action: undefined,
	}),
	show: () => Promise.resolve(),
	hasJustToldOfToken: () => false,
	log: () => undefined,
};

/** Drafts kept in memory. */
export function fakeDrafts(): Drafts {
	const kept = new Map<string, Draft>();
	return {
		draft: (about) => kept.get(about),
		keep: async (about, draft) => void (draft.text === '' ? kept.delete(about) : kept.set(about, draft)),
	};
}

/** Parts of the tickets feature whose pages are given by `pages`. */
export function ticketsParts(connections: Connections, pages: PageHost): TicketsParts {
	return {
		connections,
		render: () => import('../../src/render.ts'),
		pages,
		problems: quietProblems,
		drafts: fakeDrafts(),
		clock: fakeClock(),
		log: { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined },
	};
}
