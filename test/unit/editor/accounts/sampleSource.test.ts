import { everywhere } from 'sourcehut/port/instance.ts';
import assert from 'node:assert/strict';
import { readReadyLine, readTakenLine } from '../../../../src/editor/accounts/sampleSource.ts';

const areas = {
	meta: 'http://127.0.0.1:5000',
	todo: 'http://127.0.0.1:5001',
	git: 'http://127.0.0.1:5002',
	lists: 'http://127.0.0.1:5003',
};

const ready = {
	ready: true,
	dialect: 'field',
	areas,
	client: { id: 'bbbb000000000001', secret: '5ecret5ecret', redirectPort: 15_998 },
	tokens: { alice: 'a11ce-a11ce' },
};

suite('sample forge', () => {
	test('the ready line contains all data for the sign-in', () => {
		const sample = readReadyLine(JSON.stringify(ready));
		assert.deepEqual(sample?.instance.signIn, {
			kind: 'exchange',
			clientId: 'bbbb000000000001',
			redirectPort: 15_998,
		});
		assert.equal(sample.clientSecret.reveal(), '5ecret5ecret');
		assert.equal(sample.tokens['alice']?.reveal(), 'a11ce-a11ce');
		assert.ok(sample.instance.isSample);
		const document = { ...ready, dialect: 'document', client: { id: 'c', secret: null, redirectPort: null } };
		assert.deepEqual(readReadyLine(JSON.stringify(document))?.instance.signIn, { kind: 'pkce', clientId: 'c' });
		const newest = readReadyLine(JSON.stringify({ ...ready, dialect: 'graphql' }))?.instance;
		assert.deepEqual(
			[newest?.signIn, newest?.protocols],
			[{ kind: 'secret', clientId: 'bbbb000000000001', redirectPort: 15_998 }, everywhere('graphql')],
		);
	});

	test('rejects a line that is not a ready line or contains another computer’s address', () => {
		for (const line of [
			'',
			'listening',
			'{}',
			JSON.stringify({ ...ready, ready: false }),
			JSON.stringify({ ...ready, client: null }),
			JSON.stringify({ ...ready, areas: { ...areas, lists: 'http://192.168.0.1:80' } }),
			JSON.stringify({ ...ready, areas: { ...areas, meta: 'https://forge.example' } }),
		]) {
			assert.equal(readReadyLine(line), undefined, line);
		}
	});

	test('the line of a process without ports names the port and the forge that uses it', () => {
		const line = JSON.stringify({ taken: 5000, by: ready });
		const { taken, by } = readTakenLine(line) ?? {};
		assert.deepEqual([taken, by?.instance.areas], [5000, areas]);
		assert.deepEqual(readTakenLine(JSON.stringify({ taken: 5000, by: null })), { taken: 5000, by: undefined });
		assert.equal(readTakenLine(JSON.stringify(ready)), undefined);
	});
});
