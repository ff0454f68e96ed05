import assert from 'node:assert/strict';
import { accountNet } from '../../src/app/accounts/accountNet.ts';
import { Disposables } from '@forge-desk/base/lifecycle.ts';
import { contentAreas, everywhere } from 'sourcehut/port/instance.ts';
import { Token } from 'sourcehut/identity/token.ts';
import { checkToken, whyBarred } from 'sourcehut/identity/tokenCheck.ts';
import { openNet } from 'sourcehut/net.ts';
import { busyForge } from './support/busyForge.ts';
import {
	directTransport,
	instanceOf,
	protocolSuite,
	systemClock,
	wanted,
	type Contract,
} from '../support/contractForge.ts';
import { fakeClock } from '../support/fakeClock.ts';
import { knownProtocols } from '../support/knownProtocols.ts';
import { watchingWindow } from '../support/watchingWindow.ts';
import { pushToForge } from '../support/pushToForge.ts';
import { patchsetPage, repositoryPage, repositoryRows, rootFolder, ticketPage } from '../support/screens.ts';

const devel = { owner: '~alice', name: 'lantern-devel' };
const lantern = { owner: '~alice', name: 'lantern' };
const scratch = { owner: '~alice', name: 'scratch' };
const many = { owner: '~alice', name: 'many' };

type Counts = Readonly<Record<Contract['dialect'], number>>;

// A separate forge, because the tests change it and count its requests.
protocolSuite('requests per screen', { inBoth: true, files: 12 }, ({ dialect, forge }) => {
	suiteSetup(() => {
		const files = Object.fromEntries(Array.from({ length: 88 }, (_, at) => [`n${at}`, `n${at}`]));
		pushToForge(forge().sample, { repository: 'many', branch: 'master', message: 'Names', files });
	});

	async function costs(counts: Counts, look: () => Promise<unknown>): Promise<void> {
		const { sample } = forge();
		await sample.forgetRequests();
		await look();
		const seen = (await sample.requests()).map(({ method, path }) => `${method} ${path}`);
		assert.equal(seen.length, counts[dialect], seen.join('\n'));
	}

	test('of a ticket, its timeline and the labels of its tracker', async () => {
		const ref = { tracker: { owner: '~alice', name: 'website' }, id: 31 };
		await costs({ field: 3, document: 3, graphql: 1 }, () => ticketPage(forge().as('alice'), ref));
		const [seen] = await forge().sample.requests();
		// The ticket comes with its timeline, not in a second request.
		assert.match(seen?.question ?? '', dialect === 'graphql' ? /^query Timeline_Labels / : /^$/);
	});

	test('of a patchset with its versions, patches and thread', async () => {
		const { lists } = forge().as('alice');
		const { value: page } = await lists.patchsets(devel, wanted()).next();
		const id = page?.items.at(-1)?.id ?? 0;
		// One query, plus the mailboxes of patches and thread.
		await costs({ field: 5, document: 7, graphql: 3 }, () => patchsetPage(forge().as('alice'), { list: devel, id }));
	});

	test('of a repository, its references, commits, root and README', async () => {
		// References, log, root and file: each GraphQL field that opens the repository is a separate request.
		await costs({ field: 6, document: 6, graphql: 4 }, () => repositoryPage(forge().as('alice'), lantern));
	});

	test('of an empty repository', async () => {
		await costs({ field: 4, document: 4, graphql: 4 }, () => repositoryPage(forge().as('alice'), scratch));
	});

	test('of the rows of a repository', async () => {
		await costs({ field: 2, document: 2, graphql: 1 }, () => repositoryRows(forge().as('alice'), lantern));
	});

	test('of own trackers after signing in', async () => {
		const { sample } = forge();
		await sample.forgetRequests();
		const net = openNet({ transport: directTransport, clock: systemClock, random: () => 0.5 });
		using owned = new Disposables();
		try {
			const protocols = everywhere(dialect === 'graphql' ? 'graphql' : 'rest');
			const instance = { ...instanceOf(sample), protocols };
			const identity = accountNet(async () => net, knownProtocols);
			const token = new Token(sample.tokens.alice);
			const checked = await checkToken(token, { areas: contentAreas, whoAmI: identity.whoAmI(instance) }, wanted());
			const readAnything = identity.readAnything(instance);
			await whyBarred(token, checked, { areas: contentAreas, readAnything }, wanted());
		} finally {
			await net.close();
		}
		const clock = fakeClock(Date.now());
		const { forge: ports, pass } = busyForge(forge().as('alice'));
		const { tickets } = owned.add(watchingWindow({ forge: ports, clock, perHour: 300 }));
		await tickets.ownTrackers(wanted());
		await pass(clock, 10_000);
		const asked = (await sample.requests()).filter(({ path, question }) =>
			/\/api\/trackers(?:\?|$)|^query (?:\w+_)?Trackers\b/.test(question ?? path),
		);
		// The older API reports a barred account only by rejecting requests.
		const most: Counts = { field: 2, document: 2, graphql: 1 };
		assert.equal(asked.length, most[dialect]);
	});

	test('of a folder of 100 entries and its commit', async () => {
		let entries = 0;
		// Git reads the server's capabilities, then the folder.
		await costs({ field: 2, document: 2, graphql: 4 }, async () => {
			entries = await rootFolder(forge().as('alice'), many, 'master');
		});
		assert.ok(entries >= 88);
	});
});
