import assert from 'node:assert/strict';
import { graphqlProtocol } from '../../src/graphql/graphqlProtocol.ts';
import { restProtocol } from '../../src/rest/restProtocol.ts';
import { makeInstance } from '../../../../test/support/makeSession.ts';
import { scopes } from '../../src/port/scope.ts';
import { grantsFor } from '../../src/identity/scopeUnion.ts';
import { grantsOf, readGrants, scopeOfGrant, serviceNames } from '../../src/graphql/transport/grants.ts';

const services = serviceNames({ scopeSpelling: { prefixes: {}, names: {} } });

suite('grants', () => {
	test('are requested in the browser for a client with a secret, and otherwise through a token', () => {
		const ways = [
			{ kind: 'secret', clientId: 'a', redirectPort: 1 },
			{ kind: 'exchange', clientId: 'a', redirectPort: 1 },
			{ kind: 'pkce', clientId: 'a' },
		] as const;
		assert.deepEqual(
			ways.map((signIn) => graphqlProtocol(makeInstance({ signIn })).signIn.kind),
			['secret', 'tokenOnly', 'tokenOnly'],
		);
		assert.deepEqual(
			ways.map((signIn) => restProtocol(makeInstance({ signIn })).signIn.kind),
			['tokenOnly', 'exchange', 'pkce'],
		);
	});

	test('include projects if the forge has a projects service', () => {
		const page = (hub?: string): string =>
			graphqlProtocol(makeInstance(hub === undefined ? {} : { hub })).tokenPage(['trackers:read'], '');
		assert.ok(!page().includes('hub.sr.ht'));
		const grants = new URL(page('https://hub.forge.example')).searchParams.get('grants')?.split(' ');
		assert.deepEqual(
			grants?.filter((grant) => grant.startsWith('hub')),
			['LISTS', 'PROFILE', 'PROJECTS', 'SOURCES', 'TRACKERS'].map((each) => `hub.sr.ht/${each}:RO`),
		);
	});

	test('include projects in the browser too', () => {
		const ofHub = (hub?: string): readonly string[] =>
			grantsFor(['trackers:read'], graphqlProtocol(makeInstance(hub === undefined ? {} : { hub }))).filter((grant) =>
				grant.startsWith('hub.sr.ht/'),
			);
		assert.deepEqual([ofHub().length, ofHub('https://hub.forge.example').length], [0, 5]);
	});

	test('of each scope belong to its own service', () => {
		assert.deepEqual(grantsOf('trackers:write', services), ['todo.sr.ht/TRACKERS:RW', 'todo.sr.ht/PROFILE:RO']);
		for (const scope of scopes) {
			assert.ok(grantsOf(scope, services).some((grant) => grant.endsWith(scope.endsWith(':write') ? ':RW' : ':RO')));
		}
	});

	test('use the name that the forge gives a service', () => {
		const own = serviceNames({ scopeSpelling: { prefixes: { git: 'code.example/' }, names: {} } });
		assert.deepEqual(grantsOf('data:read', own), [
			'code.example/OBJECTS:RO',
			'code.example/REPOSITORIES:RO',
			'code.example/PROFILE:RO',
		]);
	});

	test('convert back to scopes, and write access includes read access', () => {
		for (const scope of scopes) {
			const held = readGrants(grantsOf(scope, services).join(' '), services);
			assert.ok(held !== 'all' && held.includes(scope), scope);
		}
		assert.deepEqual(readGrants('todo.sr.ht/TRACKERS:RW todo.sr.ht/PROFILE', services), [
			'trackers:read',
			'trackers:write',
		]);
		assert.deepEqual(
			readGrants('todo.sr.ht/TRACKERS:RO', services),
			[],
			'without names of people nothing can be asked',
		);
		assert.deepEqual(readGrants('git.sr.ht/TRACKERS:RW git.sr.ht/PROFILE:RO', services), []);
	});

	test('include ticket subscriptions, although no other feature needs them', () => {
		const others = grantsOf('tickets:write', services).filter((grant) => !grant.includes('SUBSCRIPTIONS'));
		assert.equal(others.length, grantsOf('tickets:write', services).length - 1);
		const held = readGrants(others.join(' '), services);
		assert.ok(held !== 'all' && held.includes('tickets:write') && held.includes('tickets:read'));
		// No permission is missing then, so the message of the forge is shown.
		assert.equal(scopeOfGrant('todo', 'SUBSCRIPTIONS:RW'), undefined);
		assert.equal(scopeOfGrant('todo', 'SUBSCRIPTIONS:RO'), undefined);
	});

	test('include optional ones, but a token without them allows everything else', () => {
		for (const [scope, extra] of [
			['lists:read', 'lists.sr.ht/ACLS:RO'],
			['lists:write', 'lists.sr.ht/ACLS:RO'],
			['emails:read', 'lists.sr.ht/PATCHES:RO'],
		] as const) {
			const all = grantsOf(scope, services);
			assert.ok(all.includes(extra), scope);
			const held = readGrants(all.filter((grant) => grant !== extra).join(' '), services);
			assert.ok(held !== 'all' && held.includes(scope), scope);
		}
	});

	test('mean everything when empty, and nothing when the text is too long', () => {
		assert.equal(readGrants('', services), 'all');
		assert.equal(readGrants('  ', services), 'all');
		assert.deepEqual(readGrants('todo.sr.ht/TICKETS:RW '.repeat(2000), services), []);
	});

	test('map back to their scope when missing', () => {
		assert.equal(scopeOfGrant('todo', 'TICKETS:RW'), 'tickets:write');
		assert.equal(scopeOfGrant('todo', 'EVENTS:RO'), 'tickets:read');
		assert.equal(scopeOfGrant('lists', 'SUBSCRIPTIONS:RW'), 'subs:write');
		assert.equal(scopeOfGrant('git', 'BILLING:RO'), undefined);
	});
});
