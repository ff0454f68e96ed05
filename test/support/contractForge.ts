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
import type { Net, TokenFor, TransportSettings, Way } from 'sourcehut/net.ts';
import { caller } from 'sourcehut/rest/caller.ts';
import type { Caller } from 'sourcehut/rest/caller.ts';
import { allChosenDialects, chosenDialects, type RestDialect } from './dialects.ts';
import { testMachine } from './localMachine.ts';
import { leaveOut } from './leftOut.ts';
import { isOffered, isTold, type Offer } from './offers.ts';
import { limitMs } from './pace.ts';
import { inRest } from './parts.ts';
import { startSampleForge } from './sampleForge.ts';
import type { Dialect, SampleForge, SampleForgeOptions, SampleUser } from './sampleForge.ts';
import { sharedForge } from './sharedForge.ts';

/** REST dialects that suites run in; titles of contract suites begin with one of them. */
export const dialects: readonly RestDialect[] = chosenDialects();

/** The system time. */
export const systemClock: Clock = {
	nowMs: () => Date.now(),
	after(delayMs, work) {
		const timer = setTimeout(work, delayMs);
		return onDispose(() => clearTimeout(timer));
	},
};

/** Real deadlines, and short pauses cut to a twentieth, so retries happen sooner. */
const impatientClock: Clock = {
	...systemClock,
	after: (delayMs, work) => systemClock.after(delayMs <= 1000 ? delayMs / 20 : delayMs, work),
};

/** Connects directly to the loopback. */
export const directTransport: TransportSettings = {
	userAgent: 'ForgeDesk/0.0.0 (VS Code extension)',
	callsInFlight: 4,
	wayTo: wayOf({}),
};

/** The same way to every origin; direct and with the certificates of Node.js, unless told otherwise. */
export function wayOf(way: Partial<Way>): TransportSettings['wayTo'] {
	return () => ({
		proxy: { kind: 'none' },
		proxyAuthorization: undefined,
		strictTls: true,
		authorities: undefined,
		...way,
	});
}

/** The same proxy for every origin. */
export function throughProxy(address: string): TransportSettings['wayTo'] {
	return wayOf({ proxy: { kind: 'proxy', address } });
}

/** A running sample forge with a connected client. */
export interface ContractForge {
	readonly sample: SampleForge;
	readonly instance: ForgeInstance;
	readonly net: Net;
	/** The client of a sample user, with their personal token. */
	as(user: SampleUser): Forge;
	/** A client with the given token. */
	withToken(user: SampleUser, tokenFor: TokenFor): Forge;
	/** Calls endpoints directly. If `me` is another user, addresses the user's own resources in the explicit form. */
	caller(user: SampleUser, me?: string): Caller;
	stop(): Promise<void>;
}

/** Starts a separate forge if given sizes; otherwise uses the shared one. */
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

/** The sample forge in the application's form. */
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

/** Options of a suite, besides those of its sample forge. */
export interface SuiteOptions extends SampleForgeOptions {
	/** True if something shows only in the second REST dialect. Otherwise its run is in the second part of the tests. */
	readonly inBoth?: boolean;
	/** The only dialect of the first part, for behaviour above the protocol. */
	readonly firstIn?: Dialect;
}

/** Runs a suite once per selected dialect, over a fresh sample forge. Titles begin with the dialect. */
export function contractSuite(
	title: string,
	options: SuiteOptions,
	body: (contract: Contract<RestDialect>) => void,
): void {
	dialects.forEach((dialect) => suiteIn(dialect, title, { options, body }));
}

/** The same in both protocols. */
export function protocolSuite(title: string, options: SuiteOptions, body: (contract: Contract) => void): void {
	allChosenDialects().forEach((dialect) => suiteIn(dialect, title, { options, body }));
}

/** Like `protocolSuite`, and once more over GraphQL services of 2023, with titles that begin with `graphql of 2023`. */
export function agedProtocolSuite(title: string, options: SuiteOptions, body: (contract: Contract) => void): void {
	protocolSuite(title, options, body);
	if (allChosenDialects().includes('graphql')) {
		suiteIn('graphql', title, { options: { ...options, graphqlAge: '2023' }, body });
	}
}

interface SuiteParts<D extends Dialect> {
	readonly options: SuiteOptions;
	readonly body: (contract: Contract<D>) => void;
}

function suiteIn<D extends Dialect>(dialect: D, title: string, parts: SuiteParts<D>): void {
	const { inBoth = false, firstIn, ...options } = parts.options;
	const { body } = parts;
	const chosen = allChosenDialects();
	const first = firstIn ?? (dialect === 'document' && !inBoth ? 'field' : dialect);
	const isRepeated = dialect !== first && chosen.includes(first);
	const named = options.graphqlAge === '2023' ? `${dialect} of 2023` : dialect;
	const made = suite(`${named}: ${title}`, function () {
		// Creating a big repository takes time.
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
	if (isRepeated) {
		inRest(made);
	}
}

/** Context of a contract suite. The forge exists when its tests run. */
export interface Contract<D extends Dialect = Dialect> {
	readonly dialect: D;
	/** Services of the dialect `graphql`. */
	readonly age: '2023' | '2026';
	readonly forge: () => ContractForge;
	/** True if the forge has an optional feature. Fails on a difference from docs/port.md. */
	readonly has: (offer: Offer) => boolean;
	/**
	 * A test of an optional feature. Counts as skipped under the feature's name if docs/port.md says the forge lacks
	 * it.
	 */
	readonly testWith: (offer: Offer, name: string, work: () => Promise<void>) => void;
}

/** A signal that never aborts. */
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

/** All items of a list. */
export async function allItems<T>(list: Pages<T>): Promise<readonly T[]> {
	return (await allPages(list)).flatMap(({ items }) => items);
}

/** The first page of a list, with a single request. */
export async function firstPage<T>(list: Pages<T>): Promise<Page<T>> {
	for await (const page of list) {
		return page;
	}
	throw new Error('The list had no page at all');
}

/** A successful ticket change; throws on a rejected change or a lost response. */
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

/** The problem of a failed call; throws if it succeeded or failed with another kind of error. */
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
