import assert from 'node:assert/strict';
import { receiveRedirect } from '../../src/identity/redirectReceiver.ts';
import { exchange, statusOf } from '../../../../test/support/hookSender.ts';
import { listens } from '../../../../test/support/listens.ts';

const reader = { read: () => assert.fail('Nobody calls back'), spend: () => undefined };
const pages = { title: 't', goBack: 'b', notExpected: 'n', perhapsRefused: 'p', language: 'en' };

suite('sign-in redirect receiver', () => {
	test('listens only on the loopback address in the redirect URI', async () => {
		using receiver = await receiveRedirect(0, reader, pages, () => undefined).then((door) =>
			Object.assign(door, { [Symbol.dispose]: () => door.dispose() }),
		);
		const port = Number(new URL(receiver.address).port);
		// Another address of this machine; a listener on all addresses would accept it too.
		assert.deepEqual([await listens('127.0.0.1', port), await listens('127.0.0.2', port)], [true, false]);
	});

	test('rejects requests with two Host headers or none', async () => {
		const receiver = await receiveRedirect(0, reader, pages, () => undefined);
		try {
			const { host, port, pathname } = new URL(receiver.address);
			const calls = [['Host: evil.example'], [`Host: ${host}`, 'Host: evil.example'], []];
			const statuses = [];
			for (const lines of calls) {
				const bytes = `${[`GET ${pathname}?code=1234 HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n`;
				statuses.push(statusOf(await exchange(Number(port), bytes)));
			}
			assert.deepEqual(statuses, [403, 403, 403]);
		} finally {
			receiver.dispose();
		}
	});
});
