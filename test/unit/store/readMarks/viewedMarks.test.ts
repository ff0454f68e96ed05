import assert from 'node:assert/strict';
import { viewedMarks } from '../../../../src/store/readMarks/viewedMarks.ts';
import { keptInMemory } from '../../../support/keptInMemory.ts';

const ref = { list: { owner: '~alice', name: 'devel' }, id: 7 };

suite('viewed files', () => {
	test('stay marked in the next window, and report their patchset', async () => {
		const place = keptInMemory();
		const marks = viewedMarks(place);
		assert.ok(marks.isEmpty());
		const told: unknown[] = [];
		marks.onDidChange((of) => told.push(of));
		await marks.mark(ref, ['one', 'two'], true);
		await marks.mark(ref, ['one'], false);
		const next = viewedMarks(place);
		assert.deepEqual([next.has('one'), next.has('two'), marks.has('two')], [false, true, true]);
		assert.deepEqual([next.isBegun(ref), next.isBegun({ ...ref, id: 8 })], [true, false]);
		assert.deepEqual(told, [ref, ref]);
		assert.ok(!marks.isEmpty() && !next.isEmpty());
	});

	test('keep the newest three thousand marks, and skip damaged entries', async () => {
		const place = keptInMemory(JSON.stringify(['kept', 5, '', null]));
		const marks = viewedMarks(place);
		assert.ok(marks.has('kept'));
		const many = Array.from({ length: 2999 }, (_, at) => `file ${at}`);
		await marks.mark(ref, many, true);
		assert.deepEqual([marks.has('kept'), marks.has('file 0'), marks.isBegun(ref)], [false, true, true]);
		assert.equal(viewedMarks(keptInMemory('{')).has('kept'), false);
	});
});
