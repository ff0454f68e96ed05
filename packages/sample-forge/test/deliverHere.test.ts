import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { sendHere } from '../src/webhooks/deliver.ts';

suite('Sample forge: receivers of webhooks', () => {
	test('a name with one address of another machine is refused, whatever its others are', async () => {
		const calls: string[] = [];
		const server = createServer((request, response) => {
			calls.push(String(request.url));
			response.end('done');
		});
		server.listen(0, '127.0.0.1');
		await once(server, 'listening');
		const address = server.address();
		const port = typeof address === 'object' ? address?.port : assert.fail();
		const own = { address: '127.0.0.1', family: 4 };
		const sent = (...found: readonly (typeof own)[]) =>
			sendHere({}, async () => [...found])(`http://twin.test:${port}/`, 'body', AbortSignal.timeout(60_000));
		try {
			for (const foreign of [
				{ address: '10.0.0.1', family: 4 },
				{ address: '192.0.2.1', family: 4 },
				{ address: '2001:db8::1', family: 6 },
				{ address: '0.0.0.0', family: 4 },
			]) {
				await assert.rejects(sent(own, foreign), /another machine/, foreign.address);
				await assert.rejects(sent(foreign, own), /another machine/, foreign.address);
			}
			assert.deepEqual(calls, []);
			assert.equal((await sent(own, { address: '::1', family: 6 })).reply.body, 'done');
		} finally {
			server.close();
		}
	});
});
