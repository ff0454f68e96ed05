import assert from 'node:assert/strict';
import { askGraphql, type GraphqlQuestion } from '../../../test/support/askGraphql.ts';
import {
	fieldsOf,
	partOf,
	type RawAnswer,
	type SampleForge,
	startSampleForge,
} from '../../../test/support/sampleForge.ts';

const startMs = Date.UTC(2026, 10, 1);
const minuteMs = 60_000;

suite('Sample forge, graphql dialect: lists', () => {
	let forge: SampleForge;

	suiteSetup(async () => {
		forge = await startSampleForge({ dialect: 'graphql' });
	});

	suiteTeardown(async () => {
		await forge.stop();
	});

	const ask = async (query: string, question: GraphqlQuestion = {}): Promise<RawAnswer> =>
		await askGraphql(forge, query, { area: 'lists', ...question });

	const data = async (query: string, question?: GraphqlQuestion): Promise<unknown> => {
		const answer = await ask(query, question);
		assert.equal(answer.at('errors'), undefined, answer.text);
		return answer.at('data');
	};

	let count = 0;

	/** A new empty list of alice. */
	async function makeList(visibility = 'PUBLIC'): Promise<{ readonly name: string; readonly id: number }> {
		const name = `made-${++count}`;
		const made = await data(`mutation{createMailingList(name:"${name}",visibility:${visibility}){id}}`);
		return { name, id: Number(partOf(made, ['createMailingList', 'id'])) };
	}

	interface Draft {
		readonly id: string;
		readonly subject?: string;
		readonly answers?: string;
		readonly text?: string;
		readonly from?: string;
		readonly atMs?: number;
	}

	function rawMail({
		id,
		subject = 'Topic',
		answers,
		text = 'Hello',
		from = 'Bob Builder <bob@forge.test>',
	}: Draft): string {
		return [
			`Message-ID: <${id}@lab.example>`,
			...(answers === undefined ? [] : [`In-Reply-To: <${answers}@lab.example>`]),
			`From: ${from}`,
			'To: ~alice/devel@lists.forge.test',
			`Subject: ${subject}`,
			'',
			...text.split('\n'),
			'',
		].join('\r\n');
	}

	async function archive(name: string, drafts: readonly Draft[]): Promise<readonly number[]> {
		const mails = drafts.map((draft, at) => ({ mail: rawMail(draft), atMs: draft.atMs ?? startMs + at * minuteMs }));
		const { ids } = fieldsOf(await forge.act('/lists/archive', { list: `~alice/${name}`, mails }));
		assert.ok(Array.isArray(ids));
		return ids.map(Number);
	}

	/** Numbers on each page; ends with a page without new ones. */
	async function pagesOf(query: string, ...path: readonly string[]): Promise<readonly (readonly number[])[]> {
		const pages: (readonly number[])[] = [];
		const known = new Set<number>();
		let cursor: unknown = null;
		do {
			const page = partOf(await data(`query($c:Cursor){${query}}`, { variables: { c: cursor } }), path);
			const results = partOf(page, ['results']);
			assert.ok(Array.isArray(results));
			const ids = results.map((each: unknown) => Number(partOf(each, ['id']) ?? partOf(each, ['root', 'id'])));
			const isNew = ids.some((id) => !known.has(id));
			ids.forEach((id) => known.add(id));
			pages.push(ids);
			cursor = isNew ? partOf(page, ['cursor']) : null;
		} while (cursor !== null);
		return pages;
	}

	const ofList = (name: string, field: string, wanted: string): Promise<readonly (readonly number[])[]> =>
		pagesOf(
			`user(username:"alice"){list(name:"${name}"){${field}(cursor:$c){cursor results{${wanted}}}}}`,
			'user',
			'list',
			field,
		);

	const sizes = (pages: readonly (readonly number[])[]): readonly number[] => pages.map(({ length }) => length);

	const topics = (many: number, atMs: (at: number) => number): readonly Draft[] =>
		Array.from({ length: many }, (_, at) => ({ id: `t${count}-${at}`, atMs: atMs(at) }));

	test('pages lose mails with fractions of a second in their time', async () => {
		const { name } = await makeList();
		await archive(
			name,
			topics(86, (at) => startMs + at * minuteMs + 500),
		);
		// As in the recorded answers "emails (one a minute, .5 s)".
		assert.deepEqual(sizes(await ofList(name, 'emails', 'id')), [25, 25, 25, 8]);
		assert.deepEqual(sizes(await ofList(name, 'threads', 'root{id}')), [25, 25, 25, 8]);
	});

	test('pages lose no mail of a whole second, but repeat for ever with more than 25 of one second', async () => {
		const { name } = await makeList();
		await archive(
			name,
			topics(60, (at) => startMs + at * minuteMs),
		);
		assert.deepEqual(new Set((await ofList(name, 'emails', 'id')).flat()).size, 60);
		const other = await makeList();
		await archive(
			other.name,
			topics(40, () => startMs),
		);
		const [first, second, ...rest] = await ofList(other.name, 'emails', 'id');
		assert.equal(first?.length, 25);
		assert.deepEqual([second, rest], [first, []]);
	});

	test('replies of a thread have no second page, and blocks name every mail with text of its own', async () => {
		const { name } = await makeList();
		const drafts = [
			{ id: `root${count}` },
			...topics(32, (at) => startMs + (at + 1) * minuteMs + 500).map((draft) => ({
				...draft,
				answers: `root${count}`,
				text: '> Hello\n\nI see.\n\n> Other\n\nNo.',
			})),
			{ id: `silent${count}`, answers: `root${count}`, text: '> Hello', atMs: startMs + 90 * minuteMs },
		];
		const [root = 0, ...answers] = await archive(name, drafts);
		const pages = await pagesOf(
			`email(id:${root}){thread{descendants(cursor:$c){cursor results{id}}}}`,
			'email',
			'thread',
			'descendants',
		);
		assert.deepEqual(new Set(pages.flat()).size, 25);
		const thread = partOf(await data(`{email(id:${root}){thread{replies blocks{key parent children source{id}}}}}`), [
			'email',
			'thread',
		]);
		assert.equal(partOf(thread, ['replies']), 33);
		const blocks = partOf(thread, ['blocks']);
		assert.ok(Array.isArray(blocks));
		assert.deepEqual(
			new Set(blocks.map((block: unknown) => partOf(block, ['source', 'id']))),
			new Set([root, ...answers.slice(0, -1)]),
		);
		assert.equal(partOf(blocks, [1, 'parent']), 0);
		assert.match(String(partOf(blocks, [1, 'key'])), new RegExp(`^${answers[0]}:\\d+-\\d+$`));
	});

	test('the pages of a series of 30 lack the last five, and its mailbox has all in order', async () => {
		const { name } = await makeList();
		const text = 'Why.\n---\n a | 1 +\n\ndiff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1,2 @@\n a\n+b\n-- \n2.39';
		const root = `p${count}-1`;
		await archive(
			name,
			Array.from({ length: 30 }, (_, at) => ({
				id: `p${count}-${at + 1}`,
				subject: `[PATCH ${at + 1}/30] Change`,
				text,
				...(at === 0 ? {} : { answers: root }),
				atMs: startMs + at * minuteMs + 500,
			})),
		);
		const sets = partOf(
			await data(
				`{user(username:"alice"){list(name:"${name}"){patches{results{id status updated created submitter{canonicalName}}}}}}`,
			),
			['user', 'list', 'patches', 'results'],
		);
		const id = Number(partOf(sets, [0, 'id']));
		const pages = await pagesOf(`patchset(id:${id}){patches(cursor:$c){cursor results{id}}}`, 'patchset', 'patches');
		assert.equal(new Set(pages.flat()).size, 25);
		const mbox = await forge.call('lists', 'GET', `/query/patchset/${id}.mbox`);
		const subjects = Array.from(mbox.text.matchAll(/^Subject: \[PATCH (\d+)\/30\]/gm), ([, number]) => Number(number));
		assert.deepEqual(
			subjects,
			Array.from({ length: 30 }, (_, at) => at + 1),
		);
		assert.match(mbox.text, /^From bob@forge\.test .*\nX-Sourcehut-Patchset-Final: proposed\nMessage-ID: /);
		assert.match(mbox.text, /2\.39\n\n\nFrom bob/);
	});

	test('a mail has all its fields, and the patch of a plain mail is an object of nulls', async () => {
		const { name } = await makeList();
		const [id = 0] = await archive(name, [
			{ id: 'told', from: 'stranger@elsewhere.example', text: 'Grün\nover two lines' },
		]);
		const mail = partOf(
			await data(
				`{email(id:${id}){messageID date received body sender{canonicalName ...on Mailbox{name address}} header(want:"from") addressList(want:"To"){address} patch{index count version trailers{name}} patchset{id} parent{id} thread{root{id} participants}}}`,
			),
			['email'],
		);
		assert.deepEqual(mail, {
			messageID: 'told@lab.example',
			date: null,
			received: '2026-11-01T00:00:00Z',
			body: 'Grün\r\nover two lines\r\n',
			sender: {
				canonicalName: ' <stranger@elsewhere.example>',
				name: '',
				address: 'stranger@elsewhere.example',
			},
			header: ['stranger@elsewhere.example'],
			addressList: [{ address: '~alice/devel@lists.forge.test' }],
			patch: { index: null, count: null, version: null, trailers: [] },
			patchset: null,
			parent: null,
			thread: { root: { id }, participants: 0 },
		});
		const message = (wanted: string): Promise<unknown> =>
			data('query($m:String!){user(username:"alice"){list(name:"' + name + '"){message(messageID:$m){id}}}}', {
				variables: { m: wanted },
			});
		assert.deepEqual(await message('<told@lab.example>'), { user: { list: { message: { id } } } });
		assert.deepEqual(await message('told@lab.example'), { user: { list: { message: null } } });
	});

	test('the reply address of an unanswered mail makes the whole mail null', async () => {
		const { name } = await makeList();
		const [id = 0] = await archive(name, [{ id: 'alone' }]);
		const answer = await ask(`{email(id:${id}){id thread{mailto}}}`);
		assert.deepEqual(
			[answer.at('data', 'email'), answer.at('errors', 0, 'message')],
			[null, 'sql: no rows in result set'],
		);
	});

	test('raw mails and mailboxes are complete, ignore Range, and are empty without access', async () => {
		const { name, id: listId } = await makeList('PRIVATE');
		const text = 'From here on\n>From there';
		const [id = 0] = await archive(name, [{ id: 'raw', text }]);
		const raw = await forge.call('lists', 'GET', `/query/email/${id}`, { headers: { Range: 'bytes=0-9' } });
		assert.deepEqual(
			[raw.status, raw.headers.get('content-type'), raw.text],
			[200, 'message/rfc822', rawMail({ id: 'raw', text })],
		);
		const mbox = await forge.call('lists', 'GET', `/query/thread/${id}.mbox`);
		assert.match(mbox.text, /\n>From here on\n>From there\n\n\n$/);
		assert.equal((await forge.call('lists', 'GET', `/query/list/${listId}.mbox`)).text, mbox.text);
		assert.equal((await forge.call('lists', 'GET', `/query/list/${listId}.mbox?since=1`)).text, '');
		for (const path of [`/query/email/${id}`, `/query/thread/${id}.mbox`, `/query/list/${listId}.mbox`]) {
			const others = await forge.call('lists', 'GET', path, { token: forge.tokens.bob });
			assert.deepEqual([others.status, others.text], [200, '']);
		}
		// As in the recorded answer "patchset mbox unknown".
		const missing = await forge.call('lists', 'GET', '/query/patchset/999.mbox');
		assert.deepEqual([missing.status, missing.text], [404, 'Not found\r\n']);
		assert.equal((await forge.call('lists', 'GET', `/query/email/${id}`, { token: null })).status, 401);
	});

	test('a request for a missing raw mail breaks the connection', async () => {
		await assert.rejects(forge.call('lists', 'GET', '/query/email/99999'));
		await forge.reset();
	});

	test('the service accepts a subscription to an invisible list, which makes the listing of all null', async () => {
		const { id } = await makeList('PRIVATE');
		const token = forge.tokens.erin;
		const subscribe = `mutation{mailingListSubscribe(listID:${id}){id}}`;
		const [first, second] = [await data(subscribe, { token }), await data(subscribe, { token })];
		assert.deepEqual(first, second);
		const poisoned = await ask('{subscriptions{results{id ...on MailingListSubscription{list{name}}}}}', { token });
		assert.deepEqual(
			[poisoned.at('data'), poisoned.at('errors', 0, 'message')],
			[{ subscriptions: null }, 'the requested element is null which the schema does not allow'],
		);
		assert.notEqual(
			partOf(await data('{subscriptions{results{id}}}', { token }), ['subscriptions', 'results', 0]),
			undefined,
		);
		const leave = `mutation{mailingListUnsubscribe(listID:${id}){id}}`;
		assert.notEqual(partOf(await data(leave, { token }), ['mailingListUnsubscribe']), null);
		assert.deepEqual(await data(leave, { token }), { mailingListUnsubscribe: null });
		// As in the recorded answer "mailingListSubscribe unknown".
		assert.deepEqual(await data('mutation{mailingListSubscribe(listID:9999){id}}', { token }), {
			mailingListSubscribe: null,
		});
	});

	test('a rejected mutation returns null, except for the removal of a list and for tools', async () => {
		const { id } = await makeList();
		const token = forge.tokens.bob;
		assert.deepEqual(await data(`mutation{updateMailingList(id:${id},input:{description:"x"}){id}}`, { token }), {
			updateMailingList: null,
		});
		assert.deepEqual(await data('mutation{updatePatchset(id:35,status:APPLIED){id}}', { token }), {
			updatePatchset: null,
		});
		const removed = await ask(`mutation{deleteMailingList(id:${id}){id}}`, { token });
		// As in the recorded answer "deleteMailingList by another".
		assert.equal(
			removed.text,
			'{"errors":[{"message":"Access denied","path":["deleteMailingList"]}],"data":{"deleteMailingList":null}}',
		);
		const tool = await ask('mutation{createTool(patchsetID:35,details:"x",icon:FAILED){id}}', { token });
		// As in the recorded answer "createTool by another".
		assert.equal(
			tool.at('errors', 0, 'message'),
			'sql: Scan error on column index 5, name "patchset_id": converting NULL to int is unsupported',
		);
		const taken = await ask('mutation{createMailingList(name:"Lantern-Devel",visibility:PUBLIC){id}}');
		assert.deepEqual(taken.at('errors', 0, 'extensions'), undefined, taken.text);
	});

	test('a patchset accepts every status without a new time, and has the results of tools', async () => {
		const set = (status: string): Promise<unknown> =>
			data(`mutation{updatePatchset(id:35,status:${status}){status updated created}}`);
		for (const status of ['NEEDS_REVISION', 'UNKNOWN', 'APPROVED']) {
			const updatePatchset = fieldsOf(partOf(await set(status), ['updatePatchset']));
			assert.equal(updatePatchset['status'], status);
			assert.equal(updatePatchset['updated'], updatePatchset['created']);
		}
		const tool = await data('mutation{createTool(patchsetID:35,details:"[x](y)",icon:PENDING){id}}');
		const id = Number(partOf(tool, ['createTool', 'id']));
		await data(`mutation{updateTool(id:${id},icon:SUCCESS){id}}`);
		assert.deepEqual(await data('{patchset(id:35){tools{icon details}}}'), {
			patchset: { tools: [{ icon: 'SUCCESS', details: '[x](y)' }] },
		});
	});

	test('versions of a series link each other', async () => {
		const linked = await data('{patchset(id:13){status supersededBy{id supersedes{id}}}}');
		assert.equal(partOf(linked, ['patchset', 'status']), 'SUPERSEDED');
		assert.equal(partOf(linked, ['patchset', 'supersededBy', 'supersedes', 'id']), 13);
	});

	test('a list has the permissions of the caller, its last activity, and an update time that never changes', async () => {
		const fields = 'id rid created updated lastActivity visibility access{browse moderate} defaultACL{moderate}';
		const owned = await data(`{user(username:"alice"){list(name:"lantern-devel"){${fields}}}}`);
		const list = fieldsOf(partOf(owned, ['user', 'list']));
		assert.equal(list['updated'], list['created']);
		assert.ok(String(list['lastActivity']) > String(list['updated']));
		assert.deepEqual(
			[list['access'], list['defaultACL'], list['visibility']],
			[{ browse: true, moderate: true }, { moderate: false }, 'PUBLIC'],
		);
		assert.deepEqual(await data(`{list(rid:"${String(list['rid'])}"){id}}`), { list: { id: list['id'] } });
		const acl = await ask('{user(username:"alice"){list(name:"lantern-devel"){id acl{results{id}}}}}', {
			token: forge.tokens.bob,
		});
		assert.equal(acl.at('data', 'user', 'list'), null);
	});

	test('own mails are unsorted', async () => {
		const [first] = await pagesOf('me{emails(cursor:$c){cursor results{id}}}', 'me', 'emails');
		assert.ok(first);
		assert.equal(first.length, 25);
		assert.notDeepEqual(
			first,
			first.toSorted((a, b) => b - a),
		);
	});

	test('services of 2023 lack newer fields, and find a Message-ID across all lists', async () => {
		const old = await startSampleForge({ dialect: 'graphql', graphqlAge: '2023' });
		try {
			const question = (query: string): Promise<RawAnswer> => askGraphql(old, query, { area: 'lists' });
			for (const [field, type] of [
				['user(username:"alice"){list(name:"x"){lastActivity}}', 'MailingList'],
				['user(username:"alice"){list(name:"x"){message(messageID:"x"){id}}}', 'MailingList'],
				['email(id:1){rawMessage}', 'Email'],
				['patchset(id:1){supersedes{id}}', 'Patchset'],
				['preferences{copySelf}', 'Query'],
			] as const) {
				const answer = await question(`{${field}}`);
				assert.equal(answer.status, 422);
				assert.match(String(answer.at('errors', 0, 'message')), new RegExp(`^Cannot query field .* on type "${type}"`));
			}
			const mail = await question('{email(id:1){messageID envelope}}');
			const messageId = `<${String(mail.at('data', 'email', 'messageID'))}>`;
			const found = await askGraphql(old, 'query($m:String!){message(messageID:$m){id}}', {
				area: 'lists',
				variables: { m: messageId },
			});
			assert.equal(found.at('data', 'message', 'id'), 1);
		} finally {
			await old.stop();
		}
	});

	test('a second page of lists is empty, one of subscriptions repeats the first, both without a cursor', async () => {
		for (let made = 0; made < 26; made += 1) {
			const { id } = await makeList();
			await data(`mutation{mailingListSubscribe(listID:${id}){id}}`);
		}
		const pages = async (query: string, path: readonly string[]): Promise<readonly (readonly unknown[])[]> => {
			const first = await ask(`query($cursor:Cursor){${query}}`);
			const cursor = first.at('data', ...path, 'cursor');
			assert.equal(typeof cursor, 'string');
			const second = await ask(`query($cursor:Cursor){${query}}`, { variables: { cursor } });
			assert.equal(second.at('data', ...path, 'cursor'), null);
			return [first, second].map((page) => {
				const results: unknown = page.at('data', ...path, 'results');
				assert.ok(Array.isArray(results));
				return results.map((each: unknown) => each);
			});
		};
		const [, lists] = await pages('me{lists(cursor:$cursor){cursor results{id}}}', ['me', 'lists']);
		assert.deepEqual(lists, []);
		const [first, again] = await pages('subscriptions(cursor:$cursor){cursor results{id}}', ['subscriptions']);
		assert.deepEqual(again, first);
	});

	test('the tests of this suite caused no crash', async () => {
		assert.deepEqual(await forge.crashes(), []);
	});
});
