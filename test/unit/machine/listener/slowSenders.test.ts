import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import * as v from 'valibot';
import { nextTurn } from '@forge-desk/base/timeSlice.ts';
import { openConnections } from '../../../../src/machine/listener/connections.ts';
import { listenerLimits } from '../../../../src/machine/listener/openListener.ts';
import { eventually } from '../../../support/eventually.ts';
import { deliveryBytes, deliveryHead, exchange, statusOf } from '../../../support/hookSender.ts';
import { openedListener, type OpenedListener } from '../../../support/openedListener.ts';

/** Open connections that close together on disposal. */
class HeldSockets implements Disposable {
	readonly all: Socket[] = [];

	/** Opens a connection that sends these bytes. */
	async add({ port }: OpenedListener, bytes: string | Uint8Array = ''): Promise<Socket> {
		const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
		this.all.push(socket);
		socket.on('error', () => undefined);
		socket.resume();
		await once(socket, 'connect');
		if (bytes.length > 0) {
			await new Promise<void>((resolve) => {
				socket.write(bytes, () => resolve());
			});
		}
		return socket;
	}

	/** Indexes of the connections that are still open. */
	get open(): readonly number[] {
		return this.all.flatMap((socket, place) => (isOver(socket) ? [] : [place]));
	}

	[Symbol.dispose](): void {
		this.all.forEach((socket) => socket.destroy());
	}
}

/** Whether the other side has ended or reset the connection. */
function isOver({ closed, readableEnded }: Socket): boolean {
	return closed || readableEnded;
}

/**
 * Resolves when the connection is over. The end event suffices: a half-open socket that has written everything gets no
 * reset event.
 */
function over(socket: Socket): Promise<void> {
	return new Promise((resolve) => {
		if (isOver(socket)) {
			resolve();
		} else {
			socket.once('end', () => resolve());
			socket.once('close', () => resolve());
		}
	});
}

function drained(socket: Socket): Promise<void> {
	return new Promise((resolve) => {
		socket.once('drain', () => resolve());
	});
}

async function isDelivered(opened: OpenedListener, wanted: string): Promise<void> {
	await eventually(async () => opened.deliveries().some(({ id }) => id === wanted), true);
}

