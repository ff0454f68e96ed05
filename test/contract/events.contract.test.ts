import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createPublicKey, verify } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { DeliveryHint } from '../../src/forge/deliveryHint.ts';
import type { ContentArea } from '../../src/forge/instance.ts';
import type { Webhook, WebhookFamily } from '../../src/forge/webhook.ts';
import { allItems, contractSuite, problemFrom, wanted } from '../support/contractForge.ts';
import { startLocalServer } from '../support/localServer.ts';
import type { LocalServer } from '../support/localServer.ts';
import { fieldsOf, partOf } from '../support/sampleForge.ts';
import type { Dialect, RawAnswer, SampleForge } from '../support/sampleForge.ts';

const tracker = { owner: '~alice', name: 'lantern' };
const ticket = { tracker, id: 7 };
const list = { owner: '~alice', name: 'lantern-devel' };
const repository = { owner: '~alice', name: 'lantern-plugins' };

const families = {
	listsUser: { kind: 'user', area: 'lists' },
	list: { kind: 'list', ref: list },
	gitUser: { kind: 'user', area: 'git' },
	repository: { kind: 'repository', ref: repository },
	todoUser: { kind: 'user', area: 'todo' },
	tracker: { kind: 'tracker', ref: tracker },
	ticket: { kind: 'ticket', ref: ticket },
} as const satisfies Readonly<Record<string, WebhookFamily>>;

/** Fields of the contract's resources (docs/protocol.md#resources). */
const resources = {
	email: [
		['id', 'created', 'subject', 'message_id', 'parent_id', 'thread_id', 'list', 'sender', 'is_patch'],
		['is_request_pull', 'replies', 'participants', 'envelope'],
	].flat(),
	list: ['created', 'updated', 'name', 'owner', 'description', 'permissions'],
	subscription: ['id', 'created', 'list'],
	patchset: [
		['id', 'created', 'updated', 'subject', 'prefix', 'version', 'status', 'list', 'cover_letter', 'superseded_by'],
	].flat(),
	repository: ['id', 'created', 'subject', 'name', 'description', 'visibility'],
	push: ['push', 'pusher', 'refs'],
	tracker: ['owner', 'created', 'updated', 'name', 'description', 'default_permissions'],
	ticket: [
		['id', 'ref', 'tracker', 'title', 'created', 'updated', 'submitter', 'description', 'status', 'resolution'],
		['permissions', 'labels', 'assignees'],
	].flat(),
	event: [
		['id', 'created', 'event_type', 'old_status', 'old_resolution', 'new_status', 'new_resolution', 'user', 'ticket'],
		['comment', 'label', 'by_user', 'from_ticket'],
	].flat(),
	label: ['name', 'created', 'colors', 'tracker'],
	/** What is left of a thing that was removed. */
	gone: ['id'],
} as const;

type Resource = keyof typeof resources;

/** The same as running forges send them, where it differs. */
const observed: Partial<Readonly<Record<Resource, readonly string[]>>> = {
	email: [...resources.email, 'patchset'],
	list: ['id', ...resources.list],
	patchset: [
		['id', 'created', 'updated', 'subject', 'prefix', 'version', 'status', 'submitter', 'reply_to', 'message_id'],
	].flat(),
	repository: ['id', 'created', 'updated', 'name', 'owner', 'description', 'visibility'],
	tracker: ['id', ...resources.tracker],
};

interface Row {
	readonly family: keyof typeof families;
	readonly event: string;
	readonly scope: string;
	readonly body: Resource;
	/** What it says has to be read again. */
	readonly again: readonly DeliveryHint['kind'][];
	/** What running forges do with it (docs/protocol.md#events-sent); sent in the same way when left out. */
	readonly field?: 'refused' | 'never sent' | 'renamed';
	/** Lets it happen. Resolves to the resource as the API answers it. */
	readonly cause: (world: World) => Promise<unknown>;
	/** How things must stand before. */
	readonly prepare?: (world: World) => Promise<unknown>;
}

