import '../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { Disposables } from '../../../../src/base/lifecycle.ts';
import type { Connection } from '../../../../src/store/connection.ts';
import { fakeConnection, fakeConnections } from '../../../support/fakeConnection.ts';
import { fakeTrackers } from '../../../support/fakeForge.ts';

const { pageAccount } = await import('../../../../src/editor/pages/livePage.ts');

function connected(): Connection {
	return fakeConnection(fakeTrackers('~alice').api);
}

function followed(connections: ReturnType<typeof fakeConnections>) {
	const owned = new Disposables();
	const heard: string[] = [];
	const account = pageAccount(
		connections,
		'sample-alice',
		{ owned, close: () => void heard.push('closed') },
		() => {
			heard.push('watches');
			return { dispose: () => void heard.push('lets go') };
		},
		(connection, before) => {
			heard.push(before ? 'replaced' : 'came');
			account.follow(connection);
		},
	);
	return { owned, heard, account };
}

suite('the account of a page', () => {
	test('is followed when it comes after its page, and by whatever connection stands for it then', () => {
		const connections = fakeConnections();
		const { heard, account } = followed(connections);
		assert.throws(() => account.connection());
		const first = connected();
		connections.replace(first);
		assert.equal(account.followed(), first);
		const second = connected();
		connections.replace(second);
		assert.equal(account.connection(), second);
		assert.deepEqual(heard, ['came', 'watches', 'replaced', 'lets go', 'watches']);
	});

	test('closes its page when it signs out, and no page that never had it', () => {
		const without = followed(fakeConnections());
		const connections = fakeConnections(connected());
		const { heard, account } = followed(connections);
		account.follow(account.connection());
		connections.replace();
		assert.deepEqual([without.heard, heard], [[], ['watches', 'closed']]);
	});

	test('is let go of with the page, and what is followed afterwards at once', () => {
		const { owned, heard, account } = followed(fakeConnections(connected()));
		account.follow(account.connection());
		owned.dispose();
		account.follow(connected());
		assert.deepEqual(heard.slice(0, 2), ['watches', 'lets go']);
		assert.deepEqual(heard.slice(-2), ['watches', 'lets go']);
	});
});
