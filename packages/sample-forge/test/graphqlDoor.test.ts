import assert from 'node:assert/strict';
import { askGraphql, type GraphqlQuestion } from '../../../test/support/askGraphql.ts';
import {
	type CallOptions,
	fieldsOf,
	type RawAnswer,
	type SampleForge,
	startSampleForge,
} from '../../../test/support/sampleForge.ts';
import { sharedForge } from '../../../test/support/sharedForge.ts';

/** The fields of a token, read as a client reads them. */
function readToken(token: string): object {
	const bytes = Buffer.from(token, 'base64');
	const texts: string[] = [];
	let at = 9;
	for (let text = 0; text < 3; text++) {
		let length = 0;
		let shift = 0;
		let byte: number;
		do {
			byte = bytes[at++] ?? 0;
			length |= (byte & 0x7f) << shift;
			shift += 7;
		} while (byte > 0x7f);
		texts.push(bytes.toString('utf8', at, at + length));
		at += length;
	}
	const [grants, client, user] = texts;
	return {
		version: bytes[0],
		expiresS: Number(bytes.readBigInt64LE(1)),
		grants,
		client,
		user,
		proofBytes: bytes.length - at,
	};
}

suite('Sample forge, graphql dialect: requests', () => {
	let forge: SampleForge;

	suiteSetup(async () => {
		forge = await sharedForge('graphql');
	});

	const ask = async (query: string, question?: GraphqlQuestion): Promise<RawAnswer> =>
		await askGraphql(forge, query, question);

	const post = async (options: CallOptions): Promise<RawAnswer> => await forge.call('todo', 'POST', '/query', options);

	const refusedAs = (answer: RawAnswer, status: number, reason: string): void => {
		assert.equal(answer.status, status);
		assert.equal(answer.headers.get('content-type'), 'application/json');
		assert.deepEqual(answer.json, { errors: [{ message: `Authentication error: ${reason}` }] });
	};

	test('REST paths are 404 in every area, and web pages work', async () => {
		for (const [area, path] of [
			['meta', '/api/user/profile'],
			['todo', '/api/trackers'],
			['git', '/api/repos'],
			['lists', '/api/lists'],
			['todo', '/api/version'],
		] as const) {
			assert.equal((await forge.call(area, 'GET', path)).status, 404, path);
		}
		assert.equal((await forge.call('todo', 'GET', '/~alice/lantern', { token: null })).status, 200);
	});

	test('only the scopes of a service need no token', async () => {
		// As in the recorded answers "scopes without token".
		for (const [area, scopes] of [
			['todo', '"PROFILE","TRACKERS","TICKETS","ACLS","EVENTS","SUBSCRIPTIONS"'],
			['meta', '"AUDIT_LOG","BILLING","PGP_KEYS","SSH_KEYS","PROFILE"'],
			['git', '"PROFILE","REPOSITORIES","OBJECTS","ACLS"'],
			['lists', '"ACLS","EMAILS","LISTS","PATCHES","PROFILE","SUBSCRIPTIONS"'],
		] as const) {
			const open = await forge.call(area, 'GET', '/query/api-meta.json', { token: null });
			assert.equal(open.status, 200);
			assert.equal(open.text, `{"scopes":[${scopes}]}`);
		}
		const reason = "Authorization header is required. Expected 'Authorization: Bearer [token]'";
		refusedAs(await ask('{__schema{queryType{name}}}', { token: null }), 401, reason);
		refusedAs(await ask('{version{major}}', { token: null }), 401, reason);
		refusedAs(await forge.call('todo', 'GET', '/query/x', { token: null }), 401, reason);
		const unknown = await forge.call('todo', 'GET', '/query/x');
		assert.deepEqual([unknown.status, unknown.text], [404, '404 page not found\n']);
	});

	test('a malformed header or token is 400, and the scheme Bearer is case-insensitive', async () => {
		const sent = async (header: string): Promise<RawAnswer> =>
			await post({ token: null, headers: { Authorization: header }, body: { query: '{version{major}}' } });
		refusedAs(await sent(`token ${forge.tokens.alice}`), 400, 'Invalid Authorization header');
		refusedAs(await sent('Bearer'), 400, 'Invalid Authorization header');
		refusedAs(await sent('Bearer x'), 400, 'Invalid OAuth bearer token');
		assert.equal((await sent(`bEARER ${forge.tokens.alice}`)).status, 200);
	});

	test('a wrong, revoked, expired or legacy token is 403, as is that of a suspended user', async () => {
		const reason = 'Invalid or expired OAuth 2.0 bearer token';
		refusedAs(await ask('{version{major}}', { token: `${forge.tokens.alice.slice(0, -1)}_` }), 403, reason);
		refusedAs(await ask('{version{major}}', { token: 'f'.repeat(32) }), 403, 'Invalid or expired OAuth token');

		const revoked = await forge.token('alice', []);
		assert.equal((await ask('{version{major}}', { token: revoked })).status, 200);
		await forge.act('/meta/revoke', { token: revoked });
		refusedAs(await ask('{version{major}}', { token: revoked }), 403, reason);
		refusedAs(await ask('{version{major}}', { token: revoked, area: 'meta' }), 403, reason);

		const made = await forge.act('/meta/token', { user: 'alice', scopes: [], expiresInS: -1 });
		const expired = String(fieldsOf(made)['token']);
		refusedAs(await ask('{version{major}}', { token: expired }), 403, reason);

		await forge.act('/meta/bar', { user: 'dave', reason: 'Spam' });
		const notice = 'Account suspended with the following notice: Spam\nContact support';
		refusedAs(await ask('{version{major}}', { token: forge.tokens.dave }), 403, notice);
		await forge.act('/meta/bar', { user: 'dave' });
	});

	test('accepts queries by GET, and rejects mutations by GET and other content types than JSON', async () => {
		const asked = await forge.call('todo', 'GET', `/query?query=${encodeURIComponent('{me{username}}')}`);
		assert.equal(asked.text, '{"data":{"me":{"username":"alice"}}}');
		const document = 'mutation{updatePreferences(preferences:{notifySelf:true}){notifySelf}}';
		assert.equal((await forge.call('todo', 'GET', `/query?query=${encodeURIComponent(document)}`)).status, 406);

		const wrongType = await post({ body: '{me{id}}', headers: { 'Content-Type': 'application/graphql' } });
		assert.equal(wrongType.status, 400);
		assert.match(wrongType.headers.get('content-type') ?? '', /^text\/plain/);
		assert.match(wrongType.text, /transport not supported/);
		const withCharset = { 'Content-Type': 'application/json; charset=utf-8' };
		assert.equal((await post({ body: { query: '{me{id}}' }, headers: withCharset })).status, 200);
		assert.equal((await post({ body: [{ query: '{me{id}}' }] })).status, 400);
		const persisted = { extensions: { persistedQuery: { version: 1, sha256Hash: 'ab' } } };
		const hashed = await post({ body: persisted });
		assert.equal(hashed.status, 422);
		assert.equal(hashed.at('errors', 0, 'message'), 'no operation provided');
	});

	test('an invalid document is 422, with the error and its position', async () => {
		const validation = { code: 'GRAPHQL_VALIDATION_FAILED' };
		const field = await ask('{me{id nme}}');
		assert.equal(field.status, 422);
		assert.deepEqual(field.json, {
			errors: [
				{
					message: 'Cannot query field "nme" on type "User".',
					locations: [{ line: 1, column: 8 }],
					extensions: validation,
				},
			],
			data: null,
		});
		const syntax = await ask('{me{id}');
		assert.deepEqual([syntax.status, syntax.at('errors', 0, 'extensions', 'code')], [422, 'GRAPHQL_PARSE_FAILED']);
		const variable = await ask('query($u:String!){user(username:$u){id}}', { variables: { u: 7 } });
		assert.deepEqual([variable.status, variable.at('errors', 0, 'extensions')], [422, validation]);
		// As in the recorded answer "two operations without a name".
		const two = await ask('query A{me{id}} query B{version{major}}');
		const twice = { errors: [{ message: 'operation  not found', extensions: validation }], data: null };
		assert.deepEqual([two.status, two.json], [422, twice]);
	});

	test('a document may have 250 fields, counted after the expansion of fragments', async () => {
		const aliases = (count: number): string => Array.from({ length: count }, (_, at) => `a${at}:id`).join(' ');
		assert.equal((await ask(`{me{${aliases(249)}}}`)).at('errors'), undefined);
		// As in the recorded answer "complexity: 300 aliases of one field".
		const above = await ask(`{me{...all}} fragment all on User{${aliases(300)}}`);
		assert.equal(above.status, 200);
		assert.deepEqual(above.json, {
			errors: [
				{
					message: 'operation has complexity 301, which exceeds the limit of 250',
					extensions: { code: 'COMPLEXITY_LIMIT_EXCEEDED' },
				},
			],
			data: null,
		});
	});

	test('introspection and the version need no grant', async () => {
		const token = await forge.token('alice', ['meta.sr.ht/PROFILE:RO']);
		const told = await ask('{__schema{subscriptionType{name}} __type(name:"Ticket"){fields{name}}}', { token });
		assert.equal(told.at('data', '__schema', 'subscriptionType'), null);
		assert.ok(JSON.stringify(told.json).includes('"submitter"'));
		assert.equal((await ask('{version{major}}', { token })).at('data', 'version', 'major'), 0);
	});

	test('a number above 2^31 - 1 breaks the connection, and the forge records a crash', async () => {
		const lone = await startSampleForge({ dialect: 'graphql' });
		try {
			const large = (variables: object): Promise<RawAnswer> =>
				askGraphql(lone, 'query($n:Int!){me{tracker(name:"lantern"){ticket(id:$n){id}}}}', {
					variables: { ...variables },
				});
			assert.equal((await large({ n: 2 ** 31 - 1 })).text, '{"data":{"me":{"tracker":{"ticket":null}}}}');
			assert.deepEqual(await lone.crashes(), []);
			await assert.rejects(large({ n: 2 ** 31 }));
			await assert.rejects(askGraphql(lone, '{me{tracker(name:"lantern"){ticket(id:99999999999){id}}}}'));
			const crashes = await lone.crashes();
			assert.equal(crashes.length, 2);
			assert.ok(crashes.every((crash) => crash.includes('A number above 2^31 - 1')));
		} finally {
			await lone.stop();
		}
	});
});