/** Blocks this process, as another extension in the same host may do. */
function hangUp(ms: number): void {
	Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

const quick = { headersMs: 60, requestMs: 120, checkMs: 20 };

suite('slow senders', () => {
	for (const [what, bytes] of [
		['sends nothing', ''],
		['does not finish its headers', 'POST / HTTP/1.1\r\nHost: '],
	] as const) {
		test(`the listener disconnects a sender that ${what}`, async () => {
			using opened = await openedListener({ limits: quick });
			assert.equal(await exchange(opened.port, bytes), '');
		});
	}

	test('the listener disconnects an idle connection', async () => {
		using opened = await openedListener({ limits: quick });
		using held = new HeldSockets();
		await over(await held.add(opened));
		assert.deepEqual(opened.arrivals, []);
	});

	test('the listener disconnects a sender of trickling headers', async () => {
		using opened = await openedListener({ limits: quick });
		using held = new HeldSockets();
		const socket = await held.add(opened, 'POST / HTTP/1.1\r\nX: ');
		const drip = setInterval(() => socket.write('x'), 5);
		try {
			await over(socket);
		} finally {
			clearInterval(drip);
		}
		assert.deepEqual(opened.arrivals, []);
	});

	test('the listener disconnects a sender of a trickling body', async () => {
		using opened = await openedListener({ limits: quick });
		using held = new HeldSockets();
		const head = deliveryHead({ host: opened.host, headers: { 'Content-Length': '10000' } });
		const socket = await held.add(opened, head);
		const drip = setInterval(() => socket.write('x'), 5);
		try {
			await over(socket);
		} finally {
			clearInterval(drip);
		}
		assert.deepEqual(opened.arrivals, []);
	});

	test('the listener disconnects a sender that ends its half within the body', async () => {
		using opened = await openedListener();
		using held = new HeldSockets();
		const head = deliveryHead({ host: opened.host, headers: { 'Content-Length': '10000' } });
		const socket = await held.add(opened, head);
		socket.end();
		await over(socket);
		assert.deepEqual(opened.arrivals, []);
	});

	test('a sender that ends its half after the body gets a response', async () => {
		using opened = await openedListener();
		using held = new HeldSockets();
		const socket = await held.add(opened);
		socket.end(deliveryBytes({ host: opened.host }));
		await over(socket);
		await eventually(() => Promise.resolve(opened.deliveries().length), 1);
	});

	test('the connection closes after a good delivery, whatever it requested', async () => {
		using opened = await openedListener();
		using held = new HeldSockets();
		const socket = await held.add(opened, deliveryBytes({ host: opened.host }));
		await once(socket, 'end');
	});

	test('a new connection replaces the oldest one without a complete request', async () => {
		using opened = await openedListener({ limits: { connections: 3 } });
		using held = new HeldSockets();
		await held.add(opened);
		await held.add(opened, deliveryHead({ host: opened.host, headers: { 'Content-Length': '100' } }));
		await held.add(opened, 'POST');
		const kept: (readonly number[])[] = [];
		for (let count = 0; count < 4; count += 1) {
			const isOver = held.open[0]!;
			await held.add(opened, 'POST');
			await eventually(() => Promise.resolve(held.open.includes(isOver)), false);
			kept.push(held.open);
		}
		assert.deepEqual(kept, [
			[1, 2, 3],
			[2, 3, 4],
			[3, 4, 5],
			[4, 5, 6],
		]);
	});

	test('the listener reads pending data before it enforces a time limit', async () => {
		using opened = await openedListener({ limits: quick });
		using held = new HeldSockets();
		const good = await held.add(opened);
		const slow = await held.add(opened, 'POST');
		// By then the listener has accepted all connections and has read nothing from this one.
		assert.equal(statusOf(await exchange(opened.port, deliveryBytes({ host: opened.host }))), 204);
		const ended = once(slow, 'end');
		good.write(deliveryBytes({ host: opened.host, id: 'in-time' }));
		hangUp(quick.headersMs + quick.checkMs * 2);
		await ended;
		await isDelivered(opened, 'in-time');
	});

	test('the listener reads pending data before it drops a connection to make room', async () => {
		using opened = await openedListener({ limits: { connections: 2 } });
		using held = new HeldSockets();
		const good = await held.add(opened);
		assert.equal(statusOf(await exchange(opened.port, deliveryBytes({ host: opened.host }))), 204);
		const others = [1, 2, 3].map(() => held.add(opened));
		await nextTurn();
		// The listener accepts these connections first in the turn in which this data is readable.
		good.write(deliveryBytes({ host: opened.host, id: 'in-time' }));
		await Promise.all(others);
		await isDelivered(opened, 'in-time');
	});

	test('connections that wait for their responses are never dropped', async () => {
		const connections = openConnections({ connections: 1, heldBytes: 1000 });
		const sockets = [0, 1, 2, 3].map(() => new PassThrough());
		for (const socket of sockets.slice(1)) {
			connections.add(socket);
			connections.begin(socket);
			connections.complete(socket);
		}
		connections.add(sockets[0]!);
		for (let turn = 0; turn < 3; turn += 1) {
			await nextTurn();
		}
		assert.deepEqual(
			sockets.map(({ destroyed }) => destroyed),
			[false, false, false, false],
		);
	});

	test('200 slow senders do not block a good delivery', async () => {
		using opened = await openedListener({ limits: { connections: 20 } });
		using held = new HeldSockets();
		const host = opened.host;
		const slow = ['', 'POST / HTTP/1.1\r\nX:', deliveryHead({ host, headers: { 'Content-Length': '5000' } })];
		const statuses: number[] = [];
		for (let count = 0; count < 200; count += 1) {
			await held.add(opened, slow[count % slow.length]);
			if (count % 20 === 19) {
				statuses.push(statusOf(await exchange(opened.port, deliveryBytes({ host }))));
			}
		}
		assert.deepEqual(
			statuses,
			Array.from({ length: 10 }, () => 204),
		);
		await eventually(() => Promise.resolve([opened.deliveries().length, held.open.length <= 20]), [10, true]);
	});

	test('a delivery in progress survives 200 slow senders', async () => {
		using opened = await openedListener();
		using held = new HeldSockets();
		const good = await held.add(opened);
		for (let count = 0; count < 200; count += 1) {
			await held.add(opened, 'POST');
		}
		good.write(deliveryBytes({ host: opened.host }));
		await eventually(() => Promise.resolve(opened.deliveries().length), 1);
	});

	test('unfinished bodies share a memory limit, and the oldest one makes room', async () => {
		using opened = await openedListener({ limits: { heldBytes: 300_000 } });
		using held = new HeldSockets();
		const head = deliveryHead({ host: opened.host, headers: { 'Content-Length': '200000' } });
		const part = Buffer.concat([Buffer.from(head), Buffer.alloc(100_000, 'x')]);
		await held.add(opened, 'POST');
		const kept: (readonly number[])[] = [];
		for (let count = 0; count < 5; count += 1) {
			const isOver = count < 3 ? -1 : held.open[1]!;
			await held.add(opened, part);
			await eventually(() => Promise.resolve(held.open.includes(isOver)), false);
			kept.push(held.open);
		}
		assert.deepEqual(kept, [
			[0, 1],
			[0, 1, 2],
			[0, 1, 2, 3],
			[0, 2, 3, 4],
			[0, 3, 4, 5],
		]);
	});

	test('the memory of a connection is free again after it ends', async () => {
		using opened = await openedListener({ limits: { heldBytes: 1000 } });
		for (let count = 0; count < 5; count += 1) {
			const body = Buffer.alloc(900, 'x');
			assert.equal(statusOf(await exchange(opened.port, deliveryBytes({ host: opened.host, body }))), 204);
		}
	});

	test('200 simultaneous senders do not block a good delivery', async () => {
		using opened = await openedListener();
		using held = new HeldSockets();
		const slow = Array.from({ length: 200 }, () => held.add(opened, 'POST'));
		const good = exchange(opened.port, deliveryBytes({ host: opened.host }));
		await Promise.all(slow);
		assert.equal(statusOf(await good), 204);
	});

	test('the listener refuses a body of a gigabyte at the limit and keeps memory low', async () => {
		using opened = await openedListener();
		using held = new HeldSockets();
		const headers = { 'Content-Length': undefined, 'Transfer-Encoding': 'chunked' };
		const socket = await held.add(opened, deliveryHead({ host: opened.host, headers }));
		const chunk = Buffer.concat([Buffer.from('10000\r\n'), Buffer.alloc(65_536, 'x'), Buffer.from('\r\n')]);
		const before = process.memoryUsage().arrayBuffers;
		const ended = over(socket);
		let sent = 0;
		let most = 0;
		while (sent < 2 ** 30 && !isOver(socket) && !socket.destroyed) {
			if (!socket.write(chunk)) {
				await Promise.race([drained(socket), ended]);
			}
			sent += 65_536;
			most = Math.max(most, process.memoryUsage().arrayBuffers - before);
		}
		await eventually(() => Promise.resolve(opened.refused('tooLarge')), 1);
		assert.ok(sent < 64 * 2 ** 20, `it took ${sent} bytes`);
		assert.ok(most < 64 * 2 ** 20, `it grew by ${most} bytes`);
		assert.deepEqual(opened.arrivals, []);
	});

	test('the listener reads nothing more of a refused body', async () => {
		using opened = await openedListener();
		using held = new HeldSockets();
		const ended = Promise.withResolvers<void>();
		let readBytes = 0;
		const count = (message: unknown): void => {
			const { request } = v.parse(v.object({ request: v.instance(IncomingMessage) }), message);
			request.on('data', (chunk: Buffer) => (readBytes += chunk.byteLength));
			request.socket.once('close', () => ended.resolve());
		};
		subscribe('http.server.request.start', count);
		try {
			const headers = { 'Content-Length': undefined, 'Transfer-Encoding': 'chunked' };
			const socket = await held.add(opened, deliveryHead({ host: opened.host, headers }));
			const chunk = Buffer.concat([Buffer.from('10000\r\n'), Buffer.alloc(65_536, 'x'), Buffer.from('\r\n')]);
			// The whole body is pending before the listener reads the first piece.
			socket.write(Buffer.concat(Array.from({ length: 64 }, () => chunk)));
			await ended.promise;
		} finally {
			unsubscribe('http.server.request.start', count);
		}
		assert.equal(opened.refused('tooLarge'), 1);
		const { bodyBytes } = listenerLimits;
		assert.ok(readBytes > bodyBytes && readBytes <= bodyBytes + 65_536, `it read ${readBytes} bytes`);
	});

	test('the listener refuses too many chunks of one byte long before their end', async () => {
		using opened = await openedListener();
		using held = new HeldSockets();
		const headers = { 'Content-Length': undefined, 'Transfer-Encoding': 'chunked' };
		const socket = await held.add(opened, deliveryHead({ host: opened.host, headers }));
		socket.write('1\r\nx\r\n'.repeat(2 ** 20));
		await over(socket);
		assert.deepEqual([opened.refused('tooLarge'), opened.arrivals], [1, []]);
	});
});
