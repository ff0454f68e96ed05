import assert from 'node:assert/strict';
import { createHookPath, ownHookPaths } from '../../../../src/machine/listener/hookPath.ts';
import { eventually } from '../../../support/eventually.ts';
import {
	deliveryBytes,
	deliveryHead,
	exchange,
	hookPath,
	makeSigner,
	sentBody,
	statusOf,
	type SentDelivery,
} from '../../../support/hookSender.ts';
import { openedListener, type OpenedListener } from '../../../support/openedListener.ts';

type Change = Omit<SentDelivery, 'host'> & { readonly host?: string };

const otherPath = `/${'x'.repeat(43)}`;

/** Differences from a delivery of the forge, with the reason for the refusal; `undefined` if accepted. */
const combinations: readonly (readonly [what: string, change: Change, refusal?: string])[] = [
	['as a forge sends it', {}],
	['type with a charset', { headers: { 'Content-Type': 'application/json; charset=utf-8' } }],
	['type with a quoted charset', { headers: { 'Content-Type': 'application/json;charset="UTF-8"' } }],
	['type in capitals', { headers: { 'Content-Type': 'Application/JSON' } }],
	['type of a form', { headers: { 'Content-Type': 'application/x-www-form-urlencoded' } }],
	['type of a form with files', { headers: { 'Content-Type': 'multipart/form-data; boundary=x' } }],
	['type of plain text', { headers: { 'Content-Type': 'text/plain' } }],
	['type that holds the right one', { headers: { 'Content-Type': 'text/plain; application/json' } }],
	['type with another parameter', { headers: { 'Content-Type': 'application/json; boundary=x' } }],
	['type that begins alike', { headers: { 'Content-Type': 'application/jsonp' } }],
	['no type', { headers: { 'Content-Type': undefined } }],
	['two types', { lines: ['Content-Type: application/json'] }],
	['packed', { headers: { 'Content-Encoding': 'gzip' } }],
	['origin of a page', { headers: { Origin: 'https://evil.example' } }],
	['origin without a name', { headers: { Origin: 'null' } }],
	['empty origin', { headers: { Origin: '' } }],
	['our own origin', { headers: { Origin: 'http://127.0.0.1' } }],
	['fetched across sites', { headers: { 'Sec-Fetch-Site': 'cross-site' } }],
	['fetched on the same site', { headers: { 'Sec-Fetch-Site': 'same-site' } }],
	['fetched from the same origin', { headers: { 'Sec-Fetch-Site': 'same-origin' } }],
	['fetched by the user', { headers: { 'Sec-Fetch-Site': 'none' } }],
	['fetched by the user, and across sites', { lines: ['Sec-Fetch-Site: none', 'Sec-Fetch-Site: cross-site'] }],
	['rebound name with the right port', { host: 'evil.example:PORT' }],
	['rebound name without a port', { host: 'evil.example' }],
	['address without its port', { host: '127.0.0.1' }],
	['address with another port', { host: '127.0.0.1:1' }],
	// Port forwarding of the editor and dev tunnels use these names. No foreign page can have one.
	['localhost', { host: 'localhost:PORT' }],
	['localhost in capitals', { host: 'LocalHost:PORT' }],
	['the loopback of IPv6', { host: '[::1]:PORT' }],
	['localhost without its port', { host: 'localhost' }],
	['localhost with another port', { host: 'localhost:1' }],
	['name below localhost', { host: 'evil.localhost:PORT' }],
	['localhost, from a page of another port', { host: 'localhost:PORT', headers: { Origin: 'http://localhost:3000' } }],
	['localhost, fetched on the same site', { host: 'localhost:PORT', headers: { 'Sec-Fetch-Site': 'same-site' } }],
	['name that ends alike', { host: 'evil.127.0.0.1:PORT' }],
	['no host', { headers: { Host: undefined } }],
	['two hosts, the right one first', { lines: ['Host: evil.example'] }],
	['two hosts that are the same', { lines: ['Host: 127.0.0.1:PORT'] }],
	['name of a tunnel', { host: 'tunnel.example' }],
	['name of a tunnel in capitals', { host: 'Tunnel.Example' }],
	['name below the tunnel', { host: 'a.tunnel.example' }],
	['GET', { start: `GET ${hookPath} HTTP/1.1` }],
	['PUT', { start: `PUT ${hookPath} HTTP/1.1` }],
	['OPTIONS', { start: `OPTIONS ${hookPath} HTTP/1.1`, headers: { 'Access-Control-Request-Method': 'POST' } }],
	['another path', { path: otherPath }],
	['the root', { path: '/' }],
	['a step back', { path: `/x/..${hookPath}` }],
	['encoded letters', { path: hookPath.replace('h', '%68') }],
	['a query', { path: `${hookPath}?a` }],
	['a slash more', { path: `${hookPath}/` }],
	['a whole address', { path: `http://127.0.0.1${hookPath}` }],
	['no event', { headers: { 'X-Webhook-Event': undefined } }],
	['two events', { lines: ['X-Webhook-Event: ticket:create'] }],
	['an event with spaces', { event: 'ticket create' }],
	['no delivery id', { headers: { 'X-Webhook-Delivery': undefined } }],
	['an endless delivery id', { id: 'a'.repeat(65) }],
	['another expectation', { headers: { Expect: 'a-miracle' } }],
];

