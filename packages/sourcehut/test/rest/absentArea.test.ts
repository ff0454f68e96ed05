import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { forEachArea, type ContentArea } from '../../src/port/instance.ts';
import { openNet } from '../../src/net.ts';
import { directTransport, systemClock } from '../../../../test/support/contractForge.ts';
import { makeInstance } from '../../../../test/support/makeSession.ts';

suite('area that may use another protocol', () => {
	for (const [status, isTold] of [
		[400, false],
		[401, false],
		[403, false],
		[404, true],
		[405, true],
		[410, true],
		[422, false],
	] as const) {
		test(`is ${isTold ? 'reported' : 'not reported'} as absent after status ${status}`, async () => {
			const server = createServer((_, response) => response.writeHead(status).end()).listen(0, '127.0.0.1');
			await once(server, 'listening');
			const address = server.address();
			const port = typeof address === 'object' ? address?.port : undefined;
			const absent: ContentArea[] = [];
			const net = openNet({ transport: directTransport, clock: systemClock, random: () => 0 });
			try {
				const areas = forEachArea((area) => `http://127.0.0.1:${area === 'lists' ? port : 1}`);
				const forge = net.connectForge({
					instance: makeInstance({ areas }),
					me: '~alice',
					tokenFor: () => 'secret',
					absent: (area) => absent.push(area),
				});
				await assert.rejects(forge.lists.list({ owner: '~alice', name: 'devel' }, new AbortController().signal));
				assert.deepEqual(new Set(absent), new Set(isTold ? ['lists'] : []));
			} finally {
				await net.close();
				server.close();
			}
		});
	}
});

suite('forge with services of different versions', () => {
	test('uses the protocol of each service', async () => {
		const asked: string[] = [];
		const server = createServer(({ url }, response) => {
			asked.push(url ?? '');
			response.writeHead(404).end();
		}).listen(0, '127.0.0.1');
		await once(server, 'listening');
		const address = server.address();
		const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
		const net = openNet({ transport: directTransport, clock: systemClock, random: () => 0 });
		try {
			const instance = {
				...makeInstance({ areas: forEachArea(() => origin) }),
				protocols: { todo: 'rest', lists: 'graphql', git: 'rest' } as const,
			};
			const forge = net.connectForge({ instance, me: '~alice', tokenFor: () => 'secret' });
			const { signal } = new AbortController();
			const ref = { owner: '~alice', name: 'devel' };
			await assert.rejects(forge.lists.list(ref, signal));
			assert.deepEqual(new Set(asked.splice(0)), new Set(['/query']));
			await assert.rejects(forge.trackers.tracker(ref, signal));
			await assert.rejects(forge.repositories.repository(ref, signal));
			assert.ok(asked.length > 1 && asked.every((path) => path.startsWith('/api/')), asked.join(' '));
		} finally {
			await net.close();
			server.close();
		}
	});
});
