import '../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { outboxInMemory } from '../../../../src/store/outbox/outboxInMemory.ts';
import { setImmediate as turn } from 'node:timers/promises';
import type { Forge } from 'sourcehut/port/forge.ts';
import { absentAreas, noTrackerWrites } from 'sourcehut/port/absentAreas.ts';
import { isForgeError } from 'sourcehut/port/forgeError.ts';
import type { ForgeInstance, Protocol } from 'sourcehut/port/instance.ts';
import type { WebAddresses } from 'sourcehut/port/webAddresses.ts';
import { openNet, protocols, type ProtocolMaker } from 'sourcehut/net.ts';
import { websites, websiteOf } from 'sourcehut/web/websiteOf.ts';
import type { StoreContext } from '../../../../src/app/accounts/accountStores.ts';
import type { PageHost } from '../../../../src/editor/pages/pageHost.ts';
import { withArea } from '../../../../src/app/accounts/withArea.ts';
import type { Connection } from '../../../../src/store/connection.ts';
import { mailReader } from 'patchmail/mail/mailReader.ts';
import { directTransport } from '../../../support/contractForge.ts';
import { fakeClock } from '../../../support/fakeClock.ts';
import { fakeConnections, keptInMemory, sampleInstance } from '../../../support/fakeConnection.ts';
import { listsParts } from '../../../support/fakeListsParts.ts';
import { makeRepository, objectsInMemory } from '../../../support/fakeRepositories.ts';
import { quietProblems, ticketsParts } from '../../../support/fakeTicketsParts.ts';
import { heldLease } from '../../../support/heldLease.ts';
import { journalDisk } from '../../../support/journalInMemory.ts';
import { readerHere } from '../../../support/mailStores.ts';
import { makeTicket, makeTracker } from '../../../support/makeTicket.ts';
import { quietLog } from '../../../support/quietLog.ts';
import { standFor } from '../../../support/standFor.ts';
import { resetStub, stubbed } from '../../../support/vscodeValues.ts';

const vscode = await import('vscode');
const { accountStores } = await import('../../../../src/app/accounts/accountStores.ts');
const { ticketAccounts } = await import('../../../../src/app/accounts/ticketAccounts.ts');
const { goToFeature } = await import('../../../../src/features/goTo/goTo.ts');
const { listTree } = await import('../../../../src/features/lists/tree/listTree.ts');
const { ticketTree } = await import('../../../../src/features/tickets/tree/ticketTree.ts');
const lists = await import('../../../../src/features/lists/subjects/webLink.ts');
const tickets = await import('../../../../src/features/tickets/subjects/webLink.ts');
const repositories = await import('../../../../src/features/repositories/subjects/webLink.ts');

const { signal: never } = new AbortController();
const home = 'https://third.test';
const alpha = { owner: '~alice', name: 'alpha' };

/** A third protocol: read-only trackers and repositories, and one origin for both. */
const third = standFor<Protocol>('third');

const instance: ForgeInstance = {
	...sampleInstance,
	areas: { meta: home, todo: home, git: home },
	protocols: { todo: third, git: third },
};

async function* page<T>(...items: readonly T[]) {
	yield await Promise.resolve({ items, seen: items.length, completeness: { kind: 'complete' } as const });
}

const maker: ProtocolMaker = {
	describe: (of) => ({ ...protocols.rest.describe(of), besides: ['third'] }),
	connect: () => ({
		users: standFor<Forge['users']>({}),
		trackers: {
			...absentAreas.trackers,
			...noTrackerWrites,
			trackers: () => page(makeTracker()),
			tracker: async () => makeTracker(),
			tickets: () => page(makeTicket({ id: 3, title: 'Crash at start' })),
			ticket: async () => makeTicket({ id: 3, title: 'Crash at start' }),
		},
		repositories: { ...absentAreas.repositories, repositories: () => page(makeRepository('lantern')) },
	}),
};

function website(): WebAddresses {
	return {
		address(to) {
			return to.kind === 'ticket'
				? `${home}/${to.ref.tracker.owner.slice(1)}/${to.ref.tracker.name}/issues/${to.ref.id}`
				: to.kind === 'repository'
					? `${home}/${to.ref.owner.slice(1)}/${to.ref.name}`
					: undefined;
		},
		destination(url) {
			const [, owner, name, id] = /^\/(\w+)\/(\w+)\/issues\/(\d+)$/.exec(url.pathname) ?? [];
			return url.origin === home && owner !== undefined && name !== undefined
				? { kind: 'ticket', ref: { tracker: { owner: `~${owner}`, name }, id: Number(id) } }
				: undefined;
		},
		mailbox: (of) => of,
		remotes: () => undefined,
	};
}