const taken = new Set([
	'as a forge sends it',
	'type with a charset',
	'type with a quoted charset',
	'type in capitals',
	'fetched by the user',
	'localhost',
	'localhost in capitals',
	'the loopback of IPv6',
	'name of a tunnel',
	'name of a tunnel in capitals',
]);

suite('webhook listener requests', () => {
	let opened: OpenedListener;

	setup(async () => {
		opened = await openedListener({ hosts: () => ['tunnel.example'] });
	});

	teardown(() => {
		opened[Symbol.dispose]();
	});

	const send = async (change: Change): Promise<string> => {
		const fill = (text: string): string => text.replace('PORT', String(opened.port));
		return await exchange(
			opened.port,
			deliveryBytes({
				...change,
				host: fill(change.host ?? opened.host),
				...(change.lines === undefined ? {} : { lines: change.lines.map(fill) }),
			}),
		);
	};

	for (const [what, change] of combinations) {
		test(`${what}: ${taken.has(what) ? 'taken' : 'refused'}`, async () => {
			const answer = await send(change);
			assert.equal(statusOf(answer), taken.has(what) ? 204 : 404);
			await eventually(() => Promise.resolve(opened.deliveries().length), taken.has(what) ? 1 : 0);
		});
	}

	test('refused requests all get the same bytes, and no response identifies the server', async () => {
		const refusals = new Set<string>();
		for (const [what, change] of combinations.filter(([what]) => !taken.has(what))) {
			const answer = await send(change);
			assert.notEqual(answer, '', what);
			refusals.add(answer);
		}
		const good = await send({});
		assert.deepEqual(
			[[...refusals], good],
			[
				['HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'],
				'HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n',
			],
		);
	});

	test('the listener answers a request with another host name only if the path’s hook wants it', async () => {
		using asked = await openedListener({ misnamed: (path, host) => (path === hookPath ? `by ${host}` : undefined) });
		const call = (change: Change): Promise<string> =>
			exchange(asked.port, deliveryBytes({ host: 'Other:80', ...change }));
		assert.match(await call({}), /^HTTP\/1\.1 200 OK\r\n[^]*\r\n\r\nby other:80$/);
		const others = [
			{ path: otherPath },
			{ path: '/' },
			{ headers: { Host: undefined } },
			{ lines: ['Host: Other:80'] },
		];
		for (const change of others) {
			assert.equal(statusOf(await call(change)), 404);
		}
		assert.deepEqual([asked.refused('host'), asked.arrivals.length], [others.length, 0]);
	});

	test('a wrong signature gets the same refusal', async () => {
		using keyed = await openedListener({ publicKey: makeSigner().publicKey });
		const { host, port } = keyed;
		const forged = await exchange(port, deliveryBytes({ host, signer: makeSigner() }));
		assert.deepEqual([forged, keyed.refused('forged')], [await send({ path: otherPath }), 1]);
	});

	test('the listener passes on path, event, id and body unchanged', async () => {
		await send({ event: 'list:update', id: 'abc-1', body: Buffer.from('{"ü": 1}') });
		await eventually(() => Promise.resolve(opened.deliveries().length), 1);
		const [delivery] = opened.deliveries();
		assert.deepEqual(
			{ ...delivery, body: String(Buffer.from(delivery?.body ?? [])) },
			{ path: hookPath, event: 'list:update', id: 'abc-1', body: '{"ü": 1}' },
		);
	});

	test('the listener accepts a chunked body, even in chunks of one byte', async () => {
		const head = deliveryHead({
			host: opened.host,
			headers: { 'Content-Length': undefined, 'Transfer-Encoding': 'chunked' },
		});
		const chunks = Array.from(sentBody, (byte) => `1\r\n${String.fromCharCode(byte)}\r\n`).join('');
		assert.equal(statusOf(await exchange(opened.port, `${head}${chunks}0\r\n\r\n`)), 204);
		await eventually(() => Promise.resolve(opened.deliveries().map(({ body }) => Buffer.from(body))), [sentBody]);
	});

	test('the listener refuses oversized chunked bodies before they end', async () => {
		using small = await openedListener({ limits: { bodyBytes: 100 } });
		const head = deliveryHead({
			host: small.host,
			headers: { 'Content-Length': undefined, 'Transfer-Encoding': 'chunked' },
		});
		const answer = await exchange(small.port, `${head}65\r\n${'x'.repeat(101)}\r\n`);
		assert.deepEqual([statusOf(answer), small.refused('tooLarge'), small.arrivals], [404, 1, []]);
	});

	test('the listener refuses an oversized Content-Length before the body', async () => {
		const head = deliveryHead({ host: opened.host, headers: { 'Content-Length': String(1024 * 1024 + 1) } });
		assert.deepEqual([statusOf(await exchange(opened.port, head)), opened.refused('tooLarge')], [404, 1]);
	});

	test('a short Content-Length truncates the body, and the rest is no second request', async () => {
		const signer = makeSigner();
		using keyed = await openedListener({ publicKey: signer.publicKey });
		const { host, port } = keyed;
		await exchange(port, deliveryBytes({ host, signer, headers: { 'Content-Length': '2' } }));
		await exchange(port, deliveryBytes({ host, signer, id: 'good' }));
		await eventually(() => Promise.resolve(keyed.deliveries().map(({ id }) => id)), ['good']);
	});

	test('a long Content-Length keeps the request waiting until it times out', async () => {
		using brief = await openedListener({ limits: { headersMs: 100, requestMs: 100, checkMs: 20 } });
		const answer = await exchange(brief.port, deliveryBytes({ host: brief.host, headers: { 'Content-Length': '99' } }));
		assert.deepEqual([answer, brief.arrivals], ['', []]);
	});

	for (const [what, headers] of [
		['two lengths', ['Content-Length: 3']],
		['a length and chunks', ['Transfer-Encoding: chunked']],
		['a folded header', ['X-A: b', ' c']],
		['a header without a name', [': b']],
	] as const) {
		test(`${what}: cut off without an answer`, async () => {
			assert.equal(await exchange(opened.port, deliveryBytes({ host: opened.host, lines: headers })), '');
			assert.deepEqual(opened.arrivals, []);
		});
	}

	for (const [what, bytes] of [
		['a greeting of TLS', Buffer.from('1603010200010001fc0303', 'hex')],
		['SSH', Buffer.from('SSH-2.0-OpenSSH_9.6\r\n')],
		['HTTP/2', Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')],
		['a tunnel', Buffer.from('CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example\r\n\r\n')],
		['headers of 9 KB', Buffer.from(`POST ${hookPath} HTTP/1.1\r\nX: ${'x'.repeat(9216)}\r\n\r\n`)],
	] as const) {
		test(`${what}: cut off without an answer`, async () => {
			assert.equal(await exchange(opened.port, bytes), '');
		});
	}

	test('HTTP/1.0 needs a Host header', async () => {
		const start = `POST ${hookPath} HTTP/1.0`;
		const without = await send({ start, headers: { Host: undefined } });
		assert.deepEqual([statusOf(without), statusOf(await send({ start }))], [404, 204]);
	});

	test('the listener sends 100 Continue only for valid headers', async () => {
		const expecting = { headers: { Expect: '100-continue' } };
		assert.deepEqual(
			[await send(expecting), await send({ ...expecting, path: otherPath })].map((answer) => answer.slice(0, 12)),
			['HTTP/1.1 100', 'HTTP/1.1 404'],
		);
		await eventually(() => Promise.resolve(opened.deliveries().length), 1);
	});

	test('the listener ignores an upgrade', async () => {
		const answer = await send({ headers: { Connection: 'Upgrade', Upgrade: 'websocket' } });
		assert.equal(statusOf(answer), 204);
	});

	test('only the first of two pipelined requests counts', async () => {
		const both = [deliveryBytes({ host: opened.host, id: 'a' }), deliveryBytes({ host: opened.host, id: 'b' })];
		await exchange(opened.port, Buffer.concat(both));
		await exchange(opened.port, deliveryBytes({ host: opened.host, id: 'c' }));
		await eventually(() => Promise.resolve(opened.deliveries().map(({ id }) => id)), ['a', 'c']);
	});
});

suite('hook paths', () => {
	test('share a prefix per owner, stay secret, and never match another owner', () => {
		let next = 0;
		const pathsOf = (owner: string): ReturnType<typeof ownHookPaths> =>
			ownHookPaths(owner, (size) => new Uint8Array(size).fill(next++));
		const [mine, theirs] = [pathsOf('one'), pathsOf('other')];
		const made = Array.from({ length: 4 }, () => mine.create());
		assert.equal(new Set(made).size, 4);
		assert.equal(new Set(made.map((path) => path.slice(0, 9))).size, 1);
		// 35 letters of 6 bits.
		assert.equal(new Set(made.map((path) => path.slice(9))).size, 4);
		assert.ok(made.every((path) => /^\/[\w-]{43}$/.test(path) && mine.isPath(path) && !theirs.isPath(path)));
		assert.ok(!mine.isPath(theirs.create()) && !mine.isPath(`${made[0]}/more`));
	});

	test('have 256 bits and are unique', () => {
		let next = 0;
		const made = Array.from({ length: 3 }, () => createHookPath((size) => new Uint8Array(size).fill(next++)));
		assert.equal(new Set(made).size, 3);
		assert.ok(
			made.every((path) => /^\/[\w-]{43}$/.test(path)),
			made.join(),
		);
	});
});
