import { Agent, request } from 'undici';
import type { Forge } from '../../src/forge/forge.ts';
import type { TrackerRef } from '../../src/forge/tracker.ts';
import { sampleInstance } from '../support/fakeConnection.ts';
import { startSampleForge } from '../support/sampleForge.ts';
import { openPackagedNet } from './packagedNet.ts';

/** Only what the loop itself needs; nothing of a ticket is checked. */
interface BareEnvelope {
	readonly results: readonly { readonly id: number }[];
}

/** Reads the big tracker in some way, and tells how many tickets it saw. */
export type Walk = () => Promise<number>;

/** A forge with one big tracker, and two ways to it. Disposing ends everything. */
export interface ManyTickets extends AsyncDisposable {
	readonly tracker: TrackerRef;
	/** How many pages the tracker has. */
	readonly pages: number;
	/** The packaged API layer, signed in. */
	readonly connected: Forge;
	/** A bare sequential loop over the first `pages` pages, which sends what the API layer sends and only parses. */
	readonly bareWalk: (pages: number) => Promise<number>;
	/** Throws unless both see every ticket by the very same requests: a comparison of different work would be worth nothing. */
	readonly proveSame: (ours: Walk, bare: Walk) => Promise<void>;
}

const tracker = { owner: '~alice', name: 'many' };
const path = '/api/trackers/many/tickets';
const pageSize = 50;

/** Starts the sample forge in a process of its own, with a tracker of `tickets` tickets. */
export async function manyTickets(tickets: number, latencyMs: number): Promise<ManyTickets> {
	await using starting = new AsyncDisposableStack();
	const forge = await startSampleForge({ dialect: 'field', tickets, latencyMs });
	starting.defer(() => forge.stop());
	const agent = new Agent({ connections: 1 });
	starting.defer(() => agent.close());
	const net = openPackagedNet();
	starting.defer(() => net.close());
	const instance = { ...sampleInstance, areas: forge.areas };
	const connected = net.connectForge({ instance, me: tracker.owner, tokenFor: () => forge.tokens.alice });
	const headers = { authorization: `Bearer ${forge.tokens.alice}`, accept: 'application/json' };

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
				// The baseline believes what it is sent: that is what makes it bare.
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
