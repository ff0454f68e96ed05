import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { readPersonalToken } from '../../../src/graphql/door/personalToken.ts';
import { counts, seed } from '../../support/counts.ts';

function lengthBefore(text: string): Buffer {
	const bytes = Buffer.from(text);
	const length: number[] = [];
	let rest = bytes.length;
	do {
		length.push((rest % 128) + (rest >= 128 ? 128 : 0));
		rest = Math.floor(rest / 128);
	} while (rest > 0);
	return Buffer.concat([Buffer.from(length), bytes]);
}

interface Parts {
	readonly expiresS: number;
	readonly grants: string;
	readonly clientId: string;
	readonly name: string;
}

function tokenOf({ expiresS, grants, clientId, name }: Parts, version = 0): string {
	const expires = Buffer.alloc(8);
	expires.writeBigInt64LE(BigInt(expiresS));
	const said = [Buffer.from([version]), expires, ...[grants, clientId, name].map(lengthBefore)];
	return Buffer.concat([...said, Buffer.alloc(32, 7)])
		.toString('base64')
		.replace(/=+$/, '');
}

const alice = { expiresS: 1_800_000_000, grants: 'todo.sr.ht/TICKETS:RW', clientId: '', name: 'alice' };

suite('personal tokens', () => {
	test('say whose they are, until when and what for', () => {
		assert.deepEqual(readPersonalToken(tokenOf(alice)), {
			expiresMs: 1_800_000_000_000,
			grants: 'todo.sr.ht/TICKETS:RW',
			owner: '~alice',
			clientId: undefined,
		});
		assert.equal(readPersonalToken(tokenOf({ ...alice, clientId: 'a-client' }))?.clientId, 'a-client');
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
				assert.deepEqual(readPersonalToken(tokenOf(made)), {
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
		const token = tokenOf(alice);
		for (const other of [
			'0123456789abcdef0123456789abcdef',
			'0123456789abcdef'.repeat(8),
			tokenOf(alice, 1),
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
