import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { thingKey } from '../../../../src/store/inbox/inboxEntry.ts';
import {
	placeOfWatched,
	watchedKey,
	watchedName,
	watchedNamed,
	type Watched,
} from '../../../../src/store/inbox/watched.ts';
import { ticketPosition } from '../../../../src/store/inbox/ticketNotices.ts';
import { counts, seed } from '../../../support/counts.ts';

const runs = { numRuns: counts({ small: 200, full: 20_000 }), seed: seed() };

const plain = { noNullPrototype: true };
const ref = fc.record(
	{
		owner: fc.stringMatching(/^(?:~[a-z][a-z0-9_-]{0,8}|[a-z]{1,5}\.example(?::\d{4})?)$/),
		name: fc.stringMatching(/^[A-Za-z0-9_.-]{1,9}x$/),
	},
	plain,
);
/** Archives have large numbers, and hosts as owners. */
const id = fc.oneof(fc.integer({ min: 1, max: 999_999 }), fc.integer({ min: 2 ** 49, max: Number.MAX_SAFE_INTEGER }));

const watched: fc.Arbitrary<Watched> = fc.oneof(
	fc.record({ kind: fc.constantFrom('tracker' as const, 'list' as const, 'repository' as const), ref }, plain),
	fc.record({ kind: fc.constant('ticket' as const), ref: fc.record({ tracker: ref, id }, plain) }, plain),
	fc.record({ kind: fc.constant('thread' as const), list: ref, id }, plain),
	fc.record({ kind: fc.constant('patchset' as const), ref: fc.record({ list: ref, id }, plain) }, plain),
	fc.record(
		{ kind: fc.constant('file' as const), list: ref, path: fc.string({ minLength: 1, unit: 'grapheme' }) },
		plain,
	),
);

suite('watch setting', () => {
	test('survives a round trip through its name, including case', () => {
		fc.assert(
			fc.property(watched, (each) => assert.deepEqual(watchedNamed(watchedName(each)), each)),
			runs,
		);
	});

	test('has one key regardless of case, different from all others', () => {
		const list = { owner: '~alice', name: 'Devel' };
		assert.equal(watchedKey({ kind: 'thread', list, id: 3 }), 'thread ~alice/devel 3');
		assert.equal(thingKey({ kind: 'patchset', ref: { list, id: 3 }, subject: 'X' }), 'patchset ~alice/devel 3');
		assert.equal(
			ticketPosition({ tracker: list, id: 3 }),
			watchedKey({ kind: 'ticket', ref: { tracker: list, id: 3 } }),
		);
		const file = (path: string): string => watchedKey({ kind: 'file', list, path });
		assert.notEqual(file('xt_MARK.c'), file('xt_mark.c'));
		assert.deepEqual(placeOfWatched({ kind: 'patchset', ref: { list, id: 3 } }), { kind: 'list', ref: list });
		assert.deepEqual(placeOfWatched({ kind: 'ticket', ref: { tracker: list, id: 3 } }), { kind: 'tracker', ref: list });
	});

	test('does not exist for an unknown or invalid name', () => {
		const others = [
			'',
			'tracker',
			'tracker ~a',
			'song ~a/b',
			'ticket ~a/b',
			'list ~a/b 3',
			'list ~a/..',
			'thread ~a/b 0',
			'file ~a/b',
			'file ~a/b 3',
			'list ~a/b /c',
			'thread ~a/b /c',
		];
		assert.deepEqual(
			others.filter((each) => watchedNamed(each) !== undefined),
			[],
		);
	});
});