/** The events of the contract (docs/protocol.md#events-of-the-contract), row by row. */
const rows: readonly Row[] = [
	{
		family: 'listsUser',
		event: 'email:received',
		scope: 'emails:read',
		body: 'email',
		again: ['mail'],
		cause: mailOfAlice,
	},
	{
		family: 'listsUser',
		event: 'list:create',
		scope: 'lists:read',
		body: 'list',
		again: ['ownLists'],
		cause: ({ ask }) => ask('lists', 'POST', '/api/lists', { name: 'evening' }),
	},
	{
		family: 'listsUser',
		event: 'subscription:create',
		scope: 'subs:read',
		body: 'subscription',
		again: ['subscriptions'],
		field: 'renamed',
		prepare: beUnsubscribed,
		cause: subscribe,
	},
	{
		family: 'listsUser',
		event: 'subscription:remove',
		scope: 'subs:read',
		body: 'gone',
		again: ['subscriptions'],
		prepare: beSubscribed,
		cause: unsubscribe,
	},
	{
		family: 'list',
		event: 'patchset:received',
		scope: 'patches:read',
		body: 'patchset',
		again: ['patchset', 'patchsets'],
		cause: patchOfAlice,
	},
	{ family: 'list', event: 'post:received', scope: 'lists:read', body: 'email', again: ['mail'], cause: mailOfAlice },
	{
		family: 'list',
		event: 'list:update',
		scope: 'lists:read',
		body: 'list',
		again: ['list'],
		cause: ({ ask }) => ask('lists', 'PUT', '/api/lists/lantern-devel', { description: 'Patches and talk' }),
	},
	{
		family: 'gitUser',
		event: 'repo:create',
		scope: 'info:read',
		body: 'repository',
		again: ['ownRepositories'],
		cause: ({ ask }) => ask('git', 'POST', '/api/repos', { name: 'evening' }),
	},
	{
		family: 'gitUser',
		event: 'repo:update',
		scope: 'info:read',
		body: 'repository',
		again: ['ownRepositories'],
		cause: ({ ask }) => ask('git', 'PUT', '/api/repos/lantern-plugins', { description: 'What it can be taught' }),
	},
	{
		family: 'gitUser',
		event: 'repo:delete',
		scope: 'info:read',
		body: 'gone',
		again: ['ownRepositories'],
		async cause({ ask }) {
			const { id } = fieldsOf(await ask('git', 'POST', '/api/repos', { name: 'short-lived' }));
			await ask('git', 'DELETE', '/api/repos/short-lived');
			return { id };
		},
	},
	{
		family: 'repository',
		event: 'repo:post-update',
		scope: 'data:read',
		body: 'push',
		again: ['references'],
		cause: push,
	},
	{
		family: 'todoUser',
		event: 'tracker:create',
		scope: 'trackers:read',
		body: 'tracker',
		again: ['ownTrackers'],
		cause: ({ ask }) => ask('todo', 'POST', '/api/trackers', { name: 'evening' }),
	},
	{
		family: 'todoUser',
		event: 'tracker:update',
		scope: 'trackers:read',
		body: 'tracker',
		again: ['ownTrackers'],
		cause: ({ ask }) => ask('todo', 'PUT', '/api/trackers/lantern', { description: 'What is wrong with the light' }),
	},
	{
		family: 'todoUser',
		event: 'tracker:delete',
		scope: 'trackers:read',
		body: 'gone',
		again: ['ownTrackers'],
		async cause({ ask, dialect }) {
			const { id } = fieldsOf(await ask('todo', 'POST', '/api/trackers', { name: 'short-lived' }));
			await ask('todo', 'DELETE', '/api/trackers/short-lived');
			return dialect === 'field' ? { id } : undefined;
		},
	},
	{
		family: 'todoUser',
		event: 'ticket:create',
		scope: 'tickets:read',
		body: 'ticket',
		again: ['ticket'],
		field: 'never sent',
		cause: submit,
	},
	{
		family: 'todoUser',
		event: 'event:create',
		scope: 'tickets:read',
		body: 'event',
		again: ['ticket'],
		field: 'refused',
		cause: say,
	},
	{
		family: 'tracker',
		event: 'label:create',
		scope: 'trackers:read',
		body: 'label',
		again: ['labels'],
		cause: ({ sample }) => sample.act('/todo/label', { tracker: '~alice/lantern', name: 'dusk' }),
	},
	{
		family: 'tracker',
		event: 'label:delete',
		scope: 'trackers:read',
		body: 'gone',
		again: ['labels', 'tickets'],
		async cause({ sample }) {
			await sample.act('/todo/label', { tracker: '~alice/lantern', name: 'dawn' });
			await sample.act('/todo/unlabel', { tracker: '~alice/lantern', name: 'dawn' });
		},
	},
	{
		family: 'tracker',
		event: 'ticket:create',
		scope: 'tickets:read',
		body: 'ticket',
		again: ['ticket'],
		cause: submit,
	},
	{
		family: 'ticket',
		event: 'ticket:update',
		scope: 'tickets:read',
		body: 'ticket',
		again: ['ticket'],
		field: 'never sent',
		async cause({ ask }) {
			const answer = await ask('todo', 'PUT', '/api/trackers/lantern/tickets/7', { comment: 'Still dark here' });
			return partOf(answer, ['ticket']);
		},
	},
	{ family: 'ticket', event: 'event:create', scope: 'tickets:read', body: 'event', again: ['ticket'], cause: say },
];

