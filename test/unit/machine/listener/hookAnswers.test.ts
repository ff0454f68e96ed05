import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { hostsOf } from 'sourcehut/identity/loopbackServer.ts';
import { openListener } from '../../../../src/machine/listener/openListener.ts';
import type { Arrival } from '../../../../src/store/listening/openedListener.ts';
import { eventually } from '../../../support/eventually.ts';
import { deliveryBytes, exchange, hookPath, statusOf, type SentDelivery } from '../../../support/hookSender.ts';
import { listenerOptions, openedListener, type OpenedListener } from '../../../support/openedListener.ts';
import { listens } from '../../../support/listens.ts';
import { quietLog } from '../../../support/quietLog.ts';

function send({ host, port }: OpenedListener, delivery: Omit<SentDelivery, 'host'> = {}): Promise<string> {
	return exchange(port, deliveryBytes({ host, ...delivery }));
}

/** Body of a response, decoded as UTF-8. */
function textOf(answer: string): string {
	return Buffer.from(answer.slice(answer.indexOf('\r\n\r\n') + 4), 'latin1').toString();
}

suite('webhook listener responses', () => {
	test('send the text of a path as plain text', async () => {
		using opened = await openedListener({ answer: (path) => `${path} – grüße\n` });
		const answer = await send(opened);
		assert.equal(statusOf(answer), 200);
		assert.match(answer, /^Content-Type: text\/plain; charset=utf-8\r$/m);
		assert.equal(textOf(answer), `${hookPath} – grüße\n`);
	});

	test('are empty for a delivery, which the listener accepts', async () => {
		using opened = await openedListener({ answer: () => undefined });
		assert.equal(statusOf(await send(opened)), 204);
		await eventually(() => Promise.resolve(opened.deliveries().length), 1);
	});

	test('leave before the listener passes the delivery on', async () => {
		const told: string[] = [];
		using opened = await openedListener({
			answer() {
				told.push('answered');
				return undefined;
			},
			received: () => void told.push('received'),
		});
		const answer = send(opened).then(() => told.push('closed'));
		await answer;
		await eventually(() => Promise.resolve(told.toSorted()), ['answered', 'closed', 'received']);
		assert.equal(told[0], 'answered');
	});
});

suite('webhook listener queue', () => {
	test('passes arrivals on one at a time, even after one fails', async () => {
		const held = Promise.withResolvers<void>();
		const ids: string[] = [];
		const logged: string[] = [];
		using opened = await openedListener({
			log: quietLog({ error: (line) => void logged.push(line) }),
			async received(arrival) {
				ids.push(arrival.kind === 'delivery' ? arrival.delivery.id : 'many');
				if (ids.length === 1) {
					await held.promise;
					throw new Error('the disk is full');
				}
			},
		});
		for (const id of ['a', 'b', 'c']) {
			await send(opened, { id });
		}
		assert.deepEqual(ids, ['a']);
		held.resolve();
		await eventually(() => Promise.resolve(ids), ['a', 'b', 'c']);
		assert.deepEqual(logged, ['A webhook delivery was not taken in: the disk is full']);
	});

	test('merges the overflow of a flood into one arrival per hook and answers each delivery', async () => {
		const held = Promise.withResolvers<void>();
		const arrivals: Arrival[] = [];
		const otherPath = `/${'o'.repeat(43)}`;
		using opened = await openedListener({
			hookAt: (path) => (path === hookPath || path === otherPath ? { publicKey: undefined } : undefined),
			limits: { waiting: 3 },
			async received(arrival) {
				arrivals.push(arrival);
				await held.promise;
			},
		});
		const statuses = new Set<number>();
		for (let count = 0; count < 100; count += 1) {
			const path = count % 2 === 0 ? hookPath : otherPath;
			statuses.add(statusOf(await send(opened, { id: `d${count}`, path })));
		}
		held.resolve();
		await eventually(
			() => Promise.resolve(arrivals.map((each) => (each.kind === 'many' ? each.path : each.delivery.id))),
			['d0', 'd1', 'd2', 'd3', hookPath, otherPath],
		);
		assert.deepEqual([...statuses], [204]);
	});

	test('limits the memory of waiting bodies', async () => {
		const held = Promise.withResolvers<void>();
		const kinds: string[] = [];
		using opened = await openedListener({
			limits: { waitingBytes: 1000 },
			async received({ kind }) {
				kinds.push(kind);
				await held.promise;
			},
		});
		for (let count = 0; count < 10; count += 1) {
			await send(opened, { body: Buffer.alloc(400, 'x') });
		}
		held.resolve();
		await eventually(() => Promise.resolve(kinds), ['delivery', 'delivery', 'delivery', 'many']);
	});

	test('passes single deliveries on again after a flood', async () => {
		const ids: (string | undefined)[] = [];
		let held = Promise.withResolvers<void>();
		using opened = await openedListener({
			limits: { waiting: 1 },
			async received(arrival) {
				ids.push(arrival.kind === 'delivery' ? arrival.delivery.id : undefined);
				await held.promise;
			},
		});
		for (const id of ['a', 'b', 'c', 'd']) {
			await send(opened, { id });
		}
		held.resolve();
		await eventually(() => Promise.resolve(ids), ['a', 'b', undefined]);
		held = Promise.withResolvers<void>();
		held.resolve();
		await send(opened, { id: 'e' });
		await eventually(() => Promise.resolve(ids), ['a', 'b', undefined, 'e']);
	});
});

