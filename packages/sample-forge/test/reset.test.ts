import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { eventually } from '../../../test/support/eventually.ts';
import { limitMs } from '../../../test/support/pace.ts';
import { startSampleForge, type Area, type SampleForge } from '../../../test/support/sampleForge.ts';
import { inRest } from '../../../test/support/parts.ts';

/** Paths of every area that both dialects have. */
const asked: readonly (readonly [area: Area, path: string])[] = [
	['meta', '/api/user/profile'],
	['todo', '/api/trackers'],
	['todo', '/api/trackers/lantern/labels'],
	['todo', '/api/trackers/lantern/tickets'],
	['todo', '/api/trackers/lantern/tickets/1/events'],
	['todo', '/api/user/~alice/trackers/lantern/webhooks'],
	['todo', '/api/user/~bob/trackers/wick/tickets'],
	['git', '/api/repos'],
	['git', '/api/repos/lantern/refs'],
	['git', '/api/repos/lantern/log'],
	['git', '/api/repos/lantern/tree'],
	['git', '/api/~bob/repos/wick/refs'],
	['lists', '/api/lists'],
	['lists', '/api/lists/lantern-devel'],
	['lists', '/api/lists/lantern-devel/posts'],
	['lists', '/api/lists/lantern-devel/patchsets'],
	['lists', '/api/subscriptions'],
	['lists', '/api/emails'],
];

/** The responses to alice for all of `asked`. */
async function answersOf(forge: SampleForge): Promise<Readonly<Record<string, string>>> {
	const answers: Record<string, string> = {};
	for (const [area, path] of asked) {
		const { status, text } = await forge.call(area, 'GET', path);
		assert.equal(status, 200, `${area} ${path}: ${text}`);
		answers[`${area} ${path}`] = text;
	}
	return answers;
}

/** Changes something in every area. */
async function change(forge: SampleForge): Promise<void> {
	const send = async (area: Area, method: string, path: string, body?: object): Promise<void> => {
		const { status, text } = await forge.call(area, method, path, { body });
		assert.ok(status < 300, `${method} ${area} ${path}: ${status} ${text}`);
	};
	await send('meta', 'PUT', '/api/user/profile', { bio: 'changed' });
	await send('todo', 'PUT', '/api/trackers/lantern/tickets/1', { comment: 'changed' });
	await send('todo', 'POST', '/api/trackers', { name: 'changed' });
	await send('todo', 'POST', '/api/user/~alice/trackers/lantern/webhooks', {
		url: 'http://127.0.0.1:9/hook',
		events: ['ticket:create'],
	});
	await send('git', 'POST', '/api/repos', { name: 'changed' });
	await send('git', 'DELETE', '/api/repos/lantern-plugins');
	await send('lists', 'POST', '/api/lists', { name: 'changed' });
	const headers = 'From: Alice <alice@forge.test>\nTo: ~alice/lantern-devel@lists.forge.test\nSubject: changed';
	const mail = `${headers}\nMessage-ID: <changed@forge.test>\nDate: Thu, 19 Nov 2026 12:00:00 +0000\n\nchanged\n`;
	await forge.act('/lists/mail', { list: '~alice/lantern-devel', mail });
}

/** Sends a request without most of its body; the result sends the rest and reads the response. */
async function begin(forge: SampleForge, area: Area, target: string, body: string): Promise<() => Promise<string>> {
	const { hostname, port } = new URL(forge.areas[area]);
	const socket = connect(Number(port), hostname);
	await once(socket, 'connect');
	const head = [
		`${target} HTTP/1.1`,
		`Host: ${hostname}:${port}`,
		`Authorization: Bearer ${forge.tokens.alice}`,
		'Content-Type: application/json',
		`Content-Length: ${body.length}`,
		'Connection: close',
	];
	socket.write(`${head.join('\r\n')}\r\n\r\n${body.slice(0, 5)}`);
	return async () => {
		socket.write(body.slice(5));
		return await textOf(socket);
	};
}

async function textOf(socket: Socket): Promise<string> {
	let text = '';
	for await (const chunk of socket.setEncoding('utf8')) {
		text += String(chunk);
	}
	return text;
}

