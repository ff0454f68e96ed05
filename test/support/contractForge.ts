import { everywhere } from 'sourcehut/port/instance.ts';
import assert from 'node:assert/strict';
import type { Clock } from '@forge-desk/base/clock.ts';
import { gitReads } from '../../src/app/machine/gitReads.ts';
import { onDispose } from '@forge-desk/base/lifecycle.ts';
import { isForgeError } from 'sourcehut/port/forgeError.ts';
import type { Problem } from 'sourcehut/port/forgeError.ts';
import type { Forge } from 'sourcehut/port/forge.ts';
import type { ForgeInstance } from 'sourcehut/port/instance.ts';
import type { Page, Pages } from 'sourcehut/port/page.ts';
import type { ChangedTicket, TicketOutcome } from 'sourcehut/port/ticketRequest.ts';
import { undiciClient } from 'sourcehut/http/undiciClient.ts';
import { openNet } from 'sourcehut/net.ts';
import type { Net, TokenFor, TransportSettings } from 'sourcehut/net.ts';
import { caller } from 'sourcehut/rest/caller.ts';
import type { Caller } from 'sourcehut/rest/caller.ts';
import { allChosenDialects, chosenDialects, type RestDialect } from './dialects.ts';
import { testMachine } from './localMachine.ts';
import { leaveOut } from './leftOut.ts';
import { isOffered, isTold, type Offer } from './offers.ts';
import { limitMs } from './pace.ts';
import { startSampleForge } from './sampleForge.ts';
import type { Dialect, SampleForge, SampleForgeOptions, SampleUser } from './sampleForge.ts';
import { sharedForge } from './sharedForge.ts';

/** The ways in which forges of REST answer that suites run in; titles of contract suites begin with one of them. */
export const dialects: readonly RestDialect[] = chosenDialects();

/** The machine's own time. */
export const systemClock: Clock = {
	nowMs: () => Date.now(),
	after(delayMs, work) {
		const timer = setTimeout(work, delayMs);
		return onDispose(() => clearTimeout(timer));
	},
};

/** Deadlines as they are, and short pauses cut to a twentieth: what is repeated is the same, only sooner. */
const impatientClock: Clock = {
	...systemClock,
	after: (delayMs, work) => systemClock.after(delayMs <= 1000 ? delayMs / 20 : delayMs, work),
};

/** Straight to the loopback. */
export const directTransport: TransportSettings = {
	userAgent: 'ForgeDesk/0.0.0 (VS Code extension)',
	callsInFlight: 4,
	httpsProxy: undefined,
	httpProxy: undefined,
	noProxy: [],
	strictTls: true,
	systemCertificates: false,
};

/** A running sample forge with the client connected to it. */
export interface ContractForge {
	readonly sample: SampleForge;
	readonly instance: ForgeInstance;
	readonly net: Net;
	/** The client of one of the sample's people, with their personal token. */
	as(user: SampleUser): Forge;
	/** A client with a token of one's own. */
	withToken(user: SampleUser, tokenFor: TokenFor): Forge;
	/** Calls endpoints directly. With somebody else as `me`, the user's own things are called in the explicit form. */
	caller(user: SampleUser, me?: string): Caller;
	stop(): Promise<void>;
}

/** With sizes it is a forge of one's own, else the one that is shared. */
async function startContractForge(dialect: Dialect, options: SampleForgeOptions): Promise<ContractForge> {
	const isShared = Object.keys(options).length === 0;
	const sample = await (isShared ? sharedForge(dialect) : startSampleForge({ ...options, dialect }));
	const machine = testMachine();
	const git = gitReads(machine.git, machine.folder);
	const net = openNet({ transport: directTransport, clock: impatientClock, random: Math.random, git });
	const http = undiciClient({ transport: directTransport, clock: systemClock, random: Math.random });
	const instance = instanceOf(sample);
	const withToken = (user: SampleUser, tokenFor: TokenFor): Forge =>
		net.connectForge({ instance, me: `~${user}`, tokenFor });
	return {
		sample,
		instance,
		net,
		as: (user) => withToken(user, () => sample.tokens[user]),
		withToken,
		caller: (user, me = `~${user}`) =>
			caller({ instance, me, tokenFor: () => sample.tokens[user], http, clock: systemClock }),
		async stop() {
			await Promise.all([net.close(), http.close()]);
			machine.remove();
			if (!isShared) {
				await sample.stop();
			}
		},
	};
}

/** The sample forge as the application would know it. */
export function instanceOf(sample: Pick<SampleForge, 'dialect' | 'areas' | 'hub'>): ForgeInstance {
	return {
		id: 'sample',
		name: 'Sample forge',
		areas: sample.areas,
		...(sample.hub === null ? {} : { hub: sample.hub }),
		protocols: everywhere(sample.dialect === 'graphql' ? 'graphql' : 'rest'),
		signIn: { kind: 'tokenOnly' },
		scopeSpelling:
			sample.dialect === 'field'
				? {
						prefixes: { todo: 'todo.sr.ht/', git: 'git.sr.ht/', lists: 'lists.sr.ht/' },
						names: { emails: 'email' },
					}
				: { prefixes: { todo: '', git: '', lists: '' }, names: {} },
		webhookKey: undefined,
		isSample: true,
	};
}

