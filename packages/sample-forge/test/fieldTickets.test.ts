import assert from 'node:assert/strict';
import {
	fieldsOf,
	partOf,
	startSampleForge,
	type CallOptions,
	type RawAnswer,
	type SampleForge,
} from '../../../test/support/sampleForge.ts';

const lantern = '/api/trackers/lantern';

suite('Sample forge, field dialect: tickets', () => {
	let forge: SampleForge;

	suiteSetup(async () => {
		forge = await startSampleForge({ dialect: 'field', tickets: 65 });
	});

	suiteTeardown(async () => {
		await forge.stop();
	});

	const todo = async (method: string, path: string, body?: unknown, options: CallOptions = {}): Promise<RawAnswer> =>
		await forge.call('todo', method, path, body === undefined ? options : { ...options, body });

	const makeTicket = async (title: string): Promise<string> => {
		const made = await todo('POST', `${lantern}/tickets`, { title });
		return `${lantern}/tickets/${String(made.at('id'))}`;
	};

	const assertHtml = (answer: RawAnswer, status: number): void => {
		assert.equal(answer.status, status);
		assert.equal(answer.headers.get('content-type'), 'text/html; charset=utf-8');
		assert.match(answer.text, /^<!doctype html>/);
	};

	const assertErrors = (answer: RawAnswer, status: number, errors: readonly object[]): void => {
		assert.equal(answer.status, status);
		assert.deepEqual(answer.json, { errors });
	};

	test('a request without a token is 401 and one with a bad token 400, both as JSON', async () => {
		const none = 'No authorization supplied (expected an OAuth token)';
		assertErrors(await todo('GET', '/api/user', undefined, { token: null }), 401, [{ reason: none }]);
		const odd = { token: null, headers: { Authorization: `bearer ${forge.tokens.alice}` } };
		assertErrors(await todo('GET', '/api/user', undefined, odd), 401, [{ reason: none }]);
		const bad = await todo('GET', '/api/user', undefined, { token: 'f'.repeat(32) });
		assertErrors(bad, 400, [{ reason: 'Invalid or expired OAuth token' }]);
	});

	test('accepts the scheme "token", and rejects a header with three parts', async () => {
		const headers = { Authorization: `token ${forge.tokens.alice}` };
		assert.equal((await todo('GET', '/api/user', undefined, { token: null, headers })).status, 200);
		const three = { token: null, headers: { Authorization: `Bearer ${forge.tokens.alice} x` } };
		assertErrors(await todo('GET', '/api/user', undefined, three), 401, [{ reason: 'Invalid authorization supplied' }]);
	});

	test('a read-only token reads everything, and the error of a write names the missing scope', async () => {
		const token = await forge.token('alice', ['profile:read']);
		assert.equal((await todo('GET', '/api/trackers', undefined, { token })).status, 200);
		assertErrors(await todo('POST', '/api/trackers', { name: 'x' }, { token }), 403, [
			{
				reason: 'Your OAuth token is not permitted to use this endpoint (needs aaaa000000000003/trackers:write)',
			},
		]);
	});

	test('an area does not know a user before their first call', async () => {
		assertErrors(await todo('GET', '/api/user/~erin'), 404, [{ reason: '404 not found' }]);
		await todo('GET', '/api/user', undefined, { token: forge.tokens.erin });
		assert.equal((await todo('GET', '/api/user/~erin')).status, 200);
		assert.equal((await todo('GET', '/api/user/alice')).status, 404);
	});

	test('parses a body as JSON only for the exact content type', async () => {
		const headers = { 'Content-Type': 'application/json; charset=utf-8' };
		const charset = await todo('POST', '/api/trackers', { name: 'charset' }, { headers });
		assertErrors(charset, 400, [{ field: 'name', reason: 'Name is required' }]);
		const broken = await todo('POST', '/api/trackers', '{"name":');
		assertErrors(broken, 400, [{ reason: 'Invalid JSON provided' }, { field: 'name', reason: 'Name is required' }]);
		const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
		assert.equal((await todo('POST', '/api/trackers', 'name=by-form', { headers: form })).status, 201);
	});

	test('a new tracker has the recorded shape and permissions', async () => {
		const made = await todo('POST', '/api/trackers', { name: 'alpha', description: 'The *main* tracker — ünicode' });
		assert.equal(made.status, 201);
		const { created, updated, id, ...rest } = fieldsOf(made.json);
		assert.equal(typeof id, 'number');
		assert.match(String(created), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/);
		assert.equal(created, updated);
		assert.deepEqual(rest, {
			owner: { canonical_name: '~alice', name: 'alice' },
			name: 'alpha',
			description: 'The *main* tracker — ünicode',
			default_permissions: {
				anonymous: ['browse', 'submit', 'comment'],
				submitter: ['browse', 'comment', 'edit'],
				user: ['browse', 'submit', 'comment'],
			},
		});
		assert.match(made.text, /\\u2014 \\u00fcnicode/);
		assertErrors(await todo('POST', '/api/trackers', { name: 'ALPHA' }), 400, [
			{ field: 'name', reason: 'A tracker by this name already exists' },
		]);
		assertErrors(await todo('POST', '/api/trackers', { name: '1abc' }), 400, [
			{ field: 'name', reason: 'Only alphanumeric characters or <samp>._-</samp>' },
		]);
		assert.equal((await todo('GET', '/api/trackers/alph_')).at('name'), 'alpha');
		assert.equal((await todo('DELETE', '/api/user/~alice/trackers/alpha')).status, 204);
		assert.equal((await todo('DELETE', '/api/trackers/alpha')).status, 404);
	});

	test('a wildcard that matches two trackers crashes the server', async () => {
		assertHtml(await todo('GET', '/api/trackers/%25'), 500);
	});

	test('the next cursor of tickets repeats rows, and start takes a ticket number', async () => {
		const first = await todo('GET', '/api/trackers/many/tickets');
		assert.equal(first.at('total'), 65);
		assert.equal(first.at('results', 0, 'id'), 65);
		assert.equal(first.at('results', 49, 'id'), 16);
		const next = String(first.at('next'));
		assert.ok(Number(next) > 65, 'next carries a row id');
		const followed = await todo('GET', `/api/trackers/many/tickets?start=${next}`);
		assert.deepEqual(followed.json, first.json);
		const own = await todo('GET', '/api/trackers/many/tickets?start=15');
		assert.equal(own.at('next'), null);
		assert.equal(own.at('results', 0, 'id'), 15);
		assert.equal(own.at('results', 14, 'id'), 1);
		assertHtml(await todo('GET', '/api/trackers/many/tickets?start=x'), 500);
	});

	test('a missing ticket is a 500 page, and its events are a 404', async () => {
		assertHtml(await todo('GET', `${lantern}/tickets/99999`), 500);
		assertHtml(await todo('PUT', `${lantern}/tickets/99999`, {}), 500);
		assertErrors(await todo('GET', `${lantern}/tickets/99999/events`), 404, [{ reason: '404 not found' }]);
	});

	test('a wrong method is a 405 page, and Allow has the right methods', async () => {
		const answer = await todo('POST', `${lantern}/labels`, {});
		assertHtml(answer, 405);
		assert.equal(answer.headers.get('allow'), 'GET, HEAD, OPTIONS');
	});

	test('a comment with a resolution makes one event, with null for reported and unresolved', async () => {
		const path = await makeTicket('No description');
		const sent = { comment: 'Fixed in abc123', status: 'resolved', resolution: 'implemented' };
		const put = await todo('PUT', path, sent);
		assert.equal(put.status, 200);
		assert.equal(put.at('ticket', 'status'), 'resolved');
		assert.equal(put.at('ticket', 'resolution'), 'implemented');
		assert.equal(put.at('events', 'length'), 1);
		const { id: _id, created: _created, ticket, comment, ...event } = fieldsOf(put.at('events', 0));
		assert.deepEqual(event, {
			event_type: ['comment', 'status_change'],
			old_status: null,
			old_resolution: null,
			new_status: 'resolved',
			new_resolution: 'implemented',
			user: { type: 'user', canonical_name: '~alice', name: 'alice' },
			label: null,
			by_user: null,
			from_ticket: null,
		});
		assert.deepEqual(Object.keys(fieldsOf(ticket)), ['id', 'ref', 'tracker', 'title']);
		assert.equal(partOf(comment, ['text']), 'Fixed in abc123');
	});

	suite('status changes', () => {
		interface Row {
			readonly from?: { readonly status: string; readonly resolution?: string };
			readonly sends: object;
			readonly ends: string;
			readonly events?: number;
		}
		const rows: readonly Row[] = [
			{ sends: { resolution: 'fixed' }, ends: 'reported/unresolved', events: 0 },
			{ sends: { status: 'reported' }, ends: 'reported/unresolved', events: 0 },
			{ sends: { status: 'resolved' }, ends: '400 resolution is required' },
			{ sends: { status: 'resolved', resolution: 'unresolved' }, ends: '400 resolution is required' },
			{ sends: { status: 'pending' }, ends: '400 resolution is required' },
			{ sends: { status: 'confirmed', resolution: 'fixed' }, ends: 'resolved/fixed', events: 1 },
			{ from: { status: 'pending' }, sends: { status: 'reported' }, ends: 'reported/unresolved', events: 1 },
			{
				from: { status: 'pending' },
				sends: { status: 'confirmed', resolution: 'fixed' },
				ends: 'resolved/fixed',
				events: 1,
			},
			{
				from: { status: 'resolved', resolution: 'fixed' },
				sends: { status: 'reported' },
				ends: 'reported/fixed',
				events: 1,
			},
			{
				from: { status: 'resolved', resolution: 'fixed' },
				sends: { status: 'resolved', resolution: 'invalid' },
				ends: 'resolved/fixed',
				events: 0,
			},
			{
				from: { status: 'resolved', resolution: 'fixed' },
				sends: { status: 'pending', resolution: 'invalid' },
				ends: 'resolved/invalid',
				events: 1,
			},
			{
				from: { status: 'resolved', resolution: 'fixed' },
				sends: { status: 'pending', resolution: 'fixed' },
				ends: '500',
			},
			{ sends: { status: 7 }, ends: '400 status should be an str' },
			{ sends: { status: 'done' }, ends: '400 status should be a valid TicketStatus' },
		];
		for (const { from, sends, ends, events } of rows) {
			const start = from === undefined ? 'reported' : `${from.status}/${from.resolution ?? 'unresolved'}`;
			test(`${start}, sent ${JSON.stringify(sends)}: ${ends}`, async () => {
				const path = await makeTicket('A ticket to move');
				if (from !== undefined) {
					const ticket = `~alice/lantern#${path.slice(path.lastIndexOf('/') + 1)}`;
					await forge.act('/todo/status', { ticket, ...from });
				}
				const put = await todo('PUT', path, sends);
				if (put.status === 200) {
					assert.equal(put.at('events', 'length'), events);
				}
				const ended = fieldsOf((await todo('GET', path)).json);
				const said =
					put.status === 200
						? `${String(ended['status'])}/${String(ended['resolution'])}`
						: put.status === 500
							? '500'
							: `${put.status} ${String(put.at('errors', 0, 'reason'))}`;
				assert.equal(said, ends);
			});
		}
	});

	test('a write of labels replaces the whole set, with one event per label', async () => {
		const path = await makeTicket('abc');
		const added = await todo('PUT', path, { labels: ['ui', 'bug'] });
		assert.deepEqual(added.at('ticket', 'labels'), ['bug', 'ui']);
		assert.deepEqual(added.at('events', 0, 'event_type'), ['label_added']);
		assert.equal(added.at('events', 0, 'label'), 'ui');
		assertErrors(await todo('PUT', path, { labels: ['ui', 'nosuch'] }), 400, [
			{ field: 'labels', reason: 'Unknown label nosuch' },
		]);
		assert.deepEqual((await todo('GET', path)).at('labels'), ['ui'], 'the removal before the error was kept');
		assertHtml(await todo('PUT', path, { labels: null }), 500);
	});

	test('a write of labels without triage permission gets a 401 page and still changes them', async () => {
		const path = await makeTicket('Not for bob');
		const explicit = path.replace('/api/', '/api/user/~alice/');
		await todo('PUT', path, { labels: ['bug'] });
		const token = forge.tokens.bob;
		assertHtml(await todo('PUT', explicit, { status: 'resolved', resolution: 'fixed' }, { token }), 401);
		assertHtml(await todo('PUT', explicit, { labels: [] }, { token }), 401);
		assert.deepEqual((await todo('GET', path)).at('labels'), []);
		assert.equal((await todo('PUT', explicit, { comment: 'But I may comment' }, { token })).status, 200);
	});

	test('a tracker without any permission is 404, a missing single permission 401', async () => {
		const path = '/api/user/~bob/trackers/private-notes';
		assert.equal((await todo('GET', path, undefined, { token: forge.tokens.bob })).status, 200);
		for (const rest of ['', '/tickets', '/labels']) {
			assertErrors(await todo('GET', `${path}${rest}`), 404, [{ reason: '404 not found' }]);
		}
		const announce = '/api/user/~alice/trackers/announce';
		const sent = { title: 'May I?' };
		assertHtml(await todo('POST', `${announce}/tickets`, sent, { token: forge.tokens.bob }), 401);
		assertHtml(await todo('PUT', announce, { description: 'x' }, { token: forge.tokens.bob }), 401);
	});

	test('an edited comment gets a new id, and its old id crashes', async () => {
		const path = await makeTicket('With a comment');
		const said = await todo('PUT', path, { comment: 'first words' });
		const old = Number(said.at('events', 0, 'comment', 'id'));
		const edited = await todo('PUT', `${path}/comments/${old}`, { text: 'better words' });
		assert.equal(edited.status, 200);
		assert.notEqual(edited.at('id'), old);
		assert.equal((await todo('GET', `${path}/events`)).at('results', 0, 'comment', 'text'), 'better words');
		assertHtml(await todo('PUT', `${path}/comments/${old}`, { text: 'again' }), 500);
	});

	test('a mention updates the time of the mentioned ticket', async () => {
		const old = `${lantern}/tickets/40`;
		const before = String((await todo('GET', old)).at('updated'));
		await todo('PUT', await makeTicket('Mentions an old one'), { comment: 'Like #40' });
		const updated = String((await todo('GET', old)).at('updated'));
		assert.ok(updated > before);
		assert.equal(updated, (await todo('GET', `${old}/events`)).at('results', 0, 'created'));
	});

	test('the mentioned ticket gets an event, a mentioned user does not', async () => {
		const target = await makeTicket('Mentioned later');
		const number = target.slice(target.lastIndexOf('/') + 1);
		const path = await makeTicket('Mentions');
		await todo('PUT', path, { comment: `See #${number}, ~bob` });
		const heard = await todo('GET', `${target}/events`);
		assert.deepEqual(heard.at('results', 0, 'event_type'), ['ticket_mentioned']);
		assert.equal(heard.at('results', 0, 'user'), null);
		assert.equal(heard.at('results', 0, 'by_user', 'name'), 'alice');
		assert.equal(heard.at('results', 0, 'from_ticket', 'title'), 'Mentions');
		assert.equal(heard.at('results', 0, 'comment', 'text'), `See #${number}, ~bob`, 'which is the other ticket’s');
		const commentId = String(heard.at('results', 0, 'comment', 'id'));
		assert.equal((await todo('PUT', `${target}/comments/${commentId}`, { text: 'mine now' })).status, 404);
		assert.equal((await todo('GET', `${path}/events`)).at('total'), 2, 'created and comment');
	});

	test('only the owner can import tickets', async () => {
		const sent = {
			title: 'Brought along',
			external_id: 'oldhub:ada-l',
			external_url: 'https://oldhub.example/ada-l',
			created: '2019-05-06T07:08:09.123456+0000',
		};
		const made = await todo('POST', `${lantern}/tickets`, sent);
		assert.deepEqual(made.at('submitter'), {
			type: 'external',
			external_id: 'oldhub:ada-l',
			external_url: 'https://oldhub.example/ada-l',
		});
		assert.equal(made.at('created'), '2019-05-06T07:08:09+00:00');
		const path = '/api/user/~alice/trackers/lantern/tickets';
		const others = await todo('POST', path, sent, { token: forge.tokens.bob });
		assert.equal(others.at('submitter', 'type'), 'user');
	});

	test('enforces lengths of titles and comments', async () => {
		assertErrors(await todo('POST', `${lantern}/tickets`, {}), 400, [{ field: 'title', reason: 'title is required' }]);
		assert.equal((await todo('POST', `${lantern}/tickets`, { title: 'ab' })).status, 400);
		assert.equal((await todo('POST', `${lantern}/tickets`, { title: 'x'.repeat(2048) })).status, 201);
		assert.equal((await todo('POST', `${lantern}/tickets`, { title: 'abc', description: null })).status, 400);
		const path = await makeTicket('For long words');
		assert.equal((await todo('PUT', path, { comment: 'x'.repeat(16_384) })).status, 200);
		assert.equal((await todo('PUT', path, { comment: 'x'.repeat(16_385) })).status, 400);
		assert.equal((await todo('PUT', path, { comment: null })).status, 400);
		assert.deepEqual((await todo('PUT', path, { comment: '' })).at('events'), []);
	});

	test('the tests of this suite caused no unexpected crash', async () => {
		assert.deepEqual(await forge.crashes(), []);
	});
});
