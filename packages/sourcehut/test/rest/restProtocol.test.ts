import assert from 'node:assert/strict';
import type { ScopeSpelling, SignInMethod } from '../../src/port/instance.ts';
import type { ForgeProtocol } from '../../src/port/forgeProtocol.ts';
import { scopes } from '../../src/port/scope.ts';
import { grantsFor } from '../../src/identity/scopeUnion.ts';
import { restProtocol } from '../../src/rest/restProtocol.ts';
import { makeInstance } from '../../../../test/support/makeSession.ts';

const exchange: SignInMethod = { kind: 'exchange', clientId: 'bbbb000000000001', redirectPort: 15_998 };

function speaking(signIn: SignInMethod, scopeSpelling: Partial<ScopeSpelling> = {}): ForgeProtocol {
	return restProtocol(makeInstance({ signIn, scopeSpelling: { prefixes: {}, names: {}, ...scopeSpelling } }));
}

const aliases = restProtocol(makeInstance());
const plain = speaking({ kind: 'tokenOnly' });

suite('REST protocol', () => {
	test('the older flow uses the observed scope names unless the settings override them', () => {
		const wanted = ['emails:read', 'tickets:write', 'data:read'] as const;
		assert.deepEqual(grantsFor(wanted, speaking(exchange)), [
			'lists.sr.ht/email:read',
			'todo.sr.ht/tickets:write',
			'git.sr.ht/data:read',
		]);
		const own = speaking(exchange, { prefixes: { todo: 'aaaa000000000003/' }, names: { emails: 'emails' } });
		assert.deepEqual(grantsFor(wanted, own), [
			'lists.sr.ht/emails:read',
			'aaaa000000000003/tickets:write',
			'git.sr.ht/data:read',
		]);
		assert.deepEqual(grantsFor(wanted, plain), wanted);
	});

	test('a whole scope can map to another one', () => {
		const alike = speaking({ kind: 'tokenOnly' }, { names: { 'patches:write': 'patches:read' } });
		assert.deepEqual(grantsFor(['patches:read', 'patches:write'], alike), ['patches:read']);
	});

	test('scopes from the server map back from aliases in any order', () => {
		const answer = scopes.toReversed().flatMap(aliases.grantsOf);
		assert.deepEqual(aliases.readGranted(answer.join(',')), scopes);
		assert.deepEqual(plain.readGranted(scopes.join(' ')), scopes);
		assert.equal(aliases.readGranted('*'), 'all');
	});

	test('raw client ids, foreign scopes and missing access have the meaning that servers give them', () => {
		const answer =
			'aaaa000000000006/lists:read,profile:read,aaaa000000000003/trackers:write,aaaa000000000003/tickets:write,aaaa000000000006/email,aaaa000000000003/events:read';
		assert.deepEqual(aliases.readGranted(answer), ['emails:read', 'lists:read', 'trackers:write', 'tickets:write']);
	});

	test('a scope with the prefix of another area is a different scope', () => {
		assert.deepEqual(aliases.readGranted('todo.forge.example/lists:read,git.forge.example/tickets:write'), []);
	});

	test('a text that is too long grants no scopes, without delay', () => {
		const scope = aliases.grantsOf('tickets:read').join();
		assert.deepEqual(aliases.readGranted(`${scope},${scope}`), ['tickets:read']);
		assert.deepEqual(aliases.readGranted(`${scope} ${'a,'.repeat(500_000)}`), []);
	});
});
