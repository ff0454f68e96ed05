import { Agent, request } from 'undici';
import type { Forge } from 'sourcehut/port/forge.ts';
import type { TrackerRef } from 'sourcehut/port/tracker.ts';
import { openAccount } from './packagedNet.ts';

/** The fields that the loop needs, unchecked. */
interface BareEnvelope {
	readonly results: readonly { readonly id: number }[];
}

/** Reads the big tracker, and counts the tickets that it saw. */
export type Walk = () => Promise<number>;

/** A forge with one big tracker, and two ways to it. Disposing ends everything. */
export interface ManyTickets extends AsyncDisposable {
	readonly tracker: TrackerRef;
	readonly pages: number;
	/** The packaged API layer, signed in. */
	readonly connected: Forge;
	/** Sequential loop over the first `pages` pages: the requests of the API layer, and `JSON.parse`. */
	readonly bareWalk: (pages: number) => Promise<number>;
	/** Throws unless both see every ticket by the very same requests. */
	readonly proveSame: (ours: Walk, bare: Walk) => Promise<void>;
}

const tracker = { owner: '~alice', name: 'many' };
const path = '/api/trackers/many/tickets';
const pageSize = 50;

/** Starts the sample forge in a separate process, with a tracker of `tickets` tickets. */
export async function manyTickets(tickets: number, latencyMs: number): Promise<ManyTickets> {
	await using starting = new AsyncDisposableStack();
	const { forge, connected, headers } = await openAccount(starting, { tickets, latencyMs });
	const agent = new Agent({ connections: 1 });
	starting.defer(() => agent.close());

	async function requestsOf(walk: Walk): Promise<{ readonly seen: number; readonly asked: readonly string[] }> {
		await forge.forgetRequests();
		const seen = await walk();
		return { seen, asked: (await forge.requests()).map((each) => each.path) };
	}

	const owned = starting.move();
	return {
		tracker,
		pages: Math.ceil(tickets / pageSize),
		connected,
		async bareWalk(pages) {
			let seen = 0;
			let query = '';
			for (let page = 0; page < pages; page++) {
				const { body } = await request(`${forge.areas.todo}${path}${query}`, { dispatcher: agent, headers });
				// The baseline checks nothing.
				// oxlint-disable-next-line typescript/no-unsafe-type-assertion
				const { results } = JSON.parse(await body.text()) as BareEnvelope;
				seen += results.length;
				query = `?start=${Math.min(...results.map(({ id }) => id)) - 1}`;
			}
			return seen;
		},
		async proveSame(ours, bare) {
			const [mine, theirs] = [await requestsOf(ours), await requestsOf(bare)];
			if (mine.seen !== tickets || theirs.seen !== tickets || mine.asked.join(' ') !== theirs.asked.join(' ')) {
				throw new Error(
					`Not the same work: ${mine.seen} and ${theirs.seen} of ${tickets} tickets in ${mine.asked.length} and ${theirs.asked.length} requests`,
				);
			}
		},
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}
