import assert from 'node:assert/strict';
import { askGraphql, type GraphqlQuestion } from '../../../test/support/askGraphql.ts';
import { fieldsOf, type RawAnswer, type SampleForge, startSampleForge } from '../../../test/support/sampleForge.ts';
import { sharedForge } from '../../../test/support/sharedForge.ts';

const nullInside = 'the requested element is null which the schema does not allow';
const nothing = '{"errors":[{"message":"Not found","extensions":{"code":"ERR_NOT_FOUND"}}],"data":null}';
const denied = '{"errors":[{"message":"Access denied","extensions":{"code":"ERR_ACCESS_DENIED"}}],"data":null}';

function idOf(value: unknown): number {
	const { id } = fieldsOf(value);
	assert.ok(typeof id === 'number', 'it has no id');
	return id;
}

suite('Sample forge, graphql dialect: writing tickets', () => {
	let forge: SampleForge;

	suiteSetup(async () => {
		forge = await sharedForge('graphql');
	});

	const ask = async (query: string, question?: GraphqlQuestion): Promise<RawAnswer> =>
		await askGraphql(forge, query, question);

	const bob = (): GraphqlQuestion => ({ token: forge.tokens.bob });

	/** Asserts that a mutation fails with one error, at its own path. */
	const refused = async (mutation: string, error: object, question?: GraphqlQuestion): Promise<void> => {
		const answer = await ask(`mutation{${mutation}}`, question);
		const name = /^\w+/.exec(mutation)?.[0];
		assert.equal(answer.status, 200);
		assert.deepEqual(answer.json, { errors: [{ path: [name], ...error }], data: null });
	};

	const made = async (subject: string, question?: GraphqlQuestion): Promise<number> => {
		const answer = await ask('mutation($s:String!){submitTicket(trackerId:1,input:{subject:$s}){id}}', {
			...question,
			variables: { s: subject },
		});
		const id = answer.at('data', 'submitTicket', 'id');
		assert.ok(typeof id === 'number', answer.text);
		return id;
	};

	test('the owner can create, rename, hide and delete trackers', async () => {
		const created = await ask(
			'mutation{createTracker(name:"gql",description:"d",visibility:UNLISTED){id name description visibility subscription{id}}}',
		);
		const id = idOf(created.at('data', 'createTracker'));
		assert.equal(created.at('data', 'createTracker', 'visibility'), 'UNLISTED');
		assert.notEqual(created.at('data', 'createTracker', 'subscription'), null);
		assert.ok(!(await ask('{user(username:"alice"){trackers{results{name}}}}', bob())).text.includes('"gql"'));
		const byName = '{user(username:"alice"){tracker(name:"gql"){name}}}';
		assert.equal((await ask(byName, bob())).at('data', 'user', 'tracker', 'name'), 'gql');

		// As in the recorded answer "createTracker: taken".
		const taken = { message: 'A tracker by this name already exists.', extensions: { field: 'name' } };
		await refused('createTracker(name:"GQL",visibility:PUBLIC){id}', taken);
		await refused('createTracker(name:"a b",visibility:PUBLIC){id}', {
			message: 'Name must match ^[A-Za-z0-9._-]+$',
			extensions: { field: 'name' },
		});

		// As in the recorded answers "updateTracker description null" and "updateTracker by another: not found".
		const cleared = await ask(`mutation{updateTracker(id:${id},input:{description:null}){description}}`);
		assert.equal(cleared.text, '{"data":{"updateTracker":{"description":null}}}');
		assert.equal((await ask(`mutation{updateTracker(id:${id},input:{description:"x"}){id}}`, bob())).text, nothing);
		await ask(`mutation{updateTracker(id:${id},input:{name:"gql2",visibility:PRIVATE}){id}}`);
		assert.equal((await ask(byName)).text, '{"data":{"user":{"tracker":null}}}');
		assert.equal((await ask(byName.replace('gql', 'gql2'), bob())).text, '{"data":{"user":{"tracker":null}}}');

		assert.equal((await ask(`mutation{deleteTracker(id:${id}){name}}`, bob())).text, nothing);
		const gone = await ask(`mutation{deleteTracker(id:${id}){name}}`);
		assert.equal(gone.text, '{"data":{"deleteTracker":{"name":"gql2"}}}');
		// As in the recorded answer "deleteTracker again".
		assert.equal((await ask(`mutation{deleteTracker(id:${id}){name}}`)).text, nothing);
	});

	test('a successful update of a tracker returns an error for its permissions', async () => {
		const made = await ask('mutation{createTracker(name:"acl-errs",visibility:PUBLIC){id}}');
		const id = Number(made.at('data', 'createTracker', 'id'));
		const change = (fields: string): string => `mutation{updateTracker(id:${id},input:{description:"New"}){${fields}}}`;
		const told = await ask(change('description acl{browse}'));
		assert.deepEqual(told.at('data', 'updateTracker', 'acl'), null);
		assert.equal(told.at('data', 'updateTracker', 'description'), 'New');
		assert.deepEqual(told.at('errors', 0, 'path'), ['updateTracker', 'acl']);
		assert.equal(told.at('errors', 0, 'message'), 'internal system error');
		assert.equal((await ask(change('id'))).at('errors'), undefined);
	});

	test('new tickets update the time of their tracker, and comments and labels that of the ticket', async () => {
		// No other test changes this tracker, so its times come from the sample world.
		const times = async (): Promise<RawAnswer> =>
			await ask('{me{tracker(name:"lantern-plugins"){updated one:ticket(id:1){updated} two:ticket(id:2){updated}}}}');
		const before = await times();
		const moved = (after: RawAnswer, ...path: readonly string[]): boolean =>
			after.at('data', 'me', 'tracker', ...path) !== before.at('data', 'me', 'tracker', ...path);
		await ask('mutation{submitComment(trackerId:2,ticketId:1,input:{text:"x"}){id}}');
		const id = idOf(
			(await ask('{me{tracker(name:"lantern-plugins"){label(name:"ümlaut 🐛"){id}}}}')).at(
				'data',
				'me',
				'tracker',
				'label',
			),
		);
		await ask(`mutation{labelTicket(trackerId:2,ticketId:2,labelId:${id}){id}}`);
		const after = await times();
		assert.deepEqual([moved(after, 'one'), moved(after, 'two'), moved(after, 'updated')].map(Number), [1, 1, 0]);
		await ask('mutation{submitTicket(trackerId:2,input:{subject:"new"}){id}}');
		assert.ok(moved(await times(), 'updated'));
	});

	test('submitting a ticket validates only the length of its texts', async () => {
		await made('');
		const submit = async (subject: number, body: string): Promise<RawAnswer> =>
			await ask('mutation($s:String!,$b:String){submitTicket(trackerId:1,input:{subject:$s,body:$b}){body}}', {
				variables: { s: 's'.repeat(subject), b: body },
			});
		assert.equal((await submit(2048, 'x'.repeat(16_384))).at('errors'), undefined);
		assert.deepEqual((await submit(2049, '')).at('errors', 0, 'extensions'), { field: 'subject' });
		// 16,384 letters of two bytes each.
		assert.deepEqual((await submit(1, 'ü'.repeat(8193))).at('errors', 0, 'extensions'), { field: 'body' });
		assert.equal((await submit(1, 'ü'.repeat(8192))).at('errors'), undefined);

		// As in the recorded answer "submitTicket: no such tracker".
		const none = { message: nullInside };
		await refused('submitTicket(trackerId:99999,input:{subject:"nowhere"}){id}', none);
		await refused('submitTicket(trackerId:6,input:{subject:"private"}){id}', none);
		await refused('submitTicket(trackerId:7,input:{subject:"no right"}){id}', none, bob());
	});

	test('only the owner of a tracker can import tickets of others', async () => {
		const given =
			'subject:"imported",created:"2020-01-02T03:04:05Z",externalId:"github:someone",externalUrl:"https://x.example"';
		const fields = 'created submitter{__typename canonicalName ... on ExternalUser{externalUrl}}';
		const imported = await ask(`mutation{submitTicket(trackerId:1,input:{${given}}){${fields}}}`);
		assert.deepEqual(imported.at('data', 'submitTicket'), {
			created: '2020-01-02T03:04:05Z',
			submitter: { __typename: 'ExternalUser', canonicalName: 'github:someone', externalUrl: 'https://x.example' },
		});
		const other = await ask(`mutation{submitTicket(trackerId:1,input:{${given}}){id}}`, bob());
		assert.match(String(other.at('errors', 0, 'message')), /unless you are the owner of this tracker$/);
	});

	test('a comment with a status makes one event with two changes', async () => {
		const number = await made('to be commented');
		const both = await ask(
			`mutation{submitComment(trackerId:1,ticketId:${number},input:{text:"",status:RESOLVED,resolution:CLOSED}){changes{__typename ... on Comment{text}} ticket{status resolution subscription{id}}}}`,
		);
		assert.deepEqual(both.at('data', 'submitComment', 'changes'), [
			{ __typename: 'Comment', text: '' },
			{ __typename: 'StatusChange' },
		]);
		assert.equal(both.at('data', 'submitComment', 'ticket', 'resolution'), 'CLOSED');
		const alone = await ask(
			`mutation{submitComment(trackerId:1,ticketId:${number},input:{text:"x",resolution:FIXED}){changes{__typename} ticket{resolution}}}`,
		);
		assert.deepEqual(alone.at('data', 'submitComment'), {
			changes: [{ __typename: 'Comment' }],
			ticket: { resolution: 'CLOSED' },
		});
		const long = await ask(`mutation($t:String!){submitComment(trackerId:1,ticketId:${number},input:{text:$t}){id}}`, {
			variables: { t: 'x'.repeat(16_385) },
		});
		assert.equal(long.at('errors', 0, 'message'), 'pq: value too long for type character varying(16384)');
		const nul = await ask(`mutation($t:String!){submitComment(trackerId:1,ticketId:${number},input:{text:$t}){id}}`, {
			variables: { t: 'x\0' },
		});
		assert.equal(nul.at('errors', 0, 'message'), 'pq: invalid byte sequence for encoding "UTF8": 0x00');
		const byBob = `submitComment(trackerId:1,ticketId:${number},input:{text:"x",status:PENDING}){id}`;
		assert.equal((await ask(`mutation{${byBob}}`, bob())).text, denied);
		await refused('submitComment(trackerId:1,ticketId:99999,input:{text:"x"}){id}', {
			message: 'Ticket not found',
			extensions: { code: 'ERR_NOT_FOUND' },
		});
	});

	test('accepts every status, and a resolution only with RESOLVED', async () => {
		const number = await made('to be moved');
		const move = async (input: string): Promise<RawAnswer> =>
			await ask(
				`mutation{updateTicketStatus(trackerId:1,ticketId:${number},input:{${input}}){changes{__typename ... on StatusChange{oldStatus newStatus oldResolution newResolution}} ticket{status resolution}}}`,
			);
		for (const status of ['CONFIRMED', 'IN_PROGRESS', 'PENDING', 'REPORTED', 'REPORTED']) {
			const moved = await move(`status:${status}`);
			assert.equal(moved.at('data', 'updateTicketStatus', 'ticket', 'status'), status);
		}
		await move('status:RESOLVED,resolution:WONT_FIX');
		// As in the recorded answer "updateTicketStatus changes the resolution of a resolved ticket".
		const changed = await move('status:RESOLVED,resolution:DUPLICATE');
		assert.deepEqual(changed.at('data', 'updateTicketStatus', 'changes'), [
			{
				__typename: 'StatusChange',
				oldStatus: 'RESOLVED',
				newStatus: 'RESOLVED',
				oldResolution: 'WONT_FIX',
				newResolution: 'DUPLICATE',
			},
		]);
		const open = await move('status:CONFIRMED');
		assert.equal(open.at('data', 'updateTicketStatus', 'ticket', 'resolution'), 'UNRESOLVED');
		const message = async (input: string): Promise<unknown> => (await move(input)).at('errors', 0, 'message');
		assert.equal(await message('status:RESOLVED'), 'resolution is required when setting status to RESOLVED');
		const only = 'resolution may only be provided when status is set to RESOLVED';
		assert.equal(await message('status:PENDING,resolution:FIXED'), only);
		const unresolved = await move('status:RESOLVED,resolution:UNRESOLVED');
		assert.equal(unresolved.at('data', 'updateTicketStatus', 'ticket', 'resolution'), 'UNRESOLVED');
	});

	test('the submitter cannot edit a ticket, the owner of the tracker can edit and delete it', async () => {
		const number = await made('by bob', bob());
		const edit = `mutation{updateTicket(trackerId:1,ticketId:${number},input:{subject:"New",body:"b"}){subject body}}`;
		assert.equal((await ask(edit, bob())).text, denied);
		assert.equal((await ask(edit)).text, '{"data":{"updateTicket":{"subject":"New","body":"b"}}}');
		const clear = await ask(`mutation{updateTicket(trackerId:1,ticketId:${number},input:{body:null}){subject body}}`);
		assert.equal(clear.text, '{"data":{"updateTicket":{"subject":"New","body":null}}}');

		const remove = `mutation{deleteTicket(trackerId:1,ticketId:${number}){id ref}}`;
		assert.equal((await ask(remove, bob())).text, denied);
		assert.deepEqual((await ask(remove)).at('data', 'deleteTicket'), { id: number, ref: `~/#${number}` });
		// As in the recorded answer "deleted ticket: null".
		const gone = await ask(`{user(username:"alice"){tracker(name:"lantern"){ticket(id:${number}){id}}}}`);
		assert.equal(gone.text, '{"data":{"user":{"tracker":{"ticket":null}}}}');
		assert.equal(await made('the number is not used again'), number + 1);
		const next = await ask(`{me{tracker(name:"lantern"){ticket(id:${number + 1}){subject}}}}`);
		assert.equal(next.at('data', 'me', 'tracker', 'ticket', 'subject'), 'the number is not used again');
	});

	test('the owner can create, change, add, remove and delete labels', async () => {
		const create = 'createLabel(trackerId:1,name:"gql-label",foregroundColor:"#ffffff",backgroundColor:"#102030")';
		const label = await ask(`mutation{${create}{id name foregroundColor backgroundColor}}`);
		const id = idOf(label.at('data', 'createLabel'));
		assert.equal(label.at('data', 'createLabel', 'backgroundColor'), '#102030');
		const taken = { message: 'A label by this name already exists', extensions: { field: 'name' } };
		await refused(`${create.replace('gql-', 'GQL-')}{id}`, taken);
		await refused(`${create.replace('#ffffff', 'white')}{id}`, { message: 'Invalid color white' });
		assert.equal((await ask(`mutation{${create.replace('gql', 'bobs')}{id}}`, bob())).text, denied);

		const number = await made('to be labelled');
		const named = (what: string): string => `${what}(trackerId:1,ticketId:${number},labelId:${id})`;
		const set = await ask(
			`mutation{${named('labelTicket')}{changes{__typename eventType ... on LabelUpdate{label{id}}}}}`,
		);
		const update = { __typename: 'LabelUpdate', eventType: 'LABEL_ADDED', label: { id } };
		assert.deepEqual(set.at('data', 'labelTicket', 'changes'), [update]);
		await refused(`${named('labelTicket')}{id}`, { message: 'this label is already assigned to this ticket' });
		const missing = { message: 'Label not found', extensions: { code: 'ERR_NOT_FOUND' } };
		await refused(`labelTicket(trackerId:1,ticketId:${number},labelId:99999){id}`, missing);
		assert.equal((await ask(`mutation{${named('unlabelTicket')}{id}}`, bob())).text, denied);
		for (const times of [1, 2]) {
			const taken = await ask(`mutation{${named('unlabelTicket')}{changes{eventType}}}`);
			const changes = taken.at('data', 'unlabelTicket', 'changes');
			assert.deepEqual(changes, [{ eventType: 'LABEL_REMOVED' }], String(times));
		}

		await ask(`mutation{${named('labelTicket')}{id}}`);
		const renamed = await ask(
			`mutation{updateLabel(id:${id},input:{name:"gql2",backgroundColor:"#000000"}){name backgroundColor foregroundColor}}`,
		);
		assert.deepEqual(renamed.at('data', 'updateLabel'), {
			name: 'gql2',
			backgroundColor: '#000000',
			foregroundColor: '#ffffff',
		});
		assert.equal((await ask(`mutation{deleteLabel(id:${id}){id}}`, bob())).text, nothing);
		await ask(`mutation{deleteLabel(id:${id}){id}}`);
		const left = await ask(`{me{tracker(name:"lantern"){ticket(id:${number}){labels{name}}}}}`);
		assert.deepEqual(left.at('data', 'me', 'tracker', 'ticket', 'labels'), []);
	});

	test('only users that the service knows can be assignees', async () => {
		const number = await made('to be assigned');
		const id = idOf((await ask('{user(username:"bob"){id}}')).at('data', 'user'));
		const named = (what: string, user = id): string => `${what}(trackerId:1,ticketId:${number},userId:${user})`;
		const fields =
			'{changes{__typename eventType ... on Assignment{assigner{canonicalName} assignee{canonicalName}}} ticket{assignees{canonicalName} subscription{id}}}';
		const set = await ask(`mutation{${named('assignUser')}${fields}}`);
		assert.deepEqual(set.at('data', 'assignUser', 'changes'), [
			{
				__typename: 'Assignment',
				eventType: 'ASSIGNED_USER',
				assigner: { canonicalName: '~alice' },
				assignee: { canonicalName: '~bob' },
			},
		]);
		// As in the recorded answer "assignUser twice".
		await refused(`${named('assignUser')}{id}`, { message: 'this user is already assigned to this ticket' });
		assert.equal((await ask(`mutation{${named('unassignUser')}{id}}`)).at('errors'), undefined);
		await refused(`${named('unassignUser')}{id}`, { message: 'this user is not assigned to this ticket' });
		// Erin has never used the service.
		const unknown = { message: 'User not found', extensions: { code: 'ERR_NOT_FOUND' } };
		await refused(`${named('assignUser', 5)}{id}`, unknown);
		assert.equal((await ask(`mutation{${named('assignUser')}{id}}`, bob())).text, denied);
	});

	test('a failed mutation of a batch does not undo others, but skips those that validate input', async () => {
		const first = await made('first fails');
		// As in the recorded answer "several mutations, the first fails".
		const batch = await ask(
			`mutation{a:labelTicket(trackerId:1,ticketId:${first},labelId:99999){id} b:labelTicket(trackerId:1,ticketId:${first},labelId:1){id} c:assignUser(trackerId:1,ticketId:${first},userId:2){id} d:submitComment(trackerId:1,ticketId:${first},input:{text:"x after failure"}){id}}`,
		);
		assert.equal(
			batch.text,
			`{"errors":[{"message":"Label not found","path":["a"],"extensions":{"code":"ERR_NOT_FOUND"}},{"message":"${nullInside}","path":["d"]}],"data":null}`,
		);
		const left = await ask(
			`{me{tracker(name:"lantern"){ticket(id:${first}){labels{name} assignees{canonicalName} events{results{changes{__typename}}}}}}}`,
		);
		assert.deepEqual(left.at('data', 'me', 'tracker', 'ticket'), {
			labels: [{ name: 'bug' }],
			assignees: [{ canonicalName: '~bob' }],
			events: {
				results: [
					{ changes: [{ __typename: 'Assignment' }] },
					{ changes: [{ __typename: 'LabelUpdate' }] },
					{ changes: [{ __typename: 'Created' }] },
				],
			},
		});
		const sound = await ask(
			`mutation{a:submitComment(trackerId:1,ticketId:${first},input:{text:"1"}){id} b:submitComment(trackerId:1,ticketId:${first},input:{text:"2"}){id}}`,
		);
		assert.equal(typeof sound.at('data', 'b', 'id'), 'number');
	});

	test('subscribing twice makes one subscription, and unsubscribing works once', async () => {
		const subscribe = 'mutation{trackerSubscribe(trackerId:4){id tracker{name}}}';
		const one = await ask(subscribe);
		assert.equal(one.at('data', 'trackerSubscribe', 'tracker', 'name'), 'wick');
		assert.equal((await ask(subscribe)).text, one.text);
		const submitted = await ask('mutation{submitTicket(trackerId:4,input:{subject:"to be followed"}){id}}', bob());
		const number = String(submitted.at('data', 'submitTicket', 'id'));
		const ticket = await ask(`mutation{ticketSubscribe(trackerId:4,ticketId:${number}){id ticket{ref}}}`);
		assert.equal(ticket.at('data', 'ticketSubscribe', 'ticket', 'ref'), `~bob/wick#${number}`);
		const all = await ask('{subscriptions{results{__typename id}}}');
		assert.deepEqual(all.at('data', 'subscriptions', 'results', 0), {
			__typename: 'TicketSubscription',
			id: ticket.at('data', 'ticketSubscribe', 'id'),
		});
		assert.equal((await ask('mutation{trackerSubscribe(trackerId:6){id}}')).text, denied);

		// As in the recorded answer "trackerUnsubscribe tickets:true".
		await refused('trackerUnsubscribe(trackerId:4,tickets:true){id}', { message: 'internal system error' });
		const leave = 'mutation{trackerUnsubscribe(trackerId:4,tickets:false){id}}';
		assert.equal((await ask(leave)).at('data', 'trackerUnsubscribe', 'id'), one.at('data', 'trackerSubscribe', 'id'));
		assert.equal((await ask(leave)).text, nothing);
		const leaveTicket = `ticketUnsubscribe(trackerId:4,ticketId:${number}){id}`;
		assert.equal((await ask(`mutation{${leaveTicket}}`)).at('errors'), undefined);
		await refused(leaveTicket, { message: 'Subscription not found', extensions: { code: 'ERR_NOT_FOUND' } });
	});

	test('one subscription to a hidden tracker makes the whole list null', async () => {
		const tracker = await ask('mutation{createTracker(name:"closing",visibility:PUBLIC){id}}');
		const id = idOf(tracker.at('data', 'createTracker'));
		await ask(`mutation{trackerSubscribe(trackerId:${id}){id}}`, { token: forge.tokens.carol });
		await ask(`mutation{updateTracker(id:${id},input:{visibility:PRIVATE}){id}}`);
		const nested = '{subscriptions{results{id ... on TrackerSubscription{tracker{name}}}}}';
		const whole = await ask(nested, { token: forge.tokens.carol });
		assert.equal(whole.at('data', 'subscriptions'), null);
		assert.equal(whole.at('errors', 0, 'message'), nullInside);
		const slim = await ask('{subscriptions{results{id}}}', { token: forge.tokens.carol });
		assert.equal(slim.at('errors'), undefined);
		await ask(`mutation{deleteTracker(id:${id}){id}}`);
	});

	test('the owner can set permissions of one user and of all', async () => {
		const tracker = await ask('mutation{createTracker(name:"shared",visibility:PRIVATE){id}}');
		const id = idOf(tracker.at('data', 'createTracker'));
		const input = '{browse:true,submit:false,comment:true,edit:false,triage:true}';
		const given = await ask(
			`mutation{updateUserACL(trackerId:${id},userId:2,input:${input}){id triage submit entity{canonicalName}}}`,
		);
		const { id: acl, ...rest } = fieldsOf(given.at('data', 'updateUserACL'));
		assert.deepEqual(rest, { triage: true, submit: false, entity: { canonicalName: '~bob' } });
		const seen = '{user(username:"alice"){tracker(name:"shared"){acl{__typename submit triage}}}}';
		const held = { __typename: 'DefaultACL', submit: false, triage: true };
		assert.deepEqual((await ask(seen, bob())).at('data', 'user', 'tracker', 'acl'), held);
		assert.equal(
			(await ask(`mutation{updateUserACL(trackerId:${id},userId:2,input:${input}){id}}`, bob())).text,
			nothing,
		);
		await ask(`mutation{updateTrackerACL(trackerId:${id},input:${input}){triage}}`);
		await ask(`mutation{deleteACL(id:${String(acl)}){id}}`);
		assert.equal((await ask(`mutation{deleteACL(id:${String(acl)}){id}}`)).text, nothing);
		assert.equal((await ask(seen, bob())).text, '{"data":{"user":{"tracker":null}}}');
		await ask(`mutation{updateTracker(id:${id},input:{visibility:PUBLIC}){id}}`);
		assert.deepEqual((await ask(seen, bob())).at('data', 'user', 'tracker', 'acl'), held);
		await ask(`mutation{deleteTracker(id:${id}){id}}`);
	});

	test('stores preferences per user', async () => {
		const set = 'mutation{updatePreferences(preferences:{notifySelf:true}){notifySelf}}';
		assert.equal((await ask(set)).at('data', 'updatePreferences', 'notifySelf'), true);
		assert.equal((await ask('{preferences{notifySelf}}')).text, '{"data":{"preferences":{"notifySelf":true}}}');
		assert.equal((await ask('{preferences{notifySelf}}', bob())).text, '{"data":{"preferences":{"notifySelf":false}}}');
	});

	test('the tests of this suite caused no crash', async () => {
		assert.deepEqual(await forge.crashes(), []);
	});
});

