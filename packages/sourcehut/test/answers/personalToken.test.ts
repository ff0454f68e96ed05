import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { readPersonalToken } from '../../src/answers/personalToken.ts';
import { counts, seed } from '../../../../test/support/counts.ts';
import { grantToken } from '../../../../test/support/grantToken.ts';

const alice = { expiresS: 1_800_000_000, grants: 'todo.sr.ht/TICKETS:RW', clientId: '', name: 'alice' };

suite('personal token decoder', () => {
	test('reads owner, expiry and grants', () => {
		assert.deepEqual(readPersonalToken(grantToken(alice)), {
			expiresMs: 1_800_000_000_000,
			grants: 'todo.sr.ht/TICKETS:RW',
			owner: '~alice',
			clientId: undefined,
		});
		assert.equal(readPersonalToken(grantToken({ ...alice, clientId: 'a-client' }))?.clientId, 'a-client');
	});

	test('reads bytes from a real service, independent of the encoder used in tests', () => {
		const bytes = (...parts: readonly string[]): string =>
			Buffer.from([...parts, 'ee'.repeat(32)].join(''), 'hex')
				.toString('base64')
				.replaceAll('=', '');
		// Version, expiry in seconds (little-endian), and three length-prefixed texts: `A:RW`, an empty one, `bob`.
		assert.deepEqual(readPersonalToken(bytes('00', '00d2496b00000000', '04', '413a5257', '00', '03', '626f62')), {
			expiresMs: 1_800_000_000_000,
			grants: 'A:RW',
			owner: '~bob',
			clientId: undefined,
		});
		// A length above 127 takes two bytes.
		const long = readPersonalToken(
			bytes('00', '00d2496b00000000', 'c801', '78'.repeat(200), '01', '63', '03', '626f62'),
		);
		assert.deepEqual([long?.grants, long?.clientId], ['x'.repeat(200), 'c']);
	});

	test('reads back any content', () => {
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

	test('rejects older and later formats, truncated tokens and other texts', () => {
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
