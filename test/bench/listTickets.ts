import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import * as v from 'valibot';
import type { Net } from '../../src/net.ts';
import { root } from '../harness/places.ts';
import { startSampleForge } from '../support/sampleForge.ts';
import { systemClock } from '../../src/app/systemClock.ts';
import { compare, type Comparison } from './interleaved.ts';

/** Only what the loop itself needs; nothing of a ticket is checked. */
interface BareEnvelope {
	readonly results: readonly { readonly id: number }[];
}

export interface Listing {
	readonly latencyMs: number;
	readonly tickets: number;
	readonly all: Comparison;
	readonly firstPage: Comparison;
}

const path = '/api/trackers/many/tickets';

/**
 * Lists a big tracker through the packaged API layer (authorized, limited, decoded, paged past the server's broken
 * cursor) against a bare loop that sends the very same requests and only parses.
 */
export async function listTickets(tickets: number, latencyMs: number, rounds: number): Promise<Listing> {
	await using owned = new AsyncDisposableStack();
	const forge = await startSampleForge({ dialect: 'field', tickets, latencyMs, fromDist: true });
	owned.defer(() => forge.stop());
	const agent = new Agent({ connections: 1 });
	owned.defer(() => agent.close());
	const net = openPackagedNet();
	owned.defer(() => net.close());
	const me = '~alice';
	const areas = forge.areas;
	const connected = net.connectForge({
		instance: {
			id: 'bench',
			name: 'Bench',
			areas,
			protocol: 'rest',
			signIn: { kind: 'tokenOnly' },
			scopeSpelling: { prefixes: { todo: '', git: '', lists: '' }, names: {} },
			isSample: true,
		},
		me,
		tokenFor: () => forge.tokens.alice,
	});
	const headers = { authorization: `Bearer ${forge.tokens.alice}`, accept: 'application/json' };
	const signal = new AbortController().signal;

	async function bareWalk(pages: number): Promise<number> {
		let seen = 0;
		let query = '';
		for (let page = 0; page < pages; page++) {
			const { body } = await request(`${areas.todo}${path}${query}`, { dispatcher: agent, headers });
			// The baseline believes what it is sent: that is what makes it bare.
			// oxlint-disable-next-line typescript/no-unsafe-type-assertion
			const { results } = JSON.parse(await body.text()) as BareEnvelope;
			seen += results.length;
			query = `?start=${Math.min(...results.map(({ id }) => id)) - 1}`;
		}
		return seen;
	}

	async function ourWalk(pages: number): Promise<number> {
		let seen = 0;
		let read = 0;
		for await (const page of connected.trackers.tickets({ owner: me, name: 'many' }, signal)) {
			seen = page.seen;
			read += 1;
			if (read >= pages) {
				break;
			}
		}
		return seen;
	}

	const pages = Math.ceil(tickets / 50);
	await proveSame(forge, { bareWalk, ourWalk, pages, tickets });
	const all = await compare(
		{ name: 'ours', run: async () => void (await ourWalk(Infinity)) },
		{ name: 'bare loop', run: async () => void (await bareWalk(pages)) },
		rounds,
	);
	const firstPage = await compare(
		{ name: 'ours', run: async () => void (await ourWalk(1)) },
		{ name: 'one bare request', run: async () => void (await bareWalk(1)) },
		rounds * 10,
	);
	return { latencyMs, tickets, all, firstPage };
}

interface Walks {
	readonly bareWalk: (pages: number) => Promise<number>;
	readonly ourWalk: (pages: number) => Promise<number>;
	readonly pages: number;
	readonly tickets: number;
}

/** A comparison of different work would be worth nothing: both must send the same requests and find all tickets. */
async function proveSame(forge: Awaited<ReturnType<typeof startSampleForge>>, walks: Walks): Promise<void> {
	await forge.forgetRequests();
	const ours = await walks.ourWalk(Infinity);
	const ourRequests = (await forge.requests()).map(({ path: asked }) => asked);
	await forge.forgetRequests();
	const bare = await walks.bareWalk(walks.pages);
	const bareRequests = (await forge.requests()).map(({ path: asked }) => asked);
	if (ours !== walks.tickets || bare !== walks.tickets || ourRequests.join(' ') !== bareRequests.join(' ')) {
		throw new Error(
			`Not the same work: ${ours} and ${bare} of ${walks.tickets} tickets in ${ourRequests.length} and ${bareRequests.length} requests`,
		);
	}
}

const chunk = v.object({
	openNet: v.custom<(typeof import('../../src/net.ts'))['openNet']>((value) => typeof value === 'function'),
});

/** The packaged API layer. The caller closes it. */
export function openPackagedNet(): Net {
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
