import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { askGraphql } from '../../../test/support/askGraphql.ts';
import { eventually } from '../../../test/support/eventually.ts';
import type { RawAnswer, SampleForge } from '../../../test/support/sampleForge.ts';
import { sharedForge } from '../../../test/support/sharedForge.ts';

suite('Sample forge: injected faults', () => {
	let forge: SampleForge;

	suiteSetup(async () => {
		forge = await sharedForge('field');
	});

	teardown(async () => {
		await forge.clearFaults();
	});

	const path = '/api/trackers/lantern/tickets/1';
	const get = async (): ReturnType<SampleForge['call']> => await forge.call('todo', 'GET', path);

	test('a status fault answers matching requests the given number of times', async () => {
		const fault = { kind: 'status', status: 429, headers: { 'Retry-After': '7' }, body: '{}' } as const;
		await forge.fault({ area: 'todo', method: 'GET', path: 'tickets/1$' }, fault, 2);
		assert.equal((await forge.call('todo', 'GET', '/api/trackers/lantern/tickets/2')).status, 200);
		for (let n = 0; n < 2; n++) {
			const answer = await get();
			assert.deepEqual([answer.status, answer.headers.get('retry-after')], [429, '7']);
		}
		assert.equal((await get()).status, 200);
	});

	test('a reset happens before or after the write, in the middle of the body, or after the last byte', async () => {
		for (const at of ['headers', 'applied', 'middle', 'end'] as const) {
			await forge.fault({ method: 'PUT' }, { kind: 'reset', at });
			await assert.rejects(forge.call('todo', 'PUT', path, { body: { comment: `reset at ${at}` } }), at);
		}
		const events = await forge.call('todo', 'GET', `${path}/events`);
		const said = [0, 1, 2, 3].map((at) => String(events.at('results', at, 'comment', 'text')));
		const heard = said.filter((text) => text.startsWith('reset at'));
		assert.deepEqual(heard, ['reset at end', 'reset at middle', 'reset at applied']);
	});

	test('a truncated body is a whole response with half of the JSON', async () => {
		await forge.fault({}, { kind: 'truncate' });
		const response = await fetch(`${forge.areas.todo}${path}`, {
			headers: { Authorization: `Bearer ${forge.tokens.alice}` },
		});
		const text = await response.text();
		assert.equal(response.status, 200);
		assert.throws(() => JSON.parse(text), SyntaxError);
	});

	test('a service without its database answers 500 to everything, and changes nothing', async () => {
		await forge.fault({ area: 'todo' }, { kind: 'noDatabase' }, 2);
		const put = await forge.call('todo', 'PUT', path, { body: { comment: 'without a database' } });
		assert.deepEqual([put.status, put.headers.get('content-type')], [500, 'text/html; charset=utf-8']);
		const graphql = await forge.call('todo', 'POST', '/query', { body: { query: '{ version { major } }' } });
		assert.equal(graphql.at('errors', 0, 'message'), 'Authentication error: Temporary error; try again later');
		const events = await forge.call('todo', 'GET', `${path}/events`);
		assert.ok(!JSON.stringify(events.json).includes('without a database'));
	});

	test('a login page has status 200', async () => {
		await forge.fault({}, { kind: 'contentType' });
		const answer = await get();
		assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'text/html; charset=utf-8']);
	});

	test('dripped and delayed responses arrive complete', async () => {
		await forge.fault({}, { kind: 'drip', bytes: 100, everyMs: 1 });
		assert.equal((await get()).at('id'), 1);
		await forge.fault({}, { kind: 'delay', ms: 30 });
		assert.equal((await get()).at('id'), 1);
	});

	test('a delay holds only its own request', async () => {
		const leaving = new AbortController();
		await forge.fault({}, { kind: 'delay', ms: 3_600_000 });
		const underWay = async (): Promise<number> => (await forge.requests()).filter(({ ended }) => !ended).length;
		const before = await underWay();
		const delayed = fetch(`${forge.areas.todo}${path}`, { signal: leaving.signal });
		await eventually(underWay, before + 1);
		assert.equal((await get()).at('id'), 1);
		assert.equal(await underWay(), before + 1);
		leaving.abort();
		await assert.rejects(delayed, { name: 'AbortError' });
	});

	test('a huge body has the given size, also compressed', async () => {
		for (const gzip of [false, true]) {
			await forge.fault({}, { kind: 'huge', megabytes: 3, gzip });
			assert.ok((await get()).text.length > 3_000_000);
		}
	});

	test('a redirect has the given status and target', async () => {
		await forge.fault({}, { kind: 'redirect', to: 'https://elsewhere.example/', status: 307 });
		const answer = await get();
		assert.deepEqual([answer.status, answer.headers.get('location')], [307, 'https://elsewhere.example/']);
	});

	test('the client can abort a hanging request, and the log shows it without a response', async () => {
		await forge.forgetRequests();
		await forge.fault({}, { kind: 'hang' });
		const giveUp = new AbortController();
		const hanging = fetch(`${forge.areas.todo}/api/user`, { signal: giveUp.signal });
		hanging.catch(() => undefined);
		while ((await forge.requests()).length === 0) {
			// The log lists the request when its headers have arrived.
		}
		giveUp.abort();
		await assert.rejects(hanging);
		const [seen] = await forge.requests();
		assert.deepEqual([seen?.path, seen?.status, seen?.hasToken], ['/api/user', 0, false]);
	});

	test('the control origin rejects web pages', async () => {
		const page = await fetch(`${forge.control}/requests`, { headers: { Origin: 'http://evil.example' } });
		assert.equal(page.status, 403);
	});

	test('the forge survives malformed requests', async () => {
		const port = Number(new URL(forge.areas.todo).port);
		const head = `Host: 127.0.0.1:${port}\r\nAuthorization: Bearer ${forge.tokens.alice}\r\n`;
		const oddities = [
			'\x00\x01\x02\r\n\r\n',
			'GET\r\n\r\n',
			`GET /api/user/%FF%00%zz HTTP/1.1\r\n${head}\r\n`,
			`GET //api///trackers/..%2f..%2f HTTP/1.1\r\n${head}\r\n`,
			`GET http://[bad HTTP/1.1\r\n${head}\r\n`,
			`BREW / HTTP/1.1\r\n${head}\r\n`,
			`POST /api/trackers HTTP/1.1\r\n${head}Content-Length: 999\r\nContent-Type: application/json\r\n\r\n{"na`,
			`POST /api/trackers HTTP/1.1\r\n${head}Transfer-Encoding: chunked\r\n\r\nzz\r\n`,
			`PUT ${path} HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: 33\r\n\r\n{"labels":{"a":1},"__proto__":[]}`,
			`GET / HTTP/1.1\r\n${head}X: ${'y'.repeat(70_000)}\r\n\r\n`,
			`OPTIONS * HTTP/1.1\r\n${head}\r\n`,
		];
		for (const oddity of oddities) {
			const socket = connect(port, '127.0.0.1');
			let answer = '';
			socket.on('error', () => undefined);
			socket.setEncoding('utf8').on('data', (text: string) => (answer += text));
			socket.end(oddity);
			await once(socket, 'close');
			// If the host check rejected the request, the parsers behind it would not run.
			assert.equal(answer.includes('answers only its own pages'), /^\S+ (?:http|\*)/.test(oddity), oddity.slice(0, 60));
		}
		assert.equal((await get()).status, 200);
		assert.equal(forge.process.exitCode, null);
		assert.deepEqual(await forge.crashes(), []);
	});
});

