import assert from 'node:assert/strict';
import * as v from 'valibot';
import { goodOf, kept, keptIn, time } from '../../../../src/store/shared/keptText.ts';
import { keptListChoices } from '../../../../src/store/lists/keptListChoices.ts';
import { keptSent } from '../../../../src/store/tickets/index/keptSent.ts';
import { PinnedRevisions } from '../../../../src/store/repositories/pinnedRevisions.ts';
import { versionLinks } from '../../../../src/store/lists/patchsets/versionLinks.ts';
import { fakeClock } from '../../../support/fakeClock.ts';
import { keptInMemory } from '../../../support/keptInMemory.ts';

/** Possible damage to a stored text. */
const damaged = [undefined, 7, '', '{', 'null', '[]', '{}', '"text"', '[[]]', '{"~alice/devel":null}', '{"kept":7}'];

suite('stored text', () => {
	const numbers = v.array(v.number());

	test('yields the same value until the text changes', () => {
		let text: unknown = '[1]';
		const read = kept({ read: () => text }, numbers, []);
		const first = read();
		assert.deepEqual(first, [1]);
		assert.ok(read() === first);
		text = '[2]';
		assert.deepEqual(read(), [2]);
	});

	test('yields the default if its format is invalid', () => {
		const nothing: readonly number[] = [];
		for (const text of ['[1, "2"]', ...damaged.filter((each) => each !== '[]')]) {
			assert.ok(keptIn(text, numbers, nothing) === nothing, String(text));
		}
	});

	test('with a list loses only the damaged items', () => {
		const list = v.object({ all: goodOf(numbers) });
		assert.deepEqual(keptIn('{"all": [[1], 2, [3, "4"], [], null, [5]]}', list, undefined), { all: [[1], [], [5]] });
		assert.deepEqual(keptIn('{"all": 7}', list, undefined), { all: [] });
		assert.deepEqual(keptIn('{}', list, undefined), { all: [] });
	});

	test('accepts only times that a date can represent', () => {
		assert.ok(v.is(time, 8.64e15) && !v.is(time, 8.65e15) && !v.is(time, Infinity) && !v.is(time, '1'));
	});
});

suite('stores with a damaged text', () => {
	const devel = { owner: '~alice', name: 'devel' };

	for (const text of damaged) {
		test(`start over from ${JSON.stringify(text)}`, async () => {
			const store = (): ReturnType<typeof keptInMemory> => {
				let now: unknown = text;
				return { read: () => now, write: async (written) => void (now = written) };
			};
			assert.deepEqual(keptSent(store(), fakeClock()).read(), []);
			assert.deepEqual(keptListChoices(store()).of(devel), { filter: '', patchsets: 'board' });
			const links = versionLinks(store());
			assert.deepEqual(links.of(devel), { linked: [], unlinked: [], stated: [] });
			await links.link({ list: devel, id: 9 }, { list: devel, id: 3 });
			assert.deepEqual(links.of(devel), { linked: [[3, 9]], unlinked: [], stated: [] });
			assert.equal(new PinnedRevisions(store()).of(devel, 'HEAD'), undefined);
		});
	}

	test('keep the valid parts', () => {
		const read = (value: unknown) => ({ read: () => JSON.stringify(value), write: () => Promise.resolve() });
		const choices = keptListChoices(
			read({ '~alice/devel': { filter: 'x'.repeat(2001), patchsets: 'newest' }, '~alice/users': { filter: 'a' } }),
		);
		assert.deepEqual(choices.of(devel), { filter: '', patchsets: 'newest' });
		assert.deepEqual(choices.of({ ...devel, name: 'Users' }), { filter: 'a', patchsets: 'board' });
		const links = versionLinks(read({ '~alice/devel': { linked: [[1, 2], [3], 'x', [4, '5'], [6, 7]] } }));
		assert.deepEqual(links.of(devel), {
			linked: [
				[1, 2],
				[6, 7],
			],
			unlinked: [],
			stated: [],
		});
		const id = 'a'.repeat(40);
		const pinned = new PinnedRevisions(
			read({
				kept: [[['~alice', 'devel', 'HEAD', id, 'b'.repeat(40)], 5], [['~alice', 'devel', 'main', 'short', ''], 5], 7],
				paths: [['root path', id], ['root other', 'short'], ['root']],
			}),
		);
		assert.deepEqual(pinned.of(devel, 'HEAD')?.commit, { id, tree: 'b'.repeat(40), timestampMs: 5 });
		assert.equal(pinned.of(devel, 'main'), undefined);
		assert.deepEqual([pinned.treeId('root', 'path'), pinned.treeId('root', 'other')], [id, undefined]);
	});
});
