import assert from 'node:assert/strict';
import {
	fieldsOf,
	startSampleForge,
	type CallOptions,
	type RawAnswer,
	type SampleForge,
} from '../../../test/support/sampleForge.ts';

const devel = '/api/lists/lantern-devel';
const short = { id: 2, name: 'lantern-devel', owner: { canonical_name: '~alice', name: 'alice' } };

suite('Sample forge, field dialect: lists', () => {
	let forge: SampleForge;

	suiteSetup(async () => {
		forge = await startSampleForge({ dialect: 'field', series: 60 });
	});

	suiteTeardown(async () => {
		await forge.stop();
	});

	const lists = async (method: string, path: string, body?: unknown, options: CallOptions = {}): Promise<RawAnswer> =>
		await forge.call('lists', method, path, body === undefined ? options : { ...options, body });
	const get = async (path: string, options: CallOptions = {}): Promise<RawAnswer> =>
		await lists('GET', path, undefined, options);
	const asBob = (): CallOptions => ({ token: forge.tokens.bob });

	const assertHtml = (answer: RawAnswer, status: number): void => {
		assert.equal(answer.status, status);
		assert.equal(answer.headers.get('content-type'), 'text/html; charset=utf-8');
	};
	const assertErrors = (answer: RawAnswer, status: number, ...errors: readonly object[]): void => {
		assert.equal(answer.status, status, answer.text);
		assert.deepEqual(answer.json, { errors });
	};
	const missing = { reason: '404 not found' };

	const resultsOf = async (path: string): Promise<readonly Readonly<Record<string, unknown>>[]> => {
		const { json } = await get(path);
		const { results } = fieldsOf(json);
		return Array.isArray(results) ? results.map(fieldsOf) : [];
	};
	/** The newest patchset with a subject. */
	const setOf = async (subject: string): Promise<Readonly<Record<string, unknown>>> =>
		(await resultsOf(`${devel}/patchsets`)).find((set) => set['subject'] === subject) ?? {};

	test('the owner can create, describe, read and delete a list', async () => {
		const made = await lists('POST', '/api/lists', { name: 'devel', description: 'Development *list* — ü' });
		const owner = { canonical_name: '~alice', name: 'alice' };
		const everything = ['browse', 'reply', 'post', 'normal'];
		assert.equal(made.status, 201);
		const { id, created, updated, ...rest } = fieldsOf(made.json);
		assert.ok(Number.isInteger(id));
		assert.equal(created, updated);
		assert.match(String(created), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/);
		assert.deepEqual(rest, {
			name: 'devel',
			owner,
			description: 'Development *list* — ü',
			permissions: { nonsubscriber: everything, subscriber: everything, account: everything },
		});
		assert.equal((await get('/api/subscriptions')).at('results', 0, 'list', 'name'), 'devel');
		const put = await lists('PUT', '/api/lists/devel', { description: null, name: 'other' });
		assert.deepEqual([put.status, put.at('description'), put.at('name')], [200, null, 'devel']);
		assert.deepEqual((await get('/api/user/alice@forge.test/lists/devel', asBob())).json, put.json);
		assert.equal((await lists('PUT', '/api/user/~alice/lists/devel', {})).status, 405);
		const gone = await lists('DELETE', '/api/lists/devel');
		assert.deepEqual([gone.status, gone.text], [204, '']);
		assertErrors(await get('/api/lists/devel'), 404, missing);
	});

	test('rejects bad names, and crashes on one that is too long', async () => {
		const post = async (body: object): Promise<RawAnswer> => await lists('POST', '/api/lists', body);
		assertErrors(await post({}), 400, { field: 'name', reason: 'Name is required' });
		assertErrors(await post({ name: null }), 400, { field: 'name', reason: 'name may not be null' });
		for (const name of ['Upper', '1st', 'a b', '<csrf>']) {
			assert.equal((await post({ name })).at('errors', 0, 'field'), 'name', name);
		}
		assert.equal((await post({ name: 'lantern-devel' })).status, 400);
		assert.equal((await post({ name: 'x', description: 'd'.repeat(2048) })).at('errors', 0, 'field'), 'description');
		assertHtml(await post({ name: 'n'.repeat(129) }), 500);
	});

	test('shows lists of others unless the caller has no permission there', async () => {
		const names = async (options: CallOptions): Promise<unknown> =>
			(await get('/api/user/~bob/lists', options)).at('results', 0, 'name');
		assert.equal(await names(asBob()), 'private-club');
		assert.equal(await names({}), 'wick-devel');
		assertErrors(await get('/api/user/~bob/lists/private-club'), 404, missing);
		assertErrors(await get('/api/user/~bob/lists/private-club/posts'), 404, missing);
		assertErrors(await get('/api/user/~nobody/lists'), 404, missing);
		assertErrors(await get('/api/user/alice/lists'), 404, missing);
	});

	test('finds a mail by number and by Message-ID with brackets, with any user in the path', async () => {
		const posts = await resultsOf(`${devel}/posts?search=${encodeURIComponent('"Welcome to the list"')}`);
		const first = posts.at(-1)!;
		const mail = await get(`/api/emails/${String(first['id'])}`);
		const { envelope, ...rest } = fieldsOf(mail.json);
		assert.deepEqual(rest, {
			id: first['id'],
			created: '2024-03-01T10:24:02+00:00',
			subject: 'Welcome to the list',
			message_id: first['message_id'],
			parent_id: null,
			thread_id: null,
			list: short,
			sender: { canonical_name: '~alice', name: 'alice' },
			patchset: null,
			is_patch: false,
			is_request_pull: false,
			replies: 3,
			participants: 3,
		});
		assert.match(String(envelope), /^From nobody Fri Mar {2}1 10:24:02 2024\r\nFrom: =\?UTF-8\?q\?Alice=20/);
		const [head = '', body = ''] = String(envelope).split('\r\n\r\n');
		assert.match(head, /\r\nContent-Transfer-Encoding: base64(?:\r\n|$)/);
		assert.match(Buffer.from(body, 'base64').toString(), /^Hello everyone,\r?\n\r?\n/);
		const byId = encodeURIComponent(String(first['message_id']));
		assert.deepEqual((await get(`/api/emails/${byId}`)).json, mail.json);
		assert.deepEqual((await get(`/api/user/~whoever/emails/${byId}`)).json, mail.json);
		assertErrors(
			await get(`/api/emails/${encodeURIComponent(String(first['message_id']).slice(1, -1))}`),
			404,
			missing,
		);
		assertErrors(await get('/api/emails/99999999'), 404, missing);
	});

	test('finds a mail with a slash in its Message-ID only by number', async () => {
		const [mail] = await resultsOf('/api/user/~alice/lists/lantern-users/posts?search=message-id:%2F');
		const id = String(mail?.['message_id']);
		assert.match(id, /\//);
		assertErrors(await get(`/api/emails/${encodeURIComponent(id)}`), 404, missing);
		assert.equal((await get(`/api/emails/${String(mail?.['id'])}`)).at('message_id'), id);
	});

	test('a thread is a bare array of long mails, unsorted after the first; a reply has no thread', async () => {
		const [first] = (await resultsOf(`${devel}/posts?search=%22Welcome%20to%20the%20list%22`)).toReversed();
		const { json } = await get(`/api/thread/${String(first?.['id'])}`);
		assert.ok(Array.isArray(json));
		const mails = json.map(fieldsOf);
		const ids = mails.map(({ id }) => Number(id));
		assert.equal(ids[0], first?.['id']);
		assert.notDeepEqual(
			ids,
			ids.toSorted((a, b) => a - b),
		);
		assert.ok(mails.every(({ envelope }) => typeof envelope === 'string'));
		assert.deepEqual(
			mails.slice(1).map(({ replies, participants }) => [replies, participants]),
			[
				[0, 1],
				[0, 1],
				[0, 1],
			],
		);
		assertErrors(await get(`/api/thread/${ids[1]}`), 404, missing);
		assert.deepEqual((await get(`/api/user/~x/thread/${ids[0]}`)).json, json);
	});

	test('mails without access are a 403 page', async () => {
		const club = await get('/api/lists/private-club/posts', asBob());
		const id = String(club.at('results', 0, 'id'));
		assert.equal((await get(`/api/emails/${id}`, asBob())).status, 200);
		assertHtml(await get(`/api/emails/${id}`), 403);
		assertHtml(await get(`/api/thread/${id}`), 403);
		const sent = await resultsOf('/api/user/~bob/emails?start=');
		assert.ok(sent.length > 0);
		assert.ok(sent.every(({ list }) => fieldsOf(list)['name'] !== 'private-club'));
	});

	test('posts are the first mails of threads in short form, 50 per page', async () => {
		const first = await get(`${devel}/posts`);
		const total = Number(first.at('total'));
		assert.equal(first.at('results_per_page'), 50);
		const mails = await resultsOf(`${devel}/posts`);
		assert.equal(
			Object.keys(mails[0]!).join(' '),
			'id created subject message_id parent_id thread_id list sender patchset',
		);
		assert.ok(mails.every(({ thread_id: thread }) => thread === null));
		const users = '/api/user/~alice/lists/lantern-users/posts?search=e';
		const page = await get(users);
		assert.equal(typeof page.at('next'), 'string');
		const rest = await get(`${users}&start=${String(page.at('next'))}`);
		assert.equal(rest.at('results', 0, 'id'), Number(page.at('next')));
		assert.ok(total > 10);
		assertHtml(await get(`${devel}/posts?start=x`), 500);
	});

	test('the search matches words, people, status and headers, and rejects an open quotation', async () => {
		const found = async (search: string): Promise<number> =>
			Number((await get(`${devel}/posts?search=${encodeURIComponent(search)}`)).at('total'));
		const all = await found('!is:nothing');
		assert.equal((await found('is:patch')) + (await found('!is:patch')), all);
		assert.equal((await found('is:thread')) + (await found('is:reply')), all);
		assert.equal(await found('from:~carol'), await found('from:carol@forge.test'));
		assert.ok((await found('from:~carol')) > 5);
		assert.equal(await found('from:me'), 0);
		assert.ok((await found('status:rejected is:patch')) > 0);
		assert.ok((await found("prefix:'v2 lantern'")) > 0);
		assert.ok((await found('x-mailer:git-send-email')) > 20);
		assert.equal(await found('"one voice" is:patch'), await found('one\\ voice is:patch'));
		const broken = await get(`${devel}/posts?search=%22open`);
		assertErrors(broken, 400, { reason: 'No closing quotation' });
		assert.ok((await found('sender-timestamp:1793433600')) > 0);
		for (const day of ['2026-11-01', '>1793433600', '']) {
			const refused = await get(`${devel}/posts?search=${encodeURIComponent(`!sender-timestamp:${day}`)}`);
			assertErrors(refused, 400, { reason: 'sender-timestamp takes seconds since 1970' });
		}
	});

	test('a patchset has a short form, without list, cover letter and successor', async () => {
		const set = await setOf('manual: one voice');
		assert.equal(
			Object.keys(set).join(' '),
			'id created updated subject prefix version status submitter reply_to message_id',
		);
		assert.deepEqual(
			[set['prefix'], set['version'], set['status'], set['submitter'], set['reply_to']],
			['lantern', 3, 'applied', 'Carol Nakamura <carol@forge.test>', null],
		);
		assert.deepEqual((await get(`${devel}/patchsets/${String(set['id'])}`)).json, set);
		assert.deepEqual((await get(`/api/user/~alice/lists/lantern-devel/patchsets/${String(set['id'])}`)).json, set);
		assert.equal((await setOf('po: "Datei nicht gefunden" mit Vorschlag für später'))['prefix'], null);
	});

	test('the patches of a set are in order, and only the thread has the cover letter', async () => {
		const set = await setOf('manual: one voice');
		const patches = await resultsOf(`${devel}/patchsets/${String(set['id'])}/patches`);
		assert.deepEqual(
			patches.map(({ subject }) => String(subject).slice(0, 24)),
			['[PATCH lantern v3 1/3] m', '[PATCH lantern v3 2/3] m', '[PATCH lantern v3 3/3] m'],
		);
		assert.ok(patches.every(({ is_patch: isPatch }) => isPatch === true));
		assert.equal(patches.at(-1)?.['message_id'], set['message_id']);
		const thread = await get(`/api/thread/${String(patches[0]?.['parent_id'])}`);
		assert.equal(thread.at(0, 'subject'), '[PATCH lantern v3 0/3] manual: one voice');
		assert.equal(thread.at(0, 'is_patch'), false);
		assert.equal(thread.at(0, 'patchset', 'id'), set['id']);
	});

	test('the second page of a series over fifty repeats its own cursor', async () => {
		const many = await get('/api/lists/many/patchsets');
		const path = `/api/lists/many/patchsets/${String(many.at('results', 0, 'id'))}/patches`;
		const first = await get(path);
		assert.equal(first.at('total'), 60);
		const second = await get(`${path}?start=${String(first.at('next'))}`);
		assert.equal(second.at('next'), first.at('next'));
	});

	test('an invalid number crashes, and a patchset of another list is 404', async () => {
		assertHtml(await get(`${devel}/patchsets/abc`), 500);
		assertHtml(await get('/api/subscriptions/abc'), 500);
		const set = await setOf('manual: one voice');
		assertErrors(await get(`/api/lists/lantern-users/patchsets/${String(set['id'])}`), 404, missing);
	});

	test('only the list owner with the write scope can set the status of a patchset', async () => {
		const id = String((await setOf('build: a target for fuzzing'))['id']);
		const path = `${devel}/patchsets/${id}`;
		const explicit = `/api/user/~alice/lists/lantern-devel/patchsets/${id}`;
		const moved = await lists('PUT', path, { status: 'applied' });
		assert.deepEqual([moved.status, moved.at('status')], [200, 'applied']);
		assert.notEqual(moved.at('updated'), moved.at('created'));
		assert.equal((await lists('PUT', explicit, { status: 'proposed' })).at('status'), 'proposed');
		assertHtml(await lists('PUT', explicit, { status: 'applied' }, { token: forge.tokens.dave }), 401);
		const token = await forge.token('alice', ['lists.sr.ht/patches:read']);
		assertErrors(await lists('PUT', path, { status: 'applied' }, { token }), 403, {
			reason: 'Your OAuth token is not permitted to use this endpoint (needs aaaa000000000006/patches:write)',
		});
		assertErrors(await lists('PUT', path, {}), 400, { field: 'status', reason: 'status should be an str' });
		assertErrors(await lists('PUT', path, { status: null }), 400, {
			field: 'status',
			reason: 'status may not be null',
		});
		assert.equal((await lists('PUT', path, { status: 'unknown' })).status, 400);
		const tool = { icon: 'success', details: 'built', key: 'x' };
		assert.deepEqual((await lists('PUT', `${path}/tools`, tool)).json, {});
		assert.equal((await lists('PUT', `${path}/tools`, { ...tool, icon: 'sun' })).status, 400);
	});

	test('a user can create a subscription once, read it and delete it, and others cannot', async () => {
		const post = async (list: unknown): Promise<RawAnswer> =>
			await lists('POST', '/api/subscriptions', { list }, asBob());
		const made = await post('alice@forge.test/lantern-users');
		assert.equal(made.status, 201);
		const { id, created: _created, ...rest } = fieldsOf(made.json);
		assert.deepEqual(rest, { list: { ...short, id: 3, name: 'lantern-users' } });
		const path = `/api/subscriptions/${String(id)}`;
		assert.deepEqual((await get(path, asBob())).json, made.json);
		assertHtml(await get(path), 403);
		assertErrors(await post('~alice/lantern-users'), 400, {
			field: 'list',
			reason: 'You are already subscribed to this list.',
		});
		assertErrors(await post('lantern-users'), 400, {
			field: 'list',
			reason: 'Invalid list name specified - expected owner/list-name',
		});
		assertHtml(await post('~alice/lantern/users'), 500);
		assertErrors(await post('~alice/none'), 404, missing);
		const hidden = await lists('POST', '/api/subscriptions', { list: '~bob/private-club' });
		assert.deepEqual([hidden.status, hidden.at('errors', 0, 'field')], [403, 'list']);
		assert.equal((await lists('DELETE', path, undefined, asBob())).status, 204);
		assertErrors(await lists('DELETE', path, undefined, asBob()), 404, missing);
	});

	test('creating a webhook of a list needs browse permission, listing does not', async () => {
		const path = '/api/user/~bob/lists/private-club/webhooks';
		const hook = await lists('POST', path, { url: 'http://127.0.0.1:9/', events: ['post:received'] });
		assert.deepEqual([hook.status, hook.at('errors', 0, 'field')], [403, 'list']);
		assert.equal((await get(path)).status, 200);
	});

	test('web pages exist for the links of the API', async () => {
		const open: CallOptions = { token: null };
		const set = await setOf('fold: nest as deep as you like');
		const id = String(set['id']);
		const mail = encodeURIComponent(String(set['message_id']));
		const paths = [
			'/~alice',
			'/~alice/lantern-devel',
			'/~alice/lantern-devel/patches',
			`/~alice/lantern-devel/${mail}`,
		];
		for (const path of [...paths, `/~alice/lantern-devel/patches/${id}`]) {
			assertHtml(await get(path, open), 200);
		}
		assert.match((await get(`/~alice/lantern-devel/patches/${id}/mbox`, open)).text, /^From nobody /);
		assert.match((await get(`/~alice/lantern-devel/${mail}/raw`, open)).text, /^From: Bob Builder /);
		assertHtml(await get('/~bob/private-club', open), 404);
		assert.deepEqual(await forge.crashes(), []);
	});
});
