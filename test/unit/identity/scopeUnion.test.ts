import assert from 'node:assert/strict';
import { readScopes, scopes, spellScope } from '../../../src/forge/scope.ts';
import { holds, readGrantedScopes, scopeUnion } from '../../../src/identity/scopeUnion.ts';
import { makeInstance } from '../../support/makeSession.ts';

const spelling = makeInstance().scopeSpelling;
const plain = { prefixes: { todo: '', git: '', lists: '' }, names: {} };

suite('scopes of a grant', () => {
	test('signing in asks for what reading needs and for nothing else', () => {
		assert.deepEqual(scopeUnion([], []), readScopes);
		assert.ok(scopeUnion([], []).every((scope) => scope.endsWith(':read')));
	});

	test('a new grant asks again for everything that is held', () => {
		const first = scopeUnion([], ['tickets:write']);
		const second = scopeUnion(first, ['subs:write']);
		assert.deepEqual(
			second.filter((scope) => scope.endsWith(':write')),
			['subs:write', 'tickets:write'],
		);
		assert.ok(readScopes.every((scope) => second.includes(scope)));
	});

	test('a personal token holds everything', () => {
		assert.ok(scopes.every((scope) => holds('all', scope, spelling)));
		assert.equal(readGrantedScopes('*', spelling), 'all');
	});

	test('writing implies reading, and reading does not imply writing', () => {
		assert.equal(holds(['tickets:write'], 'tickets:read', spelling), true);
		assert.equal(holds(['tickets:read'], 'tickets:write', spelling), false);
	});

	test('what the forge spells alike is held together', () => {
		const alike = { ...plain, names: { 'patches:write': 'patches:read' } };
		assert.equal(holds(['patches:read'], 'patches:write', alike), true);
		assert.equal(holds(['patches:read'], 'patches:write', plain), false);
	});

	test('what was asked for is read back from aliases, in any order', () => {
		const answer = scopes.toReversed().map((scope) => spellScope(scope, spelling));
		assert.deepEqual(readGrantedScopes(answer.join(','), spelling), scopes);
		assert.deepEqual(readGrantedScopes(scopes.join(' '), plain), scopes);
	});

	test('raw client ids, foreign scopes and a missing access are understood as servers mean them', () => {
		const answer =
			'aaaa000000000006/lists:read,profile:read,aaaa000000000003/trackers:write,aaaa000000000003/tickets:write,aaaa000000000006/email,aaaa000000000003/events:read';
		assert.deepEqual(readGrantedScopes(answer, spelling), [
			'emails:read',
			'lists:read',
			'trackers:write',
			'tickets:write',
		]);
	});

	test('a name under the prefix of another area is another scope', () => {
		assert.deepEqual(readGrantedScopes('todo.forge.example/lists:read,git.forge.example/tickets:write', spelling), []);
	});

	test('a text that is too long for scopes grants none, in no time', () => {
		const scope = spellScope('tickets:read', spelling);
		assert.deepEqual(readGrantedScopes(`${scope},${scope}`, spelling), ['tickets:read']);
		assert.deepEqual(readGrantedScopes(`${scope} ${'a,'.repeat(500_000)}`, spelling), []);
	});
});
