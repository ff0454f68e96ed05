import assert from 'node:assert/strict';
import type { Clock } from '@forge-desk/base/clock.ts';
import { isAbort } from '@forge-desk/base/abort.ts';
import type { Problem } from 'sourcehut/port/forgeError.ts';
import { isForgeError } from 'sourcehut/port/forgeError.ts';
import { contentAreas } from 'sourcehut/port/instance.ts';
import type { Scope } from 'sourcehut/port/scope.ts';
import { writeRig } from '../support/writeRig.ts';
import {
	allItems,
	changed,
	contractSuite,
	firstPage,
	problemFrom,
	protocolSuite,
	systemClock,
	wanted,
} from '../support/contractForge.ts';
import { startLocalServer } from '../support/localServer.ts';
import { startRelay } from '../support/relay.ts';
import { fieldsOf, partOf } from '../support/sampleForge.ts';
import type { SampleFault, SampleForge } from '../support/sampleForge.ts';
import { askGraphql } from '../support/askGraphql.ts';
import { ticketTraffic } from './support/ticketTraffic.ts';
import { restProtocol } from 'sourcehut/rest/restProtocol.ts';

const lantern = { owner: '~alice', name: 'lantern' };
const ticket = { tracker: lantern, id: 3 };

/** The problem of a GET under a lasting fault, and of a PUT under a single one. */
const lasting: readonly (readonly [about: string, fault: SampleFault, problem: (host: string) => Problem])[] = [
	['a crash', { kind: 'status', status: 500 }, () => ({ kind: 'serverError', status: 500 })],
	['a gateway in trouble', { kind: 'status', status: 502 }, () => ({ kind: 'serverError', status: 502 })],
	[
		'a server that is down for the moment',
		{ kind: 'status', status: 503 },
		() => ({ kind: 'serverError', status: 503 }),
	],
	[
		'a reset before the headers',
		{ kind: 'reset', at: 'headers' },
		(host) => ({ kind: 'unreachable', reason: 'reset', host }),
	],
	[
		'a reset in the middle',
		{ kind: 'reset', at: 'middle' },
		() => ({ kind: 'notUnderstood', where: 'the answer', why: 'it ends too early' }),
	],
	[
		'an answer that is cut short',
		{ kind: 'truncate' },
		() => ({ kind: 'notUnderstood', where: 'the answer', why: 'the answer is no JSON or ends too early' }),
	],
	['a web page with status 200', { kind: 'contentType' }, (host) => ({ kind: 'unreachable', reason: 'webPage', host })],
	['a huge answer', { kind: 'huge', megabytes: 40 }, () => ({ kind: 'tooLarge', limitBytes: 16 * 1024 * 1024 })],
	[
		'a small answer that unpacks to a huge one',
		{ kind: 'huge', megabytes: 200, gzip: true },
		() => ({ kind: 'tooLarge', limitBytes: 16 * 1024 * 1024 }),
	],
	[
		'too many requests for a long time',
		{ kind: 'status', status: 429, headers: { 'Retry-After': '9999999999' } },
		() => ({ kind: 'rateLimited', untilMs: undefined }),
	],
];

/**
 * Faults of a comment request, and how often the forge then has the comment. The client can't know this number; the
 * test can.
 */
const whatHappened: readonly (readonly [about: string, fault: SampleFault, said: 0 | 1])[] = [
	['a crash before it was taken', { kind: 'status', status: 500 }, 0],
	['a service without its database', { kind: 'noDatabase' }, 0],
	['a gateway in trouble', { kind: 'status', status: 502 }, 0],
	['a server that is down for the moment', { kind: 'status', status: 503, headers: { 'Retry-After': '0' } }, 0],
	['too many requests', { kind: 'status', status: 429, headers: { 'Retry-After': '0' } }, 0],
	['a sign-in page instead of the forge', { kind: 'contentType' }, 0],
	['a reset before it was read', { kind: 'reset', at: 'headers' }, 0],
	['a reset after it was taken, before any answer', { kind: 'reset', at: 'applied' }, 1],
	['a reset in the middle of the answer', { kind: 'reset', at: 'middle' }, 1],
	['a reset after the last byte of the answer', { kind: 'reset', at: 'end' }, 1],
	['an answer that is cut short', { kind: 'truncate' }, 1],
];

