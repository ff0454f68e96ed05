import assert from 'node:assert/strict';
import type { User } from '../src/shared/area.ts';
import { permissionsOn } from '../src/tickets/ticketRoom.ts';
import type { Tracker } from '../src/tickets/ticketModel.ts';
import { standFor } from '../../../test/support/standFor.ts';

suite('Sample forge: who may do what with a tracker', () => {
	const [alice, bob, carol] = ['alice', 'bob', 'carol'].map((name) => standFor<User>({ name }));
	const all = { anonymous: ['browse'], submitter: ['browse'], user: ['browse', 'comment'] };
	const access = new Map([['carol', { permissions: ['browse'] }]]);

	function held(visibility: Tracker['visibility'], user: User | undefined): readonly string[] {
		const tracker = standFor<Tracker>({ owner: alice, visibility, permissions: all, access });
		return [...permissionsOn(tracker, undefined, user)].toSorted();
	}

	test('a public one gives what its table says, and what one person was given instead', () => {
		assert.deepEqual(held('public', undefined), ['browse']);
		assert.deepEqual(held('public', bob), ['browse', 'comment']);
		assert.deepEqual(held('public', carol), ['browse']);
	});

	test('a private one is for its owner and for those who were let in, whatever its table says', () => {
		assert.deepEqual(held('private', undefined), []);
		assert.deepEqual(held('private', bob), []);
		assert.deepEqual(held('private', carol), ['browse']);
		assert.deepEqual(held('private', alice), ['browse', 'comment', 'edit', 'submit', 'triage']);
	});
});
