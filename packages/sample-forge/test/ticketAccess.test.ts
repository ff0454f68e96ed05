import assert from 'node:assert/strict';
import type { User } from '../src/shared/area.ts';
import { permissionsOn } from '../src/tickets/ticketRoom.ts';
import type { Tracker } from '../src/tickets/ticketModel.ts';
import { standFor } from '../../../test/support/standFor.ts';

suite('Sample forge: tracker permissions', () => {
	const [alice, bob, carol] = ['alice', 'bob', 'carol'].map((name) => standFor<User>({ name }));
	const all = { anonymous: ['browse'], submitter: ['browse'], user: ['browse', 'comment'] };
	const access = new Map([['carol', { permissions: ['browse'] }]]);

	function held(visibility: Tracker['visibility'], user: User | undefined): readonly string[] {
		const tracker = standFor<Tracker>({ owner: alice, visibility, permissions: all, access });
		return [...permissionsOn(tracker, undefined, user)].toSorted();
	}

	test('a public tracker uses its default permissions, or those of the single user', () => {
		assert.deepEqual(held('public', undefined), ['browse']);
		assert.deepEqual(held('public', bob), ['browse', 'comment']);
		assert.deepEqual(held('public', carol), ['browse']);
	});

	test('a private tracker ignores its default permissions, and admits its owner and invited users', () => {
		assert.deepEqual(held('private', undefined), []);
		assert.deepEqual(held('private', bob), []);
		assert.deepEqual(held('private', carol), ['browse']);
		assert.deepEqual(held('private', alice), ['browse', 'comment', 'edit', 'submit', 'triage']);
	});
});