for (const dialect of ['field', 'document'] as const) {
	suite(`Sample forge, ${dialect} dialect: reset`, function () {
		if (dialect === 'document') {
			inRest(this);
		}
		this.timeout(limitMs(30_000));
		let forge: SampleForge;
		let first: Readonly<Record<string, string>>;

		suiteSetup(async () => {
			forge = await startSampleForge({ dialect });
			first = await answersOf(forge);
		});

		suiteTeardown(async () => {
			await forge.stop();
		});

		test('restores the first responses after changes in every area', async () => {
			await change(forge);
			const changed = await answersOf(forge);
			const areas = Object.keys(first).filter((path) => changed[path] !== first[path]);
			assert.deepEqual(new Set(areas.map((path) => path.split(' ')[0])), new Set(['meta', 'todo', 'git', 'lists']));
			await forge.reset();
			assert.deepEqual(await answersOf(forge), first);
			assert.deepEqual(await forge.crashes(), []);
		});

		test('drops faults, logged requests and new tokens', async () => {
			const token = await forge.token('alice', dialect === 'field' ? ['todo.sr.ht/tickets:read'] : ['tickets:read']);
			const path = '/api/trackers/lantern/tickets/1';
			assert.equal((await forge.call('todo', 'GET', path, { token })).status, 200);
			await forge.fault({}, { kind: 'status', status: 500 }, 100);
			await forge.reset();
			assert.equal(await forge.requestCount(), 0);
			assert.equal((await forge.call('todo', 'GET', path, { token })).status, dialect === 'field' ? 400 : 401);
			assert.equal((await forge.call('todo', 'GET', path)).status, 200);
		});

		test('starts a stopped clock', async () => {
			const created = async (): Promise<unknown> =>
				(await forge.call('todo', 'POST', '/api/trackers', { body: { name: 'clocked' } })).at('created');
			const atMs = Math.ceil(Date.now() / 1000) * 1000 + 86_400_000;
			await forge.act('/clock', { atMs });
			const stopped = Date.parse(String(await created()));
			assert.equal(stopped, atMs);
			await forge.reset();
			assert.ok(Date.parse(String(await created())) < atMs);
			await forge.reset();
		});

		test('gives one consistent world when several run at the same time', async () => {
			await change(forge);
			await Promise.all([forge.reset(), forge.reset(), forge.reset()]);
			assert.deepEqual(await answersOf(forge), first);
			assert.deepEqual(await forge.crashes(), []);
		});

		test('keeps requests in progress in the old world, without a crash', async () => {
			const finishTicket = await begin(
				forge,
				'todo',
				'PUT /api/trackers/lantern/tickets/1',
				'{"comment":"on its way"}',
			);
			// Its git repository is gone when the handler runs.
			const finishRepository = await begin(forge, 'git', 'POST /api/repos', '{"name":"on-its-way"}');
			await eventually(async () => (await forge.requests()).filter(({ ended }) => !ended).length, 2);
			await forge.reset();
			assert.match(await finishTicket(), /^HTTP\/1\.1 [25]\d\d /);
			assert.match(await finishRepository(), /^HTTP\/1\.1 [25]\d\d /);
			assert.deepEqual(await answersOf(forge), first);
			assert.deepEqual(await forge.crashes(), []);
		});

		test('keeps the SMTP port, and closes its connections', async () => {
			assert.ok(forge.smtp);
			const { host, port } = forge.smtp;
			const before = connect(port, host);
			await once(before, 'data');
			const ended = once(before, 'close');
			await forge.reset();
			await ended;
			const after = connect(port, host);
			await once(after, 'data');
			const mail = [
				'From: Alice <alice@forge.test>',
				'To: ~alice/lantern-devel@lists.forge.test',
				'Subject: after the reset',
				'Message-ID: <after@forge.test>',
				'',
				'Hello',
				'.',
			];
			const commands = ['EHLO me', 'MAIL FROM:<alice@forge.test>', 'RCPT TO:<~alice/lantern-devel@lists.forge.test>'];
			after.write([...commands, 'DATA', ...mail, 'QUIT', ''].join('\r\n'));
			assert.match(await textOf(after), /\r\n250 2\.0\.0 Taken\r\n221 /);
			const posts = await forge.call('lists', 'GET', '/api/lists/lantern-devel/posts');
			assert.match(posts.text, /after the reset/);
		});
	});
}