suite('webhook listener life cycle', () => {
	const never = new AbortController().signal;
	const parts = listenerOptions();
	const seen = { read: () => [], add: () => undefined };
	const log = quietLog();

	test('reports a taken port and opens it when it is free again', async () => {
		const first = await openedListener();
		const again = { ...parts, port: first.port };
		assert.deepEqual(await openListener(again, seen, log, never), { kind: 'portTaken' });
		first[Symbol.dispose]();
		await eventually(async () => {
			const opening = await openListener(again, seen, log, never);
			if (opening.kind === 'open') {
				opening.listener.dispose();
			}
			return opening.kind;
		}, 'open');
	});

	test('reports an address that the machine does not have', async () => {
		const opening = await openListener({ ...parts, address: '192.0.2.1' }, seen, log, never);
		assert.deepEqual(opening, { kind: 'placeRefused', code: 'EADDRNOTAVAIL' });
	});

	test('listens on the loopback address only', async () => {
		using opened = await openedListener();
		// Another loopback address; a listener on all interfaces would respond there too.
		assert.deepEqual([await listens('127.0.0.1', opened.port), await listens('127.0.0.2', opened.port)], [true, false]);
	});

	test('accepts its own address as host name, with brackets for IPv6', async () => {
		const opening = await openListener({ ...parts, address: '::1' }, seen, log, never);
		assert.ok(opening.kind === 'open');
		const { listener } = opening;
		try {
			const socket = connect(listener.port, '::1');
			let came = '';
			socket.on('data', (chunk) => (came += String(chunk)));
			socket.write(deliveryBytes({ host: `[::1]:${listener.port}` }));
			await once(socket, 'close');
			assert.equal(statusOf(came), 204);
		} finally {
			listener.dispose();
		}
	});

	test('accepts only loopback names when it listens on every address', async () => {
		using opened = await openedListener({ address: '0.0.0.0' });
		const { port } = opened;
		const statuses = [];
		for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `0.0.0.0:${port}`, `127.0.0.2:${port}`]) {
			statuses.push(statusOf(await exchange(port, deliveryBytes({ host }))));
		}
		assert.deepEqual(statuses, [204, 204, 404, 404]);
	});

	test('accepts only its own address as host on a network address', () => {
		assert.deepEqual(hostsOf('192.0.2.1', 4711), ['192.0.2.1:4711']);
		assert.deepEqual(hostsOf('2001:db8::1', 4711), ['[2001:db8::1]:4711']);
	});

	test('does not open after an abort', async () => {
		await assert.rejects(openListener(parts, seen, log, AbortSignal.abort(new Error('called off'))), /called off/);
		const abort = new AbortController();
		const opening = openListener(parts, seen, log, abort.signal);
		abort.abort(new Error('called off later'));
		await assert.rejects(opening, /called off later/);
	});

	test('closes every connection on dispose and passes nothing on afterwards', async () => {
		const handed: string[] = [];
		const opened = await openedListener({
			received(arrival) {
				handed.push(arrival.kind);
				opened[Symbol.dispose]();
			},
		});
		const silent = exchange(opened.port, '');
		await Promise.all([send(opened, { id: 'a' }), send(opened, { id: 'b' }), send(opened, { id: 'c' })]);
		assert.deepEqual([await silent, handed], ['', ['delivery']]);
		assert.equal(await listens('127.0.0.1', opened.port), false);
	});

	test('logs the first, tenth and hundredth refusal of a kind without any header', async () => {
		const logged: string[] = [];
		using opened = await openedListener({ log: quietLog({ warn: (line) => void logged.push(line) }) });
		for (let count = 0; count < 11; count += 1) {
			await send(opened, { path: '/secret' });
		}
		assert.deepEqual(logged, [
			'Refused by the webhook listener (path): 1',
			'Refused by the webhook listener (path): 10',
		]);
	});
});
