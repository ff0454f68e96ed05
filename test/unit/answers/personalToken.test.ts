import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { readPersonalToken } from '../../../src/answers/personalToken.ts';
import { counts, seed } from '../../support/counts.ts';
import { grantToken } from '../../support/grantToken.ts';

const alice = { expiresS: 1_800_000_000, grants: 'todo.sr.ht/TICKETS:RW', clientId: '', name: 'alice' };

suite('personal tokens', () => {
	test('say whose they are, until when and what for', () => {
		assert.deepEqual(readPersonalToken(grantToken(alice)), {
			expiresMs: 1_800_000_000_000,
			grants: 'todo.sr.ht/TICKETS:RW',
			owner: '~alice',
			clientId: undefined,
		});
		assert.equal(readPersonalToken(grantToken({ ...alice, clientId: 'a-client' }))?.clientId, 'a-client');
	});

	test('of any content are read as they were made', () => {
		const parts = fc.record({
			expiresS: fc.integer({ min: 0, max: 2 ** 33 }),
			grants: fc.string({ maxLength: 400 }),
			clientId: fc.uuid(),
			name: fc.stringMatching(/^[a-z][a-z0-9_-]{0,29}$/),
		});
		fc.assert(
			fc.property(parts, (made) => {
				const { expiresS, grants, clientId, name } = made;
				assert.deepEqual(readPersonalToken(grantToken(made)), {
					expiresMs: expiresS * 1000,
					grants,
					clientId,
					owner: `~${name}`,
				});
			}),
			{ seed: seed(), numRuns: counts({ small: 200, full: 2000 }) },
		);
	});

	test('of the older generation, of a later version, cut short or of another kind are none', () => {
		const token = grantToken(alice);
		for (const other of [
			'0123456789abcdef0123456789abcdef',
			'0123456789abcdef'.repeat(8),
			grantToken(alice, 1),
			token.slice(0, -8),
			`${token}AAAA`,
			`${token} `,
			'',
			'ghp_0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef',
		]) {
			assert.equal(readPersonalToken(other), undefined, other);
		}
	});
});