/** What causes work with: a forge, and a directory to work in. */
interface World {
	readonly sample: SampleForge;
	readonly dialect: Dialect;
	readonly directory: string;
	/** A number of its own for each caller. */
	readonly next: () => number;
	/** A call of alice's that has to succeed; resolves to its JSON. */
	readonly ask: (area: ContentArea, method: string, path: string, body?: object) => Promise<unknown>;
}

async function submit({ ask, next }: World): Promise<unknown> {
	return await ask('todo', 'POST', '/api/trackers/lantern/tickets', { title: `It flickers ${next()}` });
}

async function say({ ask, next }: World): Promise<unknown> {
	const comment = `Seen it ${next()} times`;
	return partOf(await ask('todo', 'PUT', '/api/trackers/lantern/tickets/7', { comment }), ['events', 0]);
}

async function mySubscription({ ask }: World): Promise<unknown> {
	const json = await ask('lists', 'GET', '/api/subscriptions');
	const found: unknown = Array.isArray(json) ? json : fieldsOf(json)['results'];
	assert.ok(Array.isArray(found));
	const mine: unknown = found.find((each) => partOf(each, ['list', 'name']) === 'wick-devel');
	return mine === undefined ? undefined : partOf(mine, ['id']);
}

async function beSubscribed(world: World): Promise<unknown> {
	return (await mySubscription(world)) ?? (await subscribe(world));
}

async function beUnsubscribed(world: World): Promise<unknown> {
	return (await mySubscription(world)) === undefined ? undefined : await unsubscribe(world);
}

async function subscribe(world: World): Promise<unknown> {
	return await world.ask('lists', 'POST', '/api/subscriptions', { list: '~bob/wick-devel' });
}

async function unsubscribe(world: World): Promise<unknown> {
	const id = await mySubscription(world);
	assert.equal(typeof id, 'number', 'not subscribed');
	await world.ask('lists', 'DELETE', `/api/subscriptions/${String(id)}`);
	return { id };
}

async function mailOfAlice(world: World): Promise<unknown> {
	const id = `<talk-${world.next()}@forge.test>`;
	await post(world.sample, '~alice/lantern-devel', [
		`Subject: An evening mail`,
		`Message-ID: ${id}`,
		'',
		'Good evening',
	]);
	return await world.ask('lists', 'GET', `/api/emails/${encodeURIComponent(id)}`);
}

async function patchOfAlice(world: World): Promise<unknown> {
	const id = `<patch-${world.next()}@forge.test>`;
	const lines = ['Subject: [PATCH lantern v2] Trim the wick', `Message-ID: ${id}`, '', 'Shorter.', '---'];
	await post(world.sample, '~alice/lantern-devel', [...lines, 'diff --git a/f b/f', 'index 1..2']);
	const json = await world.ask('lists', 'GET', '/api/lists/lantern-devel/patchsets');
	return partOf(json, Array.isArray(json) ? [0] : ['results', 0]);
}

