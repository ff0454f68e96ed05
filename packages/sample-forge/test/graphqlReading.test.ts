import assert from 'node:assert/strict';
import { gunzipSync } from 'node:zlib';
import { askGraphql, type GraphqlQuestion } from '../../../test/support/askGraphql.ts';
import {
	fieldsOf,
	partOf,
	type RawAnswer,
	type SampleForge,
	startSampleForge,
} from '../../../test/support/sampleForge.ts';

suite('Sample forge, graphql dialect: reading tickets', () => {
	let forge: SampleForge;

	suiteSetup(async () => {
		forge = await startSampleForge({ dialect: 'graphql', tickets: 63 });
	});

	suiteTeardown(async () => {
		await forge.stop();
	});

	const ask = async (query: string, question?: GraphqlQuestion): Promise<RawAnswer> =>
		await askGraphql(forge, query, question);

	/** Fields of alice's tracker `lantern`. */
	const lantern = async (fields: string, question?: GraphqlQuestion): Promise<unknown> => {
		const answer = await ask(`{user(username:"alice"){tracker(name:"lantern"){${fields}}}}`, question);
		assert.equal(answer.at('errors'), undefined, answer.text);
		return answer.at('data', 'user', 'tracker');
	};

	test('a tracker has a number, a resource id and the permissions of the caller', async () => {
		const own = await lantern('id rid name visibility acl{__typename browse submit comment edit triage}');
		const { rid, ...rest } = fieldsOf(own);
		const acl = { __typename: 'DefaultACL', browse: true, submit: true, comment: true, edit: true, triage: true };
		assert.deepEqual(rest, { id: 1, name: 'lantern', visibility: 'PUBLIC', acl });
		assert.match(String(rid), /^[0-9a-hjkmnp-tv-z]{26}$/);
		const other = await lantern('acl{edit triage comment}', { token: forge.tokens.bob });
		assert.deepEqual(partOf(other, ['acl']), { edit: false, triage: false, comment: true });

		const byRid = await ask(`{tracker(rid:"${String(rid)}"){name}}`);
		assert.equal(byRid.at('data', 'tracker', 'name'), 'lantern');
		assert.equal((await ask(`{tracker(rid:"${'0'.repeat(26)}"){name}}`)).text, '{"data":{"tracker":null}}');
		const malformed = await ask('{tracker(rid:"x"){name}}');
		assert.equal(malformed.at('errors', 0, 'message'), 'Invalid RID');
	});

	test('missing and private resources are both null, without an error', async () => {
		const nulls = '{user(username:"bob"){tracker(name:"private-notes"){id}}}';
		assert.equal((await ask(nulls)).text, '{"data":{"user":{"tracker":null}}}');
		assert.notEqual((await ask(nulls, { token: forge.tokens.bob })).at('data', 'user', 'tracker'), null);
		// As in the recorded answer "user unknown: null without errors".
		assert.equal((await ask('{user(username:"nobody"){id}}')).text, '{"data":{"user":null}}');
		assert.equal((await ask('{user(username:"~bob"){id}}')).text, '{"data":{"user":null}}');
		assert.deepEqual(await lantern('ticket(id:99999){id} label(name:"no such"){id}'), { ticket: null, label: null });
	});

	test('a service knows a user after their first request', async () => {
		const erin = '{user(username:"erin"){canonicalName}}';
		// As in the recorded answer "user".
		assert.equal((await ask(erin)).text, '{"data":{"user":null}}');
		await ask('{version{major}}', { token: forge.tokens.erin, area: 'meta' });
		assert.equal((await ask(erin)).text, '{"data":{"user":null}}');
		await ask('{version{major}}', { token: forge.tokens.erin });
		assert.equal((await ask(erin)).at('data', 'user', 'canonicalName'), '~erin');
		const own = await ask('{trackers{results{name}}}', { token: forge.tokens.bob });
		assert.ok(JSON.stringify(own.json).includes('private-notes'));
		assert.ok(!(await ask('{user(username:"bob"){trackers{results{name}}}}')).text.includes('private-notes'));
	});

	test('pages of 25 contain all tickets, highest number first', async () => {
		const numbers: unknown[] = [];
		const sizes: number[] = [];
		let cursor: unknown = null;
		do {
			const page: RawAnswer = await ask(
				'query($c:Cursor){user(username:"alice"){tracker(name:"many"){tickets(cursor:$c){cursor results{id}}}}}',
				{ variables: { c: cursor } },
			);
			const tickets = page.at('data', 'user', 'tracker', 'tickets');
			const results = partOf(tickets, ['results']);
			assert.ok(Array.isArray(results), page.text);
			sizes.push(results.length);
			numbers.push(...results.map((result: unknown) => partOf(result, ['id'])));
			cursor = partOf(tickets, ['cursor']);
		} while (cursor !== null);
		assert.deepEqual(sizes, [25, 25, 13]);
		assert.deepEqual(
			numbers,
			Array.from({ length: 63 }, (_, at) => 63 - at),
		);
	});

	test('pages of 25 contain all events, newest first', async () => {
		const ids: number[] = [];
		let cursor: unknown = null;
		let pages = 0;
		do {
			const page: RawAnswer = await ask(
				'query($c:Cursor){user(username:"alice"){tracker(name:"lantern"){ticket(id:209){events(cursor:$c){cursor results{id}}}}}}',
				{ variables: { c: cursor } },
			);
			const events = page.at('data', 'user', 'tracker', 'ticket', 'events');
			const results = partOf(events, ['results']);
			assert.ok(Array.isArray(results), page.text);
			ids.push(...results.map((result: unknown) => Number(partOf(result, ['id']))));
			cursor = partOf(events, ['cursor']);
			pages += 1;
		} while (cursor !== null);
		assert.ok(pages > 1 && ids.length > 25, String(ids.length));
		assert.equal(pages, Math.ceil(ids.length / 25));
		assert.deepEqual(
			ids,
			[...new Set(ids)].toSorted((one, other) => other - one),
		);
	});

	test('a cursor works for other users and lists, and the service rejects a forged one', async () => {
		const query =
			'query($c:Cursor){user(username:"alice"){tracker(name:"many"){tickets(cursor:$c){cursor results{id}}}}}';
		const tickets = ['data', 'user', 'tracker', 'tickets'];
		const cursor = String((await ask(query)).at(...tickets, 'cursor'));
		assert.match(cursor, /^gAAAAA[\w-]{94,134}$/);
		assert.notEqual(String((await ask(query)).at(...tickets, 'cursor')), cursor);
		const byBob = await ask(query, { variables: { c: cursor }, token: forge.tokens.bob });
		assert.equal(byBob.at(...tickets, 'results', 0, 'id'), 38);
		const elsewhere = await ask(
			'query($c:Cursor){user(username:"alice"){tracker(name:"lantern"){labels(cursor:$c){results{id}}}}}',
			{ variables: { c: cursor } },
		);
		assert.equal(elsewhere.at('errors'), undefined);
		for (const rubbish of ['x', `${cursor.slice(0, -2)}AA`]) {
			const refused = await ask(query, { variables: { c: rubbish } });
			assert.deepEqual(refused.json, {
				errors: [{ message: 'Invalid cursor', path: ['user', 'tracker', 'tickets'] }],
				data: { user: { tracker: null } },
			});
		}
	});

	test('times have up to nine digits of a second', async () => {
		const { created } = fieldsOf(await lantern('created'));
		assert.equal(created, '2024-03-01T08:00:00Z');
		const made = await ask('mutation{submitTicket(trackerId:1,input:{subject:"now"}){created updated}}');
		assert.match(String(made.at('data', 'submitTicket', 'created')), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/);
	});

	test('one document can read many tickets by number, or a page with timelines', async () => {
		const aliases = Array.from({ length: 30 }, (_, at) => `t${at + 1}:ticket(id:${at + 1}){updated}`).join(' ');
		const many = await lantern(aliases);
		assert.equal(Object.keys(fieldsOf(many)).length, 30);
		const page = await lantern(
			'tickets{results{id ref subject body status resolution authenticity submitter{__typename canonicalName} labels{id name backgroundColor foregroundColor} assignees{canonicalName} events{cursor results{id changes{__typename eventType ... on Comment{author{canonicalName} text authenticity supersededBy{text}} ... on StatusChange{editor{canonicalName} oldStatus newStatus oldResolution newResolution} ... on LabelUpdate{labeler{canonicalName} label{id name}} ... on Assignment{assigner{canonicalName} assignee{canonicalName}} ... on UserMention{author{canonicalName} mentioned{canonicalName}} ... on TicketMention{author{canonicalName} mentioned{ref}}}}}}}',
		);
		const text = JSON.stringify(page);
		for (const kind of [
			'Created',
			'Comment',
			'StatusChange',
			'LabelUpdate',
			'Assignment',
			'UserMention',
			'TicketMention',
		]) {
			assert.ok(text.includes(`"__typename":"${kind}"`), kind);
		}
		assert.ok(text.includes('"eventType":"LABEL_REMOVED"') && text.includes('"eventType":"UNASSIGNED_USER"'));
		assert.ok(text.includes('"__typename":"EmailAddress"'));
	});

	test('a mention of a ticket is an event of the mentioned ticket, that of a user one of the mentioning ticket', async () => {
		const made = await ask('mutation{submitTicket(trackerId:3,input:{subject:"told"}){id ref}}');
		const told = String(made.at('data', 'submitTicket', 'ref'));
		const telling = await ask(
			'mutation($b:String!){submitTicket(trackerId:3,input:{subject:"tells",body:$b}){id ref events{results{changes{__typename ... on UserMention{mentioned{canonicalName} ticket{ref}}}}}}}',
			{ variables: { b: `see ${told} and ~bob` } },
		);
		const ref = String(telling.at('data', 'submitTicket', 'ref'));
		const own = telling.at('data', 'submitTicket', 'events', 'results', 0, 'changes', 0);
		assert.deepEqual(own, { __typename: 'UserMention', mentioned: { canonicalName: '~bob' }, ticket: { ref } });
		const there = await ask(
			'query($n:Int!){me{tracker(name:"website"){ticket(id:$n){events{results{ticket{ref} changes{__typename ... on TicketMention{ticket{ref} mentioned{ref} author{canonicalName}}}}}}}}}',
			{ variables: { n: made.at('data', 'submitTicket', 'id') } },
		);
		// As in the recorded answer "a mention on the mentioned ticket".
		const events = there.at('data', 'me', 'tracker', 'ticket', 'events', 'results');
		assert.deepEqual(partOf(events, [0]), {
			ticket: { ref: told },
			changes: [
				{
					__typename: 'TicketMention',
					ticket: { ref },
					mentioned: { ref: told },
					author: { canonicalName: '~alice' },
				},
			],
		});
		assert.deepEqual(partOf(events, [1, 'changes']), [{ __typename: 'Created' }]);
	});

	test('the root field of events is empty', async () => {
		// As in the recorded answer "root events".
		const events = await ask('{events{cursor results{id created ticket{ref} changes{__typename}}}}');
		assert.equal(events.text, '{"data":{"events":{"cursor":null,"results":[]}}}');
	});

	test('only the owner can read permissions of others; for others the tracker becomes null', async () => {
		const acls = '{user(username:"alice"){tracker(name:"lantern"){name acls{results{id}}}}}';
		assert.deepEqual((await ask(acls)).at('data', 'user', 'tracker', 'acls'), { results: [] });
		for (const field of ['acls{results{id}}', 'defaultACL{browse}']) {
			const refused = await ask(`{user(username:"alice"){tracker(name:"lantern"){name ${field}}}}`, {
				token: forge.tokens.bob,
			});
			assert.equal(refused.at('data', 'user', 'tracker'), null);
			const denied = { message: 'Access denied', extensions: { code: 'ERR_ACCESS_DENIED' } };
			assert.deepEqual(refused.at('errors', 0), denied);
		}
	});

	test('anyone with access can export a tracker; for others the export is a 500 without a body', async () => {
		const address = String(partOf(await lantern('export'), ['export']));
		// As in the recorded answer "export address".
		assert.equal(address, `${forge.areas.todo}/query/tracker/1.json.gz`);
		const response = await fetch(address, { headers: { Authorization: `Bearer ${forge.tokens.bob}` } });
		assert.equal(response.status, 200);
		const told: unknown = JSON.parse(gunzipSync(Buffer.from(await response.arrayBuffer())).toString('utf8'));
		assert.equal(partOf(told, ['tickets', 0, 'id']), 1);
		const notes = await ask('{me{tracker(name:"private-notes"){export}}}', { token: forge.tokens.bob });
		const path = new URL(String(notes.at('data', 'me', 'tracker', 'export'))).pathname;
		const closed = await forge.call('todo', 'GET', path);
		// As in the recorded answer "export of a private tracker by another".
		assert.deepEqual([closed.status, closed.text], [500, '']);
	});

	test('the tests of this suite caused no crash', async () => {
		assert.deepEqual(await forge.crashes(), []);
	});
});
