import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { forEachArea, type ContentArea } from '../../../src/forge/instance.ts';
import { openNet } from '../../../src/net.ts';
import { directTransport, systemClock } from '../../support/contractForge.ts';
import { makeInstance } from '../../support/makeSession.ts';

suite('an area that answers as one of another protocol', () => {
	for (const [status, isTold] of [
		[400, false],
		[401, false],
		[403, false],
		[404, true],
		[405, true],
		[410, true],
		[422, false],
	] as const) {
		test(`is ${isTold ? 'told' : 'not told'} of where it answers with the status ${status}`, async () => {
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
