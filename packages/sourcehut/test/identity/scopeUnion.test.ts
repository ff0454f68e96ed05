import assert from 'node:assert/strict';
import type { ForgeProtocol } from '../../src/port/forgeProtocol.ts';
import { readScopes, scopes, type Scope } from '../../src/port/scope.ts';
import { grantsFor, holds, scopeUnion } from '../../src/identity/scopeUnion.ts';
import { fake } from '../../../../test/support/fake.ts';

/** A forge that uses our scope names. */
const plain = fake<ForgeProtocol>({ besides: [], grantsOf: (scope) => [scope] });

const grantsOfScopes: ReadonlyMap<Scope, readonly string[]> = new Map([
	['tickets:read', ['todo/TICKETS:RO', 'todo/EVENTS:RO', 'todo/PROFILE:RO']],
	['trackers:read', ['todo/TRACKERS:RO', 'todo/PROFILE:RO']],
	['subs:read', ['todo/PROFILE:RO']],
]);

/** A forge with several grants per scope, some of them shared between scopes. */
const fine = fake<ForgeProtocol>({
	besides: [],
	grantsOf: (scope) => grantsOfScopes.get(scope) ?? [scope],
});

suite('scopes of a grant', () => {
	test('signing in requests only the scopes for reading', () => {
		assert.deepEqual(scopeUnion([], []), readScopes);
		assert.ok(scopeUnion([], []).every((scope) => scope.endsWith(':read')));
	});

	test('a new grant requests all current scopes again', () => {
		const first = scopeUnion([], ['tickets:write']);
		const second = scopeUnion(first, ['subs:write']);
		assert.deepEqual(
			second.filter((scope) => scope.endsWith(':write')),
			['subs:write', 'tickets:write'],
		);
		assert.ok(readScopes.every((scope) => second.includes(scope)));
	});

	test('a personal access token has all scopes', () => {
		assert.ok(scopes.every((scope) => holds('all', scope, plain)));
	});

	test('writing implies reading, and reading does not imply writing', () => {
		assert.equal(holds(['tickets:write'], 'tickets:read', plain), true);
		assert.equal(holds(['tickets:read'], 'tickets:write', plain), false);
	});

	test('scopes with the same spelling belong to one grant', () => {
		const alike = fake<ForgeProtocol>({
			grantsOf: (scope) => [scope === 'patches:write' ? 'patches:read' : scope],
		});
		assert.equal(holds(['patches:read'], 'patches:write', alike), true);
		assert.equal(holds(['patches:read'], 'patches:write', plain), false);
	});

	test('a scope is granted if all its grants are, regardless of their original scope', () => {
		assert.equal(holds(['trackers:read'], 'subs:read', fine), true);
		assert.equal(holds(['subs:read'], 'trackers:read', fine), false);
		assert.equal(holds(['trackers:read'], 'tickets:read', fine), false);
	});

	test('a grant needed by several scopes is requested once', () => {
		assert.deepEqual(grantsFor(['tickets:read', 'trackers:read'], fine), [
			'todo/TICKETS:RO',
			'todo/EVENTS:RO',
			'todo/PROFILE:RO',
			'todo/TRACKERS:RO',
		]);
	});

	test('reading is not requested next to writing', () => {
		assert.deepEqual(grantsFor(['tickets:read', 'lists:read', 'tickets:write'], plain), [
			'lists:read',
			'tickets:write',
		]);
	});
});
