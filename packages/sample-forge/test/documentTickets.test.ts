import assert from 'node:assert/strict';
import {
	fieldsOf,
	startSampleForge,
	type CallOptions,
	type RawAnswer,
	type SampleForge,
} from '../../../test/support/sampleForge.ts';

const lantern = '/api/trackers/lantern';

suite('Sample forge, document dialect: tickets', () => {
	let forge: SampleForge;

	suiteSetup(async () => {
		forge = await startSampleForge({ dialect: 'document', tickets: 65 });
	});

	suiteTeardown(async () => {
		await forge.stop();
	});

	const todo = async (method: string, path: string, body?: unknown, options: CallOptions = {}): Promise<RawAnswer> =>
		await forge.call('todo', method, path, body === undefined ? options : { ...options, body });

	test('lists are bare arrays without pages', async () => {
		const tickets = await todo('GET', '/api/trackers/many/tickets');
		assert.equal(tickets.at('length'), 65);
	});

	test('trackers have no id, people are short-form users, and short tickets have no title', async () => {
		const ticket = await todo('GET', `${lantern}/tickets/1`);
		assert.deepEqual(Object.keys(fieldsOf(ticket.at('tracker'))), ['owner', 'created', 'updated', 'name']);
		assert.deepEqual(ticket.at('submitter'), { canonical_name: '~alice', name: 'alice' });
		const events = await todo('GET', `${lantern}/tickets/1/events`);
		assert.deepEqual(Object.keys(fieldsOf(events.at(0, 'ticket'))), ['id', 'ref', 'tracker']);
	});

	test('accepts any status and resolution, and events contain both', async () => {
		const path = `${lantern}/tickets/2`;
		const confirmed = await todo('PUT', path, { status: 'in_progress' });
		assert.equal(confirmed.at('ticket', 'status'), 'in_progress');
		assert.equal(confirmed.at('events', 0, 'old_status'), 'reported');
		const resolved = await todo('PUT', path, { status: 'resolved', resolution: 'duplicate' });
		assert.equal(resolved.at('events', 0, 'old_resolution'), 'unresolved');
		const changed = await todo('PUT', path, { resolution: 'fixed' });
		assert.equal(changed.at('ticket', 'resolution'), 'fixed');
		const reopened = await todo('PUT', path, { status: 'reported' });
		assert.equal(reopened.at('ticket', 'resolution'), 'unresolved');
	});

	test('an event names its label in an array', async () => {
		const put = await todo('PUT', `${lantern}/tickets/3`, { labels: ['ui'] });
		assert.deepEqual(put.at('events', 0, 'label'), ['ui']);
	});

	test('a rejected update changes nothing and returns a JSON error', async () => {
		await todo('PUT', `${lantern}/tickets/3`, { labels: ['ui'] });
		const path = '/api/user/~alice/trackers/lantern/tickets/3';
		const refused = await todo('PUT', path, { labels: [] }, { token: forge.tokens.bob });
		assert.equal(refused.status, 403);
		assert.deepEqual(refused.json, { errors: [{ reason: '403 forbidden' }] });
		assert.equal((await todo('PUT', path, { labels: ['bug', 'nosuch'] })).status, 400);
		assert.deepEqual((await todo('GET', path)).at('labels'), ['ui']);
	});

	test('returns JSON errors: 404 for missing resources, 405 for wrong methods, 401 for bad tokens', async () => {
		assert.deepEqual((await todo('GET', `${lantern}/tickets/99999`)).json, { errors: [{ reason: '404 not found' }] });
		assert.equal((await todo('POST', `${lantern}/labels`, {})).at('errors', 0, 'reason'), '405 method not allowed');
		const bad = await todo('GET', '/api/user', undefined, { token: 'f'.repeat(32) });
		assert.equal(bad.status, 401);
		assert.equal(bad.at('errors', 0, 'reason'), 'Invalid or expired OAuth token');
		assert.equal((await todo('GET', '/api/trackers/%25')).status, 404);
	});

	test('each route requires the scope of the contract', async () => {
		const token = await forge.token('alice', ['trackers:read', 'tickets:write']);
		const tries: readonly (readonly [method: string, path: string, body: unknown, status: number])[] = [
			['GET', '/api/trackers', undefined, 200],
			['GET', `${lantern}/labels`, undefined, 200],
			['GET', `${lantern}/tickets`, undefined, 200],
			['PUT', `${lantern}/tickets/1`, {}, 200],
			['POST', '/api/trackers', { name: 'x' }, 403],
			['PUT', lantern, { description: 'x' }, 403],
		];
		for (const [method, path, body, status] of tries) {
			assert.equal((await todo(method, path, body, { token })).status, status, `${method} ${path}`);
		}
		const reader = await forge.token('alice', ['trackers:read']);
		const refused = await todo('GET', `${lantern}/tickets`, undefined, { token: reader });
		assert.equal(refused.status, 403);
		assert.match(String(refused.at('errors', 0, 'reason')), /\(needs tickets:read\)$/);
	});

	test('a mention of a user is an event of the mentioning ticket', async () => {
		const made = await todo('POST', `${lantern}/tickets`, { title: 'Hello', description: 'Look, ~bob' });
		const events = await todo('GET', `${lantern}/tickets/${String(made.at('id'))}/events`);
		assert.deepEqual(events.at(0, 'event_type'), ['user_mentioned']);
		assert.equal(events.at(0, 'user', 'name'), 'bob');
		assert.equal(events.at(0, 'ticket'), null);
		assert.deepEqual(await forge.crashes(), []);
	});
});