suite('Sample forge, graphql dialect: tokens and grants', () => {
	let forge: SampleForge;

	suiteSetup(async () => {
		forge = await sharedForge('graphql');
	});

	const ask = async (query: string, question?: GraphqlQuestion): Promise<RawAnswer> =>
		await askGraphql(forge, query, question);

	test('a token contains its user, grants and expiry date', async () => {
		const own = readToken(forge.tokens.alice);
		const told = await ask('{personalAccessTokens{expires grants}}', { area: 'meta' });
		const expiresS = Math.floor(Date.parse(String(told.at('data', 'personalAccessTokens', 0, 'expires'))) / 1000);
		assert.deepEqual(own, { version: 0, expiresS, grants: '', client: '', user: 'alice', proofBytes: 32 });
		assert.ok(!forge.tokens.alice.includes('='));
		const grants =
			'todo.sr.ht/TICKETS:RW todo.sr.ht/PROFILE:RO meta.sr.ht/PROFILE:RO git.sr.ht/OBJECTS:RO lists.sr.ht/ACLS:RO';
		const narrow = readToken(await forge.token('bob', grants.replace('PROFILE:RO', 'PROFILE').split(' ')));
		const { grants: read, user } = { grants: '', user: '', ...narrow };
		assert.deepEqual([read, user], [grants, 'bob']);
		await assert.rejects(forge.token('bob', ['todo.sr.ht/TICKETS:RX']), /Invalid grant/);
	});

	test('tokens of the same second differ, and revoking one keeps the others valid', async () => {
		const made = [];
		for (let count = 0; count < 10; count++) {
			made.push(await forge.token('carol', []));
		}
		assert.equal(new Set([...made, forge.tokens.carol]).size, 11);
		await forge.act('/meta/revoke', { token: made[0] });
		assert.equal((await ask('{version{major}}', { token: made[0]! })).status, 403);
		assert.equal((await ask('{version{major}}', { token: made[1]! })).status, 200);
	});

	test('a missing grant is an error at its field, and null spreads to the next nullable parent', async () => {
		const token = await forge.token('alice', ['todo.sr.ht/TRACKERS']);
		const missing = (scope: string, path: readonly (string | number)[]): object => ({
			message: `Access denied, missing ${scope} grant`,
			path,
		});
		const named = await ask('{trackers{results{name}}}', { token });
		assert.equal(named.at('errors'), undefined);
		const owned = await ask('{trackers{results{name owner{canonicalName}}}}', { token });
		assert.equal(owned.status, 200);
		assert.equal(owned.at('data', 'trackers'), null);
		assert.deepEqual(owned.at('errors', 0), missing('PROFILE:RO', ['trackers', 'results', 0, 'owner']));
		const me = await ask('{me{id}}', { token });
		assert.deepEqual(me.json, { errors: [missing('PROFILE:RO', ['me'])], data: null });
		// As in the recorded answer "missing RW".
		const submit = 'mutation($t:Int!){submitTicket(trackerId:$t,input:{subject:"hello"}){id}}';
		const readOnly = await forge.token('alice', ['todo.sr.ht/TICKETS:RO']);
		const refused = await ask(submit, { token: readOnly, variables: { t: 1 } });
		assert.deepEqual(refused.json, { errors: [missing('TICKETS:RW', ['submitTicket'])], data: null });
	});

	test('each field requires its own grant', async () => {
		const token = await forge.token('alice', ['meta.sr.ht/PROFILE:RO']);
		const acl = '{browse:true,submit:true,comment:true,edit:true,triage:true}';
		// From the schema files of the services: introspection does not show these directives.
		const fields: Readonly<Record<string, readonly string[]>> = {
			'PROFILE:RO': ['{me{id}}', '{user(username:"bob"){id}}', '{preferences{notifySelf}}'],
			'PROFILE:RW': ['mutation{updatePreferences(preferences:{notifySelf:true}){notifySelf}}'],
			'TRACKERS:RO': ['{trackers{cursor}}', '{tracker(rid:"x"){id}}'],
			'TRACKERS:RW': [
				'mutation{createTracker(name:"x",visibility:PUBLIC){id}}',
				'mutation{updateTracker(id:1,input:{}){id}}',
				'mutation{deleteTracker(id:1){id}}',
				'mutation{createLabel(trackerId:1,name:"x",foregroundColor:"",backgroundColor:""){id}}',
				'mutation{updateLabel(id:1,input:{}){id}}',
				'mutation{deleteLabel(id:1){id}}',
			],
			'TICKETS:RW': [
				'mutation{submitTicket(trackerId:1,input:{subject:"x"}){id}}',
				'mutation{deleteTicket(trackerId:1,ticketId:1){id}}',
				'mutation{updateTicket(trackerId:1,ticketId:1,input:{}){id}}',
				'mutation{updateTicketStatus(trackerId:1,ticketId:1,input:{status:PENDING}){id}}',
				'mutation{submitComment(trackerId:1,ticketId:1,input:{text:"x"}){id}}',
				'mutation{assignUser(trackerId:1,ticketId:1,userId:1){id}}',
				'mutation{unassignUser(trackerId:1,ticketId:1,userId:1){id}}',
				'mutation{labelTicket(trackerId:1,ticketId:1,labelId:1){id}}',
				'mutation{unlabelTicket(trackerId:1,ticketId:1,labelId:1){id}}',
			],
			'ACLS:RW': [
				`mutation{updateUserACL(trackerId:1,userId:2,input:${acl}){id}}`,
				`mutation{updateTrackerACL(trackerId:1,input:${acl}){edit}}`,
				'mutation{deleteACL(id:1){id}}',
			],
			'EVENTS:RO': ['{events{cursor}}'],
			'SUBSCRIPTIONS:RO': ['{subscriptions{cursor}}'],
			'SUBSCRIPTIONS:RW': [
				'mutation{trackerSubscribe(trackerId:1){id}}',
				'mutation{trackerUnsubscribe(trackerId:1,tickets:false){id}}',
				'mutation{ticketSubscribe(trackerId:1,ticketId:1){id}}',
				'mutation{ticketUnsubscribe(trackerId:1,ticketId:1){id}}',
			],
		};
		for (const [grant, documents] of Object.entries(fields)) {
			for (const document of documents) {
				const said = (await ask(document, { token })).at('errors', 0, 'message');
				assert.equal(said, `Access denied, missing ${grant} grant`, document);
			}
		}
		const inside = {
			'ticket(id:1){id}': 'TICKETS:RO',
			'tickets{cursor}': 'TICKETS:RO',
			'subscription{id}': 'SUBSCRIPTIONS:RO',
			'acls{cursor}': 'ACLS:RO',
			'owner{canonicalName}': 'PROFILE:RO',
		};
		const trackersOnly = await forge.token('alice', ['todo.sr.ht/TRACKERS']);
		for (const [field, grant] of Object.entries(inside)) {
			const said = (await ask(`{trackers{results{${field}}}}`, { token: trackersOnly })).at('errors', 0, 'message');
			assert.equal(said, `Access denied, missing ${grant} grant`, field);
		}
	});

	test('RW includes RO, and a token without grants has all', async () => {
		const token = await forge.token('alice', ['todo.sr.ht/TRACKERS:RW']);
		assert.equal((await ask('{trackers{results{name}}}', { token })).at('errors'), undefined);
		assert.equal((await ask('{me{id}}', { token: await forge.token('alice', []) })).at('errors'), undefined);
	});

	test('a client can read its own grant, and only a personal token can list personal tokens', async () => {
		const made = await forge.act('/meta/token', {
			user: 'alice',
			scopes: ['meta.sr.ht/PROFILE:RO', 'todo.sr.ht/TICKETS:RW'],
			client: 'f0e1d2c3-0001-4000-8000-00000000d35c',
		});
		const token = String(fieldsOf(made)['token']);
		const own = await ask('{myOauthGrant{grants client{uuid name}}}', { area: 'meta', token });
		assert.deepEqual(own.at('data', 'myOauthGrant'), {
			grants: 'meta.sr.ht/PROFILE:RO todo.sr.ht/TICKETS:RW',
			client: { uuid: 'f0e1d2c3-0001-4000-8000-00000000d35c', name: 'Forge Desk' },
		});
		const tokens = await ask('{personalAccessTokens{id}}', { area: 'meta', token });
		assert.equal(tokens.at('errors', 0, 'message'), 'Private auth access denied');
		assert.equal((await ask('{myOauthGrant{id}}', { area: 'meta' })).text, '{"data":{"myOauthGrant":null}}');
	});

	test('the identity service finds users by name, and rejects the removal of an email address', async () => {
		// As in the recorded answers "userByName unknown" and "updateUser email null".
		const unknown = await ask('{userByName(username:"nobody"){id}}', { area: 'meta' });
		assert.equal(unknown.text, '{"data":{"userByName":null}}');
		// Erin has an account, but has never used a service.
		const erin = await ask('{userByName(username:"erin"){username}}', { area: 'meta' });
		assert.equal(erin.text, '{"data":{"userByName":{"username":"erin"}}}');
		const bob = await ask('{userByName(username:"bob"){canonicalName email userType}}', { area: 'meta' });
		assert.deepEqual(bob.at('data', 'userByName'), {
			canonicalName: '~bob',
			email: 'bob@forge.test',
			userType: 'USER',
		});
		const email = await ask('mutation{updateUser(input:{email:null}){email}}', { area: 'meta' });
		assert.equal(
			email.text,
			'{"errors":[{"message":"You cannot remove your email address","path":["updateUser"],"extensions":{"field":"email"}}],"data":null}',
		);
	});
});
