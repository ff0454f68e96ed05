import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import * as v from 'valibot';
import { systemClock } from '../../src/app/systemClock.ts';
import type { Forge } from '../../src/forge/forge.ts';
import type { Net } from '../../src/net.ts';
import { ticketIndexer } from '../../src/state/ticketIndexer.ts';
import { TicketStore } from '../../src/state/ticketStore.ts';
import { root } from '../harness/places.ts';
import { startSampleForge, type SampleForge } from '../support/sampleForge.ts';
import { compare, type Comparison } from './interleaved.ts';
import { longestBlock } from './longestBlock.ts';

/** Only what the loop itself needs; nothing of a ticket is checked. */
interface BareEnvelope {
	readonly results: readonly { readonly id: number }[];
}

/** What listing and indexing a big tracker costs. */
export interface Indexing {
	readonly latencyMs: number;
	readonly tickets: number;
	/** Everything read and indexed, to a sequential loop that only parses. */
	readonly all: Comparison;
	/** The longest that the event loop stood still while a tracker was read and indexed. */
	readonly longestBlockMs: number;
	/** Of the same while the bare loop ran: what the machine itself did. */
	readonly bareLongestBlockMs: number;
}

const path = '/api/trackers/many/tickets';
const many = { owner: '~alice', name: 'many' };

/**
 * Reads a big tracker into store and index through the packaged API layer, against a bare sequential loop that sends the
 * very same requests and only parses.
 */
export async function indexTickets(tickets: number, latencyMs: number, rounds: number): Promise<Indexing> {
	await using owned = new AsyncDisposableStack();
	const forge = await startSampleForge({ dialect: 'field', tickets, latencyMs, fromDist: true });
	owned.defer(() => forge.stop());
	const agent = new Agent({ connections: 1 });
	owned.defer(() => agent.close());
	const net = openPackagedNet();
	owned.defer(() => net.close());
	const connected = connect(net, forge);
	const headers = { authorization: `Bearer ${forge.tokens.alice}`, accept: 'application/json' };
	const signal = new AbortController().signal;
	const pages = Math.ceil(tickets / 50);

	async function bareLoop(): Promise<number> {
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
	}

	async function indexed(): Promise<number> {
		const store = new TicketStore({
			api: connected.trackers,
			me: many.owner,
			followed: { all: () => [], keep: async () => undefined },
			clock: systemClock,
		});
		const index = ticketIndexer({ store, clock: systemClock });
		await index.readWhole(many, signal);
		const state = index.state(many);
		const known = state.kind === 'whole' ? index.tickets(many).length : 0;
		index.dispose();
		store.dispose();
		return known;
	}

	await proveSame(forge, { indexed, bareLoop, tickets });
	const all = await compare(
		{ name: 'indexed', run: async () => void (await indexed()) },
		{ name: 'bare loop', run: async () => void (await bareLoop()) },
		rounds,
	);
	return {
		latencyMs,
		tickets,
		all,
		longestBlockMs: await longestBlock(indexed),
		bareLongestBlockMs: await longestBlock(bareLoop),
	};
}

interface Contenders {
	readonly indexed: () => Promise<number>;
	readonly bareLoop: () => Promise<number>;
	readonly tickets: number;
}

/** A comparison of different work would be worth nothing: both must send the same requests and find all tickets. */
async function proveSame(forge: SampleForge, { indexed, bareLoop, tickets }: Contenders): Promise<void> {
	await forge.forgetRequests();
	const ours = await indexed();
	const ourRequests = (await forge.requests()).map(({ path: asked }) => asked);
	await forge.forgetRequests();
	const bare = await bareLoop();
	const bareRequests = (await forge.requests()).map(({ path: asked }) => asked);
	if (ours !== tickets || bare !== tickets || ourRequests.join(' ') !== bareRequests.join(' ')) {
		throw new Error(
			`Not the same work: ${ours} and ${bare} of ${tickets} tickets in ${ourRequests.length} and ${bareRequests.length} requests`,
		);
	}
}

function connect(net: Net, forge: SampleForge): Forge {
	return net.connectForge({
		instance: {
			id: 'bench',
			name: 'Bench',
			areas: forge.areas,
			protocol: 'rest',
			signIn: { kind: 'tokenOnly' },
			scopeSpelling: { prefixes: { todo: '', git: '', lists: '' }, names: {} },
			isSample: true,
		},
		me: many.owner,
		tokenFor: () => forge.tokens.alice,
	});
}

const chunk = v.object({
	openNet: v.custom<(typeof import('../../src/net.ts'))['openNet']>((value) => typeof value === 'function'),
});

function openPackagedNet(): Net {
	const { openNet } = v.parse(chunk, createRequire(import.meta.url)(join(root, 'dist/net.cjs')));
	return openNet({
		transport: {
			userAgent: 'ForgeDesk/0.1.0 (VS Code extension)',
			callsInFlight: 4,
			httpsProxy: undefined,
			httpProxy: undefined,
			noProxy: [],
			strictTls: true,
			systemCertificates: false,
		},
		clock: systemClock,
		random: Math.random,
	});
}