/** Runs a suite once for each of the chosen dialects, over a sample forge as it is at a start. Titles begin with the dialect. */
export function contractSuite(
	title: string,
	options: SampleForgeOptions,
	body: (contract: Contract<RestDialect>) => void,
): void {
	dialects.forEach((dialect) => suiteIn(dialect, title, { options, body }));
}

/** The same, in both protocols. */
export function protocolSuite(title: string, options: SampleForgeOptions, body: (contract: Contract) => void): void {
	allChosenDialects().forEach((dialect) => suiteIn(dialect, title, { options, body }));
}

/** The same, and over GraphQL once more as services of 2023 answer. Titles of that begin with `graphql of 2023`. */
export function agedProtocolSuite(
	title: string,
	options: SampleForgeOptions,
	body: (contract: Contract) => void,
): void {
	protocolSuite(title, options, body);
	if (allChosenDialects().includes('graphql')) {
		suiteIn('graphql', title, { options: { ...options, graphqlAge: '2023' }, body });
	}
}

interface SuiteParts<D extends Dialect> {
	readonly options: SampleForgeOptions;
	readonly body: (contract: Contract<D>) => void;
}

function suiteIn<D extends Dialect>(dialect: D, title: string, { options, body }: SuiteParts<D>): void {
	const named = options.graphqlAge === '2023' ? `${dialect} of 2023` : dialect;
	suite(`${named}: ${title}`, function () {
		// A big repository is written first.
		this.timeout(limitMs((options.files ?? 0) > 10_000 ? 300_000 : 60_000));
		let forge: ContractForge | undefined;
		suiteSetup(async () => {
			forge = await startContractForge(dialect, options);
		});
		suiteTeardown(async () => {
			const crashes = (await forge?.sample.crashes()) ?? [];
			await forge?.stop();
			// docs/protocol.md#one-opening-field
			assert.deepEqual(
				crashes.filter((crash) => crash.includes('Two fields open one repository')),
				[],
			);
		});
		const running = (): ContractForge => {
			assert.ok(forge);
			return forge;
		};
		const has = (offer: Offer): boolean => {
			const isThere = isOffered(running().as('alice'), offer);
			assert.equal(isThere, isTold(dialect, offer), `docs/port.md says otherwise of ${offer} in ${dialect}`);
			return isThere;
		};
		body({
			dialect,
			age: options.graphqlAge ?? '2026',
			forge: running,
			has,
			testWith: (offer, name, work) =>
				test(name, async function () {
					if (!has(offer)) {
						leaveOut(this, offer);
					}
					await work();
				}),
		});
	});
}

/** What a contract suite works with. The forge is there as soon as its tests run. */
export interface Contract<D extends Dialect = Dialect> {
	readonly dialect: D;
	/** Of the services, in the dialect `graphql`. */
	readonly age: '2023' | '2026';
	readonly forge: () => ContractForge;
	/** Whether what not every protocol has is there; fails where docs/port.md says otherwise. */
	readonly has: (offer: Offer) => boolean;
	/** A test of such a thing. It is skipped, and counted as that by the thing's name, where forges are told not to have it. */
	readonly testWith: (offer: Offer, name: string, work: () => Promise<void>) => void;
}

/** A signal that nobody aborts. */
export function wanted(): AbortSignal {
	return new AbortController().signal;
}

/** All pages of a list. */
export async function allPages<T>(list: Pages<T>): Promise<readonly Page<T>[]> {
	const pages: Page<T>[] = [];
	for await (const page of list) {
		pages.push(page);
	}
	return pages;
}

/** All things of a list. */
export async function allItems<T>(list: Pages<T>): Promise<readonly T[]> {
	return (await allPages(list)).flatMap(({ items }) => items);
}

/** The first page of a list, and no more requests than that. */
export async function firstPage<T>(list: Pages<T>): Promise<Page<T>> {
	for await (const page of list) {
		return page;
	}
	throw new Error('The list had no page at all');
}

/** A change of a ticket that the server took; throws what it did not take, and answers that were lost. */
export async function changed(sending: Promise<TicketOutcome>): Promise<ChangedTicket> {
	const outcome = await sending;
	switch (outcome.kind) {
		case 'answered':
			return outcome;
		case 'needless':
			return { ticket: outcome.ticket, events: [] };
		case 'partly':
		case 'refused':
		case 'lost':
			throw outcome.error;
	}
}

/** What went wrong; fails when nothing did, or something that is no problem of the forge's. */
export async function problemFrom(work: Promise<unknown>): Promise<Problem> {
	try {
		await work;
	} catch (error) {
		if (isForgeError(error)) {
			return error.problem;
		}
		throw error;
	}
	throw new Error('It went well');
}