suite('Sample forge, graphql dialect of 2023', () => {
	let forge: SampleForge;

	suiteSetup(async () => {
		forge = await startSampleForge({ dialect: 'graphql', graphqlAge: '2023' });
	});

	suiteTeardown(async () => {
		await forge.stop();
	});

	const ask = async (query: string, question?: GraphqlQuestion): Promise<RawAnswer> =>
		await askGraphql(forge, query, question);

	test('newer fields are unknown', async () => {
		for (const [document, message] of [
			['{me{tracker(name:"lantern"){rid}}}', 'Cannot query field "rid" on type "Tracker".'],
			['{tracker(rid:"x"){id}}', 'Cannot query field "tracker" on type "Query".'],
			['{preferences{notifySelf}}', 'Cannot query field "preferences" on type "Query".'],
			['{version{buildVersion}}', 'Cannot query field "buildVersion" on type "Version".'],
		] as const) {
			const refused = await ask(document);
			assert.equal(refused.status, 422);
			assert.equal(refused.at('errors', 0, 'message'), message);
		}
		const rename = await ask('mutation{updateTracker(id:1,input:{name:"x"}){id}}');
		assert.equal(rename.status, 422);
	});

	test('an unknown ticket number makes the tracker null', async () => {
		const answer = await ask('{user(username:"alice"){tracker(name:"lantern"){name ticket(id:99999){id}}}}');
		assert.deepEqual(answer.json, {
			errors: [{ message: nullInside, path: ['user', 'tracker', 'ticket'] }],
			data: { user: { tracker: null } },
		});
	});

	test('errors have older texts and no codes', async () => {
		const said = async (mutation: string, question?: GraphqlQuestion): Promise<unknown> =>
			(await ask(`mutation{${mutation}}`, question)).at('errors', 0);
		const name = (path: string, message: string): object => ({ message, path: [path] });
		// As in the recorded answers of 2023.
		assert.deepEqual(
			await said('updateTicketStatus(trackerId:1,ticketId:1,input:{status:RESOLVED}){id}'),
			name('updateTicketStatus', 'Resolution is required when setting status to RESOLVED'),
		);
		assert.deepEqual(
			await said('trackerUnsubscribe(trackerId:1,tickets:true){id}'),
			name('trackerUnsubscribe', 'internal system error'),
		);
		const token = forge.tokens.bob;
		assert.deepEqual(
			await said('updateTracker(id:1,input:{description:"x"}){id}', { token }),
			name('updateTracker', 'No tracker by ID 1 found for this user'),
		);
		assert.deepEqual(
			await said('updateTicket(trackerId:1,ticketId:1,input:{subject:"x"}){id}', { token }),
			name('updateTicket', 'Access denied'),
		);
	});

	test('a batch continues after a failure, and returns only the error', async () => {
		// As in the recorded answer "several mutations, the first fails" of 2023.
		const batch = await ask(
			'mutation{a:labelTicket(trackerId:1,ticketId:1,labelId:999){id} b:labelTicket(trackerId:1,ticketId:1,labelId:2){id} c:submitComment(trackerId:1,ticketId:1,input:{text:"after"}){id}}',
		);
		assert.equal(batch.text, '{"errors":[{"message":"No such label","path":["a"]}],"data":null}');
		const left = await ask(
			'{me{tracker(name:"lantern"){ticket(id:1){events{results{changes{... on Comment{text}}}}}}}}',
		);
		const newest = left.at('data', 'me', 'tracker', 'ticket', 'events', 'results', 0, 'changes', 0, 'text');
		assert.equal(newest, 'after');
	});

	test('a token of the older API gets two errors in one body, which is not JSON', async () => {
		const refused = await ask('{me{id}}', { token: 'f'.repeat(32) }).catch((error: unknown) => error);
		assert.ok(refused instanceof SyntaxError, 'the body was JSON');
	});
});