/** Shortens the pauses between lookups. */
const hastyClock: Clock = { ...systemClock, after: (delayMs, work) => systemClock.after(delayMs / 200, work) };

/** How often the ticket contains the text, read from the forge without the client. */
async function timesSaid(sample: SampleForge, text: string): Promise<number> {
	const said = sample.dialect === 'graphql' ? await saidOverGraphql(sample) : await saidOverRest(sample);
	return said.filter((each) => each === text).length;
}

async function saidOverRest(sample: SampleForge): Promise<readonly unknown[]> {
	const { json } = await sample.call('todo', 'GET', '/api/trackers/lantern/tickets/3/events');
	const events: unknown = Array.isArray(json) ? json : fieldsOf(json)['results'];
	assert.ok(Array.isArray(events) && (sample.dialect === 'document' || fieldsOf(json)['next'] === null));
	return events.map((event) => partOf(event, ['comment', 'text']));
}

async function saidOverGraphql(sample: SampleForge): Promise<readonly unknown[]> {
	const query = `query Said($cursor: Cursor) { user(username: "alice") { tracker(name: "lantern") { ticket(id: 3) {
		events(cursor: $cursor) { cursor results { changes { ... on Comment { text } } } } } } } }`;
	const said: unknown[] = [];
	let cursor: unknown;
	do {
		const { json } = await askGraphql(sample, query, { variables: { cursor } });
		const page = partOf(json, ['data', 'user', 'tracker', 'ticket', 'events']);
		const events = partOf(page, ['results']);
		assert.ok(Array.isArray(events));
		said.push(...events.flatMap((event) => partOf(event, ['changes'])).map((change) => partOf(change, ['text'])));
		cursor = partOf(page, ['cursor']);
	} while (typeof cursor === 'string');
	return said;
}