/** Sends a mail of alice's through the SMTP door. */
async function post({ smtp }: SampleForge, to: string, lines: readonly string[]): Promise<void> {
	assert.ok(smtp !== null);
	const address = `${to}@lists.forge.test`;
	const mail = ['From: Alice <alice@forge.test>', `To: ${address}`, ...lines];
	const socket = connect(smtp.port, smtp.host).setEncoding('utf8');
	let replies = '';
	socket.on('data', (text: string) => (replies += text));
	const talk = ['EHLO here', 'MAIL FROM:<alice@forge.test>', `RCPT TO:<${address}>`, 'DATA', ...mail, '.', 'QUIT', ''];
	socket.write(talk.join('\r\n'));
	await once(socket, 'close');
	assert.match(replies, /^354 .*\r\n250 .*\r\n221 /m, replies);
}

const run = promisify(execFile);

/** Pushes a commit to master and a tag through the door that knows who comes. */
async function push({ sample, directory, next }: World): Promise<undefined> {
	const who = { GIT_AUTHOR_NAME: 'Alice', GIT_AUTHOR_EMAIL: 'alice@forge.test' };
	const committer = { GIT_COMMITTER_NAME: 'Alice', GIT_COMMITTER_EMAIL: 'alice@forge.test' };
	const quiet = { GIT_TERMINAL_PROMPT: '0', GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' };
	const env = { PATH: process.env['PATH'], HOME: directory, LC_ALL: 'C', ...who, ...committer, ...quiet };
	const name = `clone-${next()}`;
	const git = async (cwd: string, ...args: readonly string[]): Promise<unknown> => await run('git', args, { cwd, env });
	const address = sample.areas.git.replace('://', `://git:${sample.tokens.alice}@`);
	await git(directory, 'clone', '-q', `${address}/ssh/~alice/lantern-plugins`, name);
	const clone = join(directory, name);
	await writeFile(join(clone, `${name}.txt`), 'a note\n');
	await git(clone, 'add', '.');
	await git(clone, 'commit', '-qm', 'A note');
	await git(clone, 'tag', '-a', name, '-m', 'Evening');
	await git(clone, 'push', '-q', 'origin', 'HEAD:master', name);
	return undefined;
}

interface Delivery {
	readonly path: string;
	readonly headers: IncomingHttpHeaders;
	readonly body: string;
}

/** The key is the raw 32 bytes; the signature is over the body as sent, followed by the nonce. */
function isSigned({ headers, body }: Delivery, key: string): boolean {
	const x = Buffer.from(key, 'base64').toString('base64url');
	const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
	const { 'x-payload-nonce': nonce, 'x-payload-signature': signature } = headers;
	const signed = Buffer.from(`${body}${String(nonce)}`);
	return verify(null, signed, publicKey, Buffer.from(String(signature), 'base64'));
}

suite('the events of the contract', () => {
	test('are 21, each once in its family', () => {
		assert.equal(rows.length, 21);
		assert.equal(new Set(rows.map(({ family, event }) => `${family} ${event}`)).size, 21);
	});
});

contractSuite('events', {}, ({ dialect, forge }) => {
	const deliveries: Delivery[] = [];
	let receiver: LocalServer;
	let directory: string;
	let count = 0;

	suiteSetup(async () => {
		directory = await mkdtemp(join(tmpdir(), 'forge-desk-events-'));
		receiver = await startLocalServer((request, response) => {
			let body = '';
			request.setEncoding('utf8').on('data', (text: string) => (body += text));
			request.on('end', () => {
				deliveries.push({ path: request.url ?? '', headers: request.headers, body });
				response.end('heard');
			});
		});
	});

	suiteTeardown(async () => {
		await receiver.stop();
		await rm(directory, { recursive: true, force: true });
	});

	const world = (): World => {
		const { sample } = forge();
		return {
			sample,
			dialect,
			directory,
			next: () => ++count,
			async ask(area, method, path, body) {
				const answer: RawAnswer = await sample.call(area, method, path, body === undefined ? {} : { body });
				assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${answer.text}`);
				return answer.json;
			},
		};
	};

	interface Hook {
		readonly webhook: Webhook;
		/** What this hook was sent, after everything on its way has arrived. */
		heard(): Promise<readonly Delivery[]>;
		/** Its delivery log, as the client reads it. */
		log(): Promise<readonly unknown[]>;
	}

	const subscribeTo = async (
		family: keyof typeof families,
		events: readonly string[],
		token = forge().sample.tokens.alice,
	): Promise<Hook> => {
		const path = `/${++count}`;
		const { webhooks } = forge().withToken('alice', () => token);
		const wish = { url: `${receiver.origin}${path}`, events };
		const webhook = await webhooks.create(families[family], wish, wanted());
		return {
			webhook,
			async heard() {
				await forge().sample.webhooksDelivered();
				return deliveries.filter((delivery) => delivery.path === path);
			},
			async log() {
				const pages = webhooks.deliveries?.(families[family], webhook.id, wanted());
				assert.ok(pages);
				return (await allItems(pages)).map(({ event, payload, responseStatus }) => [event, payload, responseStatus]);
			},
		};
	};

	const refusal = async (family: keyof typeof families, event: string, token: string): Promise<string> => {
		const { webhooks } = forge().withToken('alice', () => token);
		const wish = { url: receiver.origin, events: [event] };
		const problem = await problemFrom(webhooks.create(families[family], wish, wanted()));
		return problem.kind === 'invalid' ? problem.errors.map(({ reason }) => reason).join() : problem.kind;
	};

	/** What the delivery that the hook was sent says has to be read again, by kind. */
	const againAfter = async (hook: Hook, family: keyof typeof families): Promise<readonly string[]> => {
		const [delivery] = await hook.heard();
		assert.ok(delivery !== undefined, 'nothing was sent');
		const event = String(delivery.headers['x-webhook-event']);
		const { webhooks } = forge().as('alice');
		return webhooks.readDelivery(families[family], event, Buffer.from(delivery.body)).again.map(({ kind }) => kind);
	};

	/** That the hook was sent exactly this, signed, and that the log says so too. */
	const assertSent = async (hook: Hook, event: string, resource: Resource, expected: unknown): Promise<unknown> => {
		const [delivery, ...more] = await hook.heard();
		assert.ok(delivery !== undefined, 'nothing was sent');
		assert.deepEqual(more, [], 'more than one was sent');
		const { headers, body } = delivery;
		assert.equal(headers['x-webhook-event'], event);
		assert.equal(headers['content-type'], 'application/json');
		assert.match(String(headers['x-webhook-delivery']), /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/);
		assert.match(String(headers['x-payload-nonce']), /^[\da-f]{16}$/);
		assert.ok(isSigned(delivery, forge().sample.webhookKey), 'not signed with the key of the forge');
		assert.ok(!isSigned({ ...delivery, body: `${body} ` }, forge().sample.webhookKey), 'any body passes');
		const json: unknown = JSON.parse(body);
		const documented = resources[resource];
		const fields = dialect === 'field' ? (observed[resource] ?? documented) : documented;
		assert.deepEqual(Object.keys(fieldsOf(json)).toSorted(), fields.toSorted());
		if (expected !== undefined) {
			assert.deepEqual(json, expected);
		}
		assert.deepEqual(await hook.log(), [[event, body, 200]]);
		return json;
	};

	for (const { family, event, scope, body, again, field, prepare, cause } of rows) {
		if (dialect === 'document') {
			test(`${event} of ${family} is sent under its name, signed, with the documented body (${body})`, async () => {
				await prepare?.(world());
				const hook = await subscribeTo(family, [event], await forge().sample.token('alice', [scope]));
				await assertSent(hook, event, body, await cause(world()));
				assert.deepEqual(await againAfter(hook, family), again);
			});

			test(`${event} of ${family} is refused to a token without ${scope}`, async () => {
				const token = await forge().sample.token('alice', ['profile:read']);
				assert.match(await refusal(family, event, token), /permission denied/i);
			});
		} else if (field === 'refused') {
			test(`${event} of ${family} is refused`, async () => {
				assert.equal(await refusal(family, event, forge().sample.tokens.alice), 'Unsupported event type');
			});
		} else if (field === 'never sent') {
			test(`${event} of ${family} is accepted and not sent`, async () => {
				const hook = await subscribeTo(family, [event]);
				assert.notEqual(await cause(world()), undefined);
				assert.deepEqual(await hook.heard(), []);
				assert.deepEqual(await hook.log(), []);
			});
		} else if (field === 'renamed') {
			test(`${event} of ${family} is sent as subscription:remove, signed, with the whole ${body}`, async () => {
				await prepare?.(world());
				const deaf = await subscribeTo(family, [event]);
				const hook = await subscribeTo(family, ['subscription:remove']);
				await assertSent(hook, 'subscription:remove', body, await cause(world()));
				assert.deepEqual(await againAfter(hook, family), again);
				assert.deepEqual(await deaf.heard(), []);
			});
		} else {
			test(`${event} of ${family} is sent, signed, with the observed body (${body})`, async () => {
				await prepare?.(world());
				const hook = await subscribeTo(family, [event]);
				await assertSent(hook, event, body, await cause(world()));
				assert.deepEqual(await againAfter(hook, family), again);
			});
		}
	}

	test('a push tells who pushed, and each reference with its commits before and after', async () => {
		const hook = await subscribeTo('repository', ['repo:post-update']);
		await push(world());
		const body = await assertSent(hook, 'repo:post-update', 'push', undefined);
		assert.match(String(partOf(body, ['push'])), /^[\da-f-]{36}$/);
		const short = ['canonical_name', 'name'];
		const pusher = dialect === 'field' ? short : [...short, 'email', 'url', 'location', 'bio'];
		assert.deepEqual(Object.keys(fieldsOf(partOf(body, ['pusher']))).toSorted(), pusher.toSorted());
		const name = `clone-${count}`;
		assert.deepEqual(Object.keys(fieldsOf(partOf(body, ['refs', 0]))).toSorted(), ['name', 'new', 'old']);
		assert.equal(partOf(body, ['refs', 0, 'name']), 'refs/heads/master');
		assert.deepEqual(partOf(body, ['refs', 1, 'annotated_tag']), { name, message: 'Evening\n' });
		assert.equal(partOf(body, ['refs', 1, 'old']), null);
		const before = partOf(body, ['refs', 0, 'old', 'id']);
		assert.deepEqual(partOf(body, ['refs', 0, 'new', 'parents']), [before]);
		assert.equal(partOf(body, ['refs', 1, 'new', 'id']), partOf(body, ['refs', 0, 'new', 'id']));
		const commit = ['id', 'short_id', 'author', 'committer', 'timestamp', 'message', 'tree', 'parents', 'signature'];
		assert.deepEqual(Object.keys(fieldsOf(partOf(body, ['refs', 0, 'new']))).toSorted(), commit.toSorted());
		const { webhooks } = forge().as('alice');
		const { push: said } = webhooks.readDelivery(
			families.repository,
			'repo:post-update',
			Buffer.from(JSON.stringify(body)),
		);
		assert.deepEqual(
			said?.references.map((each) => [each.name, each.before?.id, each.after?.parents, each.annotatedTag]),
			[
				['refs/heads/master', before, [before], undefined],
				[`refs/tags/${name}`, undefined, [before], { name, message: 'Evening\n' }],
			],
		);
		assert.deepEqual([said?.pushId, said?.pusher.canonicalName], [partOf(body, ['push']), '~alice']);
	});

	if (dialect === 'document') {
		for (const [family, event] of [
			['list', 'list:delete'],
			['list', 'patchset:update'],
			['tracker', 'event:create'],
			['ticket', 'ticket:create'],
			['gitUser', 'repo:post-update'],
		] as const) {
			test(`${event} of ${family}, which the contract does not name, is refused`, async () => {
				assert.equal(await refusal(family, event, forge().sample.tokens.alice), 'Unsupported event type');
			});
		}
		return;
	}

	test('a ticket made on the web pages is told to who made it', async () => {
		const hook = await subscribeTo('todoUser', ['ticket:create']);
		const made = await forge().sample.act('/todo/ticket', { tracker: '~alice/lantern', title: 'By hand' });
		await assertSent(hook, 'ticket:create', 'ticket', made);
		assert.deepEqual(await againAfter(hook, 'todoUser'), ['ticket']);
	});

	test('event:create of a tracker tells of comments, statuses and labels, and of nothing else', async () => {
		const hook = await subscribeTo('tracker', ['event:create']);
		const { ask, sample } = world();
		const id = String(partOf(await submit(world()), ['id']));
		await sample.act('/todo/assign', { ticket: `~alice/lantern#${id}`, user: 'bob' });
		assert.deepEqual(await hook.heard(), []);
		for (const change of [
			{ comment: 'Look at ~bob' },
			{ status: 'resolved', resolution: 'fixed' },
			{ labels: ['bug'] },
			{ labels: [] },
		]) {
			await ask('todo', 'PUT', `/api/trackers/lantern/tickets/${id}`, change);
		}
		const types = (await hook.heard()).flatMap((delivery) => {
			const json: unknown = JSON.parse(delivery.body);
			assert.ok(isSigned(delivery, sample.webhookKey));
			assert.deepEqual(Object.keys(fieldsOf(json)).toSorted(), resources.event.toSorted());
			return Object.values(fieldsOf(partOf(json, ['event_type'])));
		});
		const { webhooks } = forge().as('alice');
		for (const { body } of await hook.heard()) {
			const { again } = webhooks.readDelivery(families.tracker, 'event:create', Buffer.from(body));
			assert.deepEqual(again, [{ kind: 'ticket', ref: { tracker, id: Number(id) } }]);
		}
		assert.deepEqual(new Set(types), new Set(['comment', 'status_change', 'label_added', 'label_removed']));
	});

	test('list:delete of a list is accepted and sent with the whole list', async () => {
		const { ask, sample } = world();
		await ask('lists', 'POST', '/api/lists', { name: 'leaving' });
		const whole = await ask('lists', 'GET', '/api/lists/leaving');
		const url = `${receiver.origin}/leaving`;
		await ask('lists', 'POST', '/api/user/~alice/lists/leaving/webhooks', { url, events: ['list:delete'] });
		await ask('lists', 'DELETE', '/api/lists/leaving');
		await sample.webhooksDelivered();
		const told = deliveries.filter(({ path }) => path === '/leaving');
		assert.deepEqual(
			told.map(({ headers, body }): unknown => [headers['x-webhook-event'], JSON.parse(body)]),
			[['list:delete', whole]],
		);
	});

	test('patchset:update of a list is accepted and not sent', async () => {
		const hook = await subscribeTo('list', ['patchset:update']);
		const id = partOf(await patchOfAlice(world()), ['id']);
		await world().ask('lists', 'PUT', `/api/lists/lantern-devel/patchsets/${String(id)}`, { status: 'applied' });
		assert.deepEqual(await hook.heard(), []);
	});

	test('a subscription that comes or goes by mail, or with a list of one’s own, is told to nobody', async () => {
		await beUnsubscribed(world());
		const hook = await subscribeTo('listsUser', ['subscription:create', 'subscription:remove']);
		await world().ask('lists', 'POST', '/api/lists', { name: 'silent' });
		const lines = (id: string): readonly string[] => ['Subject: hello', `Message-ID: <${id}@forge.test>`, '', ''];
		await post(forge().sample, '~bob/wick-devel+subscribe', lines('come'));
		assert.equal(typeof (await mySubscription(world())), 'number');
		await post(forge().sample, '~bob/wick-devel+unsubscribe', lines('go'));
		assert.equal(await mySubscription(world()), undefined);
		assert.deepEqual(await hook.heard(), []);
	});

	test('the forge itself stayed sound', async () => {
		assert.deepEqual(await forge().sample.crashes(), []);
	});
});
