import assert from 'node:assert/strict';
import type { WorkerJson } from '@forge-desk/base/workerJson.ts';
import { everywhere } from '../../src/port/instance.ts';
import { openNet } from '../../src/net.ts';
import { directTransport, systemClock } from '../../../../test/support/contractForge.ts';
import { sampleInstance } from '../../../../test/support/fakeConnection.ts';
import { startLocalServer } from '../../../../test/support/localServer.ts';

const mebibyte = 1024 * 1024;
const never = new AbortController().signal;
const ref = { owner: '~alice', name: 'large' } as const;
const nameOf = (at: number): string => String(at).padStart(40, '0');

suite('large responses in the parse queue', () => {
	test('hold back further ones, and all are read in the end', async () => {
		const bodyBytes = 6 * mebibyte;
		const server = await startLocalServer((request, response) => {
			if (request.url?.includes('small')) {
				response.end('small');
				return;
			}
			response.setHeader('Content-Type', 'application/json').end(Buffer.alloc(bodyBytes, ' '));
		});
		const turn = Promise.withResolvers<void>();
		const begun = Promise.withResolvers<void>();
		let waiting = 0;
		const workerJson: WorkerJson = {
			async *read() {
				waiting += 1;
				begun.resolve();
				await turn.promise;
				yield { kind: 'around', value: { id: nameOf(1), short_id: '0', entries: [] } };
			},
		};
		const net = openNet({
			transport: { ...directTransport, callsInFlight: 16 },
			clock: systemClock,
			random: () => 0,
			workerJson,
		});
		try {
			const areas = { meta: server.origin, todo: server.origin, lists: server.origin, git: server.origin };
			const instance = { ...sampleInstance, areas };
			const forge = net.connectForge({ instance, me: ref.owner, tokenFor: () => 'token' });
			const trees = Promise.all(
				Array.from({ length: 8 }, (_, at) => forge.repositories.treeById(ref, nameOf(at), never)),
			);
			const small = (): Promise<unknown> =>
				net.request({ instance, area: 'git', method: 'GET', path: '/small', signal: never });
			await begun.promise;
			// A second complete response may still wait; small responses are not held back.
			for (let before = -1, rests = 0; rests < 20; rests = before === waiting ? rests + 1 : 0) {
				before = waiting;
				await small();
			}
			assert.ok(waiting <= 2, `${waiting} wait to be parsed`);
			turn.resolve();
			assert.equal((await trees).length, 8);
			assert.equal(waiting, 8);
		} finally {
			turn.resolve();
			await net.close();
			await server.stop();
		}
	});

	test('go to the worker in both protocols', async () => {
		const server = await startLocalServer((_, response) => {
			response.setHeader('Content-Type', 'application/json').end(Buffer.alloc(2 * mebibyte, ' '));
		});
		let handed = 0;
		const workerJson: WorkerJson = {
			async *read() {
				handed += 1;
				yield await Promise.resolve({ kind: 'tooMuch' } as const);
			},
		};
		const net = openNet({ transport: directTransport, clock: systemClock, random: () => 0, workerJson });
		try {
			const areas = { meta: server.origin, todo: server.origin, lists: server.origin, git: server.origin };
			for (const protocol of ['rest', 'graphql'] as const) {
				const instance = { ...sampleInstance, areas, protocols: everywhere(protocol) };
				const forge = net.connectForge({ instance, me: ref.owner, tokenFor: () => 'token' });
				await assert.rejects(forge.trackers.tracker(ref, never), {
					problem: { kind: 'notUnderstood', where: 'the answer', why: 'the answer is more than can be read' },
				});
			}
			assert.equal(handed, 2);
		} finally {
			await net.close();
			await server.stop();
		}
	});
});