protocolSuite('faults', {}, ({ dialect, forge }) => {
	const traffic = ticketTraffic(dialect);

	teardown(async () => {
		await forge().sample.clearFaults();
	});

	for (const [about, fault, problem] of lasting) {
		test(`the client classifies a lasting fault: ${about}`, async () => {
			const { sample } = forge();
			await sample.fault(traffic.listings, fault, 100);
			const found = await problemFrom(firstPage(forge().as('alice').trackers.tickets(lantern, wanted())));
			assert.deepEqual(found, problem(new URL(sample.areas.todo).host));
		});
	}

	for (const [about, fault, said] of whatHappened) {
		test(`the client sends a comment once under ${about}, and the forge has it ${said === 0 ? 'not at all' : 'once'}`, async () => {
			const { sample } = forge();
			const { trackers } = forge().as('alice');
			const text = `Said through ${about}`;
			await sample.forgetRequests();
			await sample.fault(traffic.changes, fault);
			await assert.rejects(changed(trackers.updateTicket(ticket, { comment: text }, wanted())), isForgeError);
			const sent = (await sample.requests()).filter(traffic.isChange);
			assert.equal(sent.length, 1);
			assert.equal(await timesSaid(sample, text), said);
			// A manual retry adds the text once more, and the first attempt doesn't show up later.
			await changed(trackers.updateTicket(ticket, { comment: text }, wanted()));
			assert.equal(await timesSaid(sample, text), said + 1);
		});
	}

	for (const fault of [
		{ kind: 'noDatabase' },
		{ kind: 'contentType' },
		{ kind: 'redirect', to: 'http://portal.test/', status: 302 },
		{ kind: 'status', status: 511 },
		{ kind: 'status', status: 429, headers: { 'Retry-After': '3600' } },
	] satisfies readonly SampleFault[]) {
		test(`a comment and a new ticket wait under ${JSON.stringify(fault)}, and are sent once afterwards`, async () => {
			const { sample } = forge();
			const text = `Waited under ${JSON.stringify(fault)}`;
			const { trackers } = forge().as('alice');
			const rig = writeRig(trackers, { clock: hastyClock });
			try {
				await sample.fault({ area: 'todo' }, fault, 100);
				const wish = { comment: text };
				assert.equal((await rig.writes.write(ticket, wish, wanted())).kind, 'queued');
				const made = { title: text, description: 'It waits.' };
				const submission = { tracker: lantern, ticket: made, looking: wanted() };
				assert.equal((await rig.writes.submit(submission, wanted())).kind, 'queued');
				await sample.clearFaults();
				await rig.sender.sendNow(wanted());
				assert.deepEqual(rig.outbox.items(), []);
				assert.equal(await timesSaid(sample, text), 1);
				const listed = await allItems(trackers.tickets(lantern, wanted()));
				assert.equal(listed.filter(({ title }) => title === text).length, 1);
			} finally {
				rig.dispose();
			}
		});
	}

	for (const fault of [
		{ kind: 'delay', ms: 50 },
		{ kind: 'drip', bytes: 200, everyMs: 1 },
	] satisfies readonly SampleFault[]) {
		test(`the client sends a comment once under a ${fault.kind}, and the forge has it once`, async () => {
			const { sample } = forge();
			const text = `Said through a ${fault.kind}`;
			await sample.forgetRequests();
			await sample.fault(traffic.changes, fault);
			const { events } = await changed(forge().as('alice').trackers.updateTicket(ticket, { comment: text }, wanted()));
			assert.equal(events[0]?.comment?.text, text);
			const sent = (await sample.requests()).filter(traffic.isChange);
			assert.equal(sent.length, 1);
			assert.equal(await timesSaid(sample, text), 1);
		});
	}

	for (const fault of [
		{ kind: 'status', status: 502 },
		{ kind: 'status', status: 503 },
		{ kind: 'status', status: 429, headers: { 'Retry-After': '0' } },
		{ kind: 'reset', at: 'headers' },
		{ kind: 'reset', at: 'middle' },
	] satisfies readonly SampleFault[]) {
		test(`a read retries after the transient fault ${JSON.stringify(fault)}`, async () => {
			const { sample } = forge();
			await sample.forgetRequests();
			await sample.fault(traffic.readingOf(ticket), fault);
			assert.equal((await forge().as('alice').trackers.ticket(ticket, wanted())).id, 3);
			assert.equal(await sample.requestCount(), 2);
		});
	}

	for (const [fault, moment] of [
		[{ kind: 'hang' }, 'asked'],
		[{ kind: 'delay', ms: 60_000 }, 'asked'],
		[{ kind: 'drip', bytes: 1, everyMs: 50 }, 'answered'],
	] satisfies readonly (readonly [SampleFault, 'asked' | 'answered'])[]) {
		test(`an abort ends a call under ${fault.kind} immediately and closes the connection`, async () => {
			const { sample, instance, net } = forge();
			const relay = await startRelay(sample.areas.todo);
			try {
				await sample.fault(traffic.readingOf(ticket), fault);
				const throughRelay = { ...instance, areas: { ...instance.areas, todo: relay.origin } };
				const tokenFor = (): string => sample.tokens.alice;
				const { trackers } = net.connectForge({ instance: throughRelay, me: '~alice', tokenFor });
				const reader = new AbortController();
				const events: string[] = [];
				const ended = assert
					.rejects(trackers.ticket(ticket, reader.signal), isAbort)
					.finally(() => events.push('ended'));
				await relay[moment];
				reader.abort();
				// The forge answers this request only after the aborted call ended.
				await sample.requestCount();
				events.push('answered something else');
				await ended;
				assert.deepEqual(events, ['ended', 'answered something else']);
				// Waiting for the rest of the response would exceed the test's timeout.
				await relay.left;
			} finally {
				await relay.stop();
			}
		});
	}

	for (const status of [301, 302, 303, 307, 308]) {
		test(`the client follows no redirect (${status}) and sends the token to no other host`, async () => {
			const thief = await startLocalServer((_request, response) => response.end('{}'));
			try {
				const { sample } = forge();
				const { trackers } = forge().as('alice');
				await sample.fault({ area: 'todo' }, { kind: 'redirect', to: `${thief.origin}/take`, status }, 2);
				const host = new URL(thief.origin).host;
				for (const work of [
					() => trackers.ticket(ticket, wanted()),
					() => changed(trackers.updateTicket(ticket, { comment: 'hello' }, wanted())),
				]) {
					assert.deepEqual(await problemFrom(work()), { kind: 'redirected', toHost: host });
				}
				assert.deepEqual(thief.seen, []);
			} finally {
				await thief.stop();
			}
		});
	}

	test('a call without a signed-in account sends no request', async () => {
		await forge().sample.forgetRequests();
		const client = forge().withToken('alice', () => undefined);
		assert.deepEqual(await problemFrom(client.trackers.tracker(lantern, wanted())), { kind: 'notSignedIn' });
		assert.deepEqual(await forge().sample.requests(), []);
	});

	for (const area of contentAreas) {
		test(`the client reports a token that ${area} rejects`, async () => {
			const client = forge().withToken('alice', () => 'f'.repeat(32));
			assert.deepEqual(await problemFrom(client.users.user(area, undefined, wanted())), {
				kind: 'tokenRejected',
				area,
			});
		});
	}

	test('error messages contain no token, page or stack trace', async () => {
		const { sample } = forge();
		const { trackers } = forge().as('alice');
		for (const [, fault] of lasting.filter(([, { kind }]) => kind !== 'huge')) {
			await sample.fault(traffic.changes, fault);
			// Setting the current status would send no request.
			const sent = changed(trackers.updateTicket(ticket, { comment: 'Words' }, wanted()));
			const error = await sent.catch((reason: unknown) => reason);
			const text = isForgeError(error) ? `${error.message} ${JSON.stringify(error.problem)}` : '';
			assert.notEqual(text, '');
			assert.ok(!text.includes(sample.tokens.alice));
			assert.doesNotMatch(text, /<\w|\bat \S+:\d+/);
		}
	});

	test(`the sample forge reports no crash in ${dialect}`, async () => {
		assert.deepEqual(await forge().sample.crashes(), []);
	});
});

