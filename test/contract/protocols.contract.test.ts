import assert from 'node:assert/strict';
import { contentAreas, everywhere, type ContentArea } from 'sourcehut/port/instance.ts';
import { allItems, problemFrom, protocolSuite, wanted } from '../support/contractForge.ts';

protocolSuite('protocol detection', {}, ({ dialect, forge }) => {
	const spoken = dialect === 'graphql' ? 'graphql' : 'rest';

	test('each area reports its protocol without authentication', async () => {
		const { sample, net, instance } = forge();
		await sample.forgetRequests();
		for (const area of contentAreas) {
			assert.equal(await net.findProtocol(instance, area, wanted()), spoken, area);
		}
		const requests = await sample.requests();
		assert.deepEqual(
			requests.map(({ method, path, hasToken }) => [method, path, hasToken]),
			contentAreas.map(() => ['GET', '/query/api-meta.json', false]),
		);
	});

	test('the client recognises a token for other servers, unless an area may accept it', () => {
		const { sample, net, instance } = forge();
		const older = '0123456789abcdef0123456789abcdef';
		const isOlder = dialect === 'graphql';
		assert.equal(net.protocol(instance).readToken(older).kind, isOlder ? 'ofOtherServers' : 'untold');
		const mixed = { ...instance, protocols: { todo: 'graphql', lists: 'rest', git: 'graphql' } } as const;
		assert.equal(net.protocol(mixed).readToken(older).kind, 'untold');
		const own = net.protocol(mixed).readToken(sample.tokens.alice);
		assert.equal(own.kind, isOlder ? 'told' : 'untold');
		assert.equal(own.kind === 'told' ? own.owner : '~alice', '~alice');
	});

	test('the client reports an area with another protocol, and none with the expected one', async () => {
		const { sample, net, instance } = forge();
		const absent: ContentArea[] = [];
		const connected = (protocol: 'rest' | 'graphql'): ReturnType<typeof net.connectForge> =>
			net.connectForge({
				instance: { ...instance, protocols: everywhere(protocol) },
				me: '~alice',
				tokenFor: () => sample.tokens.alice,
				absent: (area) => absent.push(area),
			});
		await allItems(connected(spoken).trackers.trackers(undefined, wanted()));
		assert.deepEqual(absent, []);
		const other = connected(spoken === 'rest' ? 'graphql' : 'rest');
		await problemFrom(other.lists.lists(undefined, wanted()).next());
		assert.deepEqual(absent, ['lists']);
	});
});