suite('Sample forge: faults of single GraphQL queries', () => {
	let forge: SampleForge;

	suiteSetup(async () => {
		forge = await sharedForge('graphql');
	});

	teardown(async () => {
		await forge.clearFaults();
	});

	test('a fault hits only the matching query, and the request log has queries without tokens', async () => {
		const query = 'query Tracker($name: String!) { me { tracker(name: $name) { name } } }';
		const ask = async (name: string): Promise<RawAnswer> => await askGraphql(forge, query, { variables: { name } });
		await forge.fault({ question: '^query Tracker .*"lantern"' }, { kind: 'status', status: 502 });
		await forge.forgetRequests();
		assert.equal((await ask('website')).at('data', 'me', 'tracker', 'name'), 'website');
		assert.equal((await ask('lantern')).status, 502);
		assert.equal((await ask('lantern')).at('data', 'me', 'tracker', 'name'), 'lantern');
		assert.equal((await askGraphql(forge, '{ version { major } }')).status, 200);
		// In more than one piece.
		const long = JSON.stringify({ query, variables: { name: 'x'.repeat(300_000) } });
		assert.equal((await forge.call('todo', 'POST', '/query', { body: long })).status, 200);
		const asked = await forge.requests();
		assert.deepEqual(
			asked.map(({ question }) => question?.slice(0, 40)),
			[
				'query Tracker {"name":"website"}',
				'query Tracker {"name":"lantern"}',
				'query Tracker {"name":"lantern"}',
				'{}',
				'query Tracker {"name":"xxxxxxxxxxxxxxxxx',
			],
		);
		assert.ok(!JSON.stringify(asked).includes(forge.tokens.alice));
	});

	test('the forge survives a truncated request body', async () => {
		const { port } = new URL(forge.areas.todo);
		const socket = connect(Number(port), '127.0.0.1').resume();
		socket.write(
			`POST /query HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{"query":`,
		);
		socket.end();
		await once(socket, 'close');
		assert.equal((await askGraphql(forge, '{ version { major } }')).status, 200);
		assert.deepEqual(await forge.crashes(), []);
	});
});