/** Statuses and error texts of the REST protocol. */
contractSuite('faults over REST', {}, ({ forge }) => {
	teardown(async () => {
		await forge().sample.clearFaults();
	});

	test('the client names a missing scope in the contract’s spelling', async () => {
		const { sample, instance } = forge();
		const spelled = (['trackers:read', 'tickets:read'] as const).flatMap((scope: Scope) =>
			restProtocol(instance).grantsOf(scope),
		);
		const token = await sample.token('alice', spelled);
		const { trackers } = forge().withToken('alice', () => token);
		assert.equal((await trackers.tracker(lantern, wanted())).name, 'lantern');
		const create = await problemFrom(trackers.create({ name: 'not-allowed' }, wanted()));
		assert.equal(create.kind === 'missingScope' && create.scope, 'trackers:write');
		const comment = await problemFrom(changed(trackers.updateTicket(ticket, { comment: 'hello' }, wanted())));
		assert.equal(comment.kind === 'missingScope' && comment.scope, 'tickets:write');
	});

	test('the token request names the scope that the call needs', async () => {
		const wishes: unknown[] = [];
		const { sample } = forge();
		const { trackers, users } = forge().withToken('alice', (wish) => {
			wishes.push(wish);
			return sample.tokens.alice;
		});
		await trackers.ticket(ticket, wanted());
		await changed(trackers.updateTicket(ticket, { move: { kind: 'reopen' } }, wanted()));
		await users.user('lists', undefined, wanted());
		assert.deepEqual(wishes, [
			{ area: 'todo', scope: 'tickets:read' },
			{ area: 'todo', scope: 'tickets:write' },
			{ area: 'lists', scope: undefined },
		]);
	});

	test('the identity service uses the same HTTP client', async () => {
		const { net, instance, sample } = forge();
		const request = { instance, area: 'meta', method: 'GET', path: '/api/user/profile', signal: wanted() } as const;
		const good = await net.request({ ...request, token: sample.tokens.alice });
		assert.equal(good.status, 200);
		assert.match(good.text, /alice@forge\.test/);
		const bad = await net.request({ ...request, token: 'f'.repeat(32) });
		assert.equal(bad.status, 401);
		assert.match(bad.text, /OAuth token/);
		await assert.rejects(net.request({ ...request, path: '//evil.example/../x' }), isForgeError);
	});
});
