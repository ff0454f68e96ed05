import assert from 'node:assert/strict';
import type { ForgeProtocol } from '../../src/port/forgeProtocol.ts';
import { readScopes, scopes, type Scope } from '../../src/port/scope.ts';
import { grantsFor, holds, scopeUnion } from '../../src/identity/scopeUnion.ts';
import { fake } from '../../../../test/support/fake.ts';

/** A forge that writes scopes as we do. */
const plain = fake<ForgeProtocol>({ besides: [], grantsOf: (scope) => [scope] });

const grantsOfScopes: ReadonlyMap<Scope, readonly string[]> = new Map([
	['tickets:read', ['todo/TICKETS:RO', 'todo/EVENTS:RO', 'todo/PROFILE:RO']],
	['trackers:read', ['todo/TRACKERS:RO', 'todo/PROFILE:RO']],
	['subs:read', ['todo/PROFILE:RO']],
]);

/** A forge for which one of our scopes is several of its grants, and some of them serve several. */
const fine = fake<ForgeProtocol>({
	besides: [],
	grantsOf: (scope) => grantsOfScopes.get(scope) ?? [scope],
});

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
		assert.ok(scopes.every((scope) => holds('all', scope, plain)));
	});

	test('writing implies reading, and reading does not imply writing', () => {
		assert.equal(holds(['tickets:write'], 'tickets:read', plain), true);
		assert.equal(holds(['tickets:read'], 'tickets:write', plain), false);
	});

	test('what the forge spells alike is held together', () => {
		const alike = fake<ForgeProtocol>({
			grantsOf: (scope) => [scope === 'patches:write' ? 'patches:read' : scope],
		});
		assert.equal(holds(['patches:read'], 'patches:write', alike), true);
		assert.equal(holds(['patches:read'], 'patches:write', plain), false);
	});

	test('a scope that needs several grants is held when all of them are, whatever they were granted for', () => {
		assert.equal(holds(['trackers:read'], 'subs:read', fine), true);
		assert.equal(holds(['subs:read'], 'trackers:read', fine), false);
		assert.equal(holds(['trackers:read'], 'tickets:read', fine), false);
	});

	test('grants are asked for once, however many scopes need them', () => {
		assert.deepEqual(grantsFor(['tickets:read', 'trackers:read'], fine), [
			'todo/TICKETS:RO',
			'todo/EVENTS:RO',
			'todo/PROFILE:RO',
			'todo/TRACKERS:RO',
		]);
	});

	test('reading is not asked for beside writing, which implies it', () => {
		assert.deepEqual(grantsFor(['tickets:read', 'lists:read', 'tickets:write'], plain), [
			'lists:read',
			'tickets:write',
		]);
	});
});