function storesOf(forge: Forge): { readonly account: Connection; readonly dispose: () => void } {
	const clock = fakeClock();
	const storage = { get: () => undefined, update: () => Promise.resolve() };
	const ticketsOf = ticketAccounts('never made', vscode, () => 0.5, clock, quietLog());
	const account = accountStores(
		{ key: 'alice.third', instance, me: '~alice', forge },
		{
			storage,
			followedLists: { all: () => [], keep: () => Promise.resolve() },
			windowStorage: storage,
			objects: standFor<StoreContext['objects']>({ of: objectsInMemory }),
			mails: standFor<never>({}),
			repositoryTexts: standFor<never>({}),
			texts: {
				of: () => keptInMemory(),
				watched: () => ({ onDidWrite: () => ({ dispose: () => undefined }), dispose: () => undefined }),
				journalOf: () => journalDisk().window(),
				forget: () => Promise.resolve(),
				keepOnly: () => Promise.resolve(),
			},
			windowName: 'w1',
			outboxOf: () => ({ ...outboxInMemory(), dispose: () => undefined }),
			explain: String,
			ticketsOf,
			net: { open: () => Promise.reject(new Error('nothing is asked for')) },
			mailReader: mailReader(readerHere),
			historyAt: () => undefined,
			clones: { contents: async () => new Map() },
			lease: heldLease,
			random: () => 0.5,
			computer: 'this',
			randomBytes: (size) => new Uint8Array(size),
			clock,
		},
	);
	return {
		account,
		dispose() {
			account.dispose();
			ticketsOf.dispose();
		},
	};
}

suite('a third forge software, without lists', () => {
	const net = openNet({ transport: directTransport, clock: fakeClock(), random: () => 0.5 });
	let forge: Forge;
	let account: Connection;
	let dispose = (): void => undefined;

	suiteSetup(() => {
		Object.assign(protocols, { [third]: maker });
		Object.assign(websites, { [third]: website });
		forge = net.connectForge({ instance, me: '~alice', tokenFor: () => 'token' });
		({ account, dispose } = storesOf(forge));
	});

	suiteTeardown(async () => {
		dispose();
		Reflect.deleteProperty(protocols, third);
		Reflect.deleteProperty(websites, third);
		await net.close();
	});

	setup(resetStub);

	test('opens through the maps of protocols and websites', async () => {
		assert.deepEqual(net.protocol(instance).areas, ['todo', 'git']);
		assert.deepEqual(net.protocol(instance).besides, ['third']);
		assert.equal((await forge.trackers.ticket({ tracker: alpha, id: 3 }, never)).title, 'Crash at start');
		await assert.rejects(
			forge.users.user('lists', '~bob', never),
			(error) => isForgeError(error) && error.problem.kind === 'notFound',
		);
	});

	test('reads empty lists without a request, and refuses writes that it lacks', async () => {
		assert.deepEqual((await account.lists.own.first(never)).items, []);
		const isLacking = (error: unknown): boolean => isForgeError(error) && error.problem.kind === 'notOffered';
		await assert.rejects(account.lists.list({ owner: '~alice', name: 'devel' }, never), isLacking);
		await assert.rejects(
			account.writes.trackers.create({ name: 'beta', description: '', visibility: 'public' }, never),
			isLacking,
		);
	});

	test('has rows of trackers, and none of lists', async () => {
		const all = fakeConnections(account);
		const labels = async (roots: Promise<readonly { readonly item: { readonly label?: unknown } }[]>) =>
			(await roots).map(({ item }) => item.label);
		assert.deepEqual(withArea(all, 'lists').all(), []);
		assert.deepEqual(
			await labels(listTree(listsParts(withArea(all, 'lists'))).roots(never)),
			await labels(listTree(listsParts(fakeConnections())).roots(never)),
		);
		const desk = ticketsParts(withArea(all, 'todo'), standFor<PageHost>({}));
		assert.ok((await labels(ticketTree(desk).roots(never))).includes('alpha'));
		assert.deepEqual(
			(await account.repositories.own.first(never)).items.map(({ name }) => name),
			['lantern'],
		);
	});

	test('has links of its own website, and none to lists', () => {
		const all = fakeConnections(account);
		const connectionKey = account.key;
		assert.equal(
			tickets.webLink(withArea(all, 'todo'), { kind: 'ticket', connectionKey, ref: { tracker: alpha, id: 3 } }),
			`${home}/alice/alpha/issues/3`,
		);
		assert.equal(
			repositories.webLink(withArea(all, 'git'), { kind: 'repository', connectionKey, ref: alpha }),
			`${home}/alice/alpha`,
		);
		assert.equal(lists.webLink(withArea(all, 'lists'), { kind: 'list', connectionKey, ref: alpha }), undefined);
		assert.deepEqual(websiteOf(instance).destination(new URL(`${home}/alice/alpha/issues/3`)), {
			kind: 'ticket',
			ref: { tracker: alpha, id: 3 },
		});
	});

	test('Go to offers its addresses, and no mails', async () => {
		const connections = fakeConnections(account);
		const { commands } = goToFeature({
			connections,
			known: [],
			front: () => undefined,
			openArchive: () => assert.fail(),
			recent: () => [],
			clock: fakeClock(),
			problems: quietProblems,
		});
		const done = commands['forge.goTo']?.('', never, []);
		const rows = async (text: string): Promise<readonly string[]> => {
			stubbed.boxes.at(-1)?.type(text);
			for (let turns = 0; turns < 20; turns++) {
				await turn();
			}
			return stubbed.boxes.at(-1)?.items.map(({ label }) => label) ?? [];
		};
		await rows('');
		assert.deepEqual(await rows(`${home}/alice/alpha/issues/3`), ['Ticket ~alice/alpha#3']);
		assert.deepEqual(await rows('<message@id.test>'), ['Message in the email archive lore.kernel.org']);
		assert.deepEqual(await rows('~alice/lists@third.test'), []);
		stubbed.boxes.at(-1)?.hide();
		await assert.rejects(async () => done);
	});
});
