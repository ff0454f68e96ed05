import assert from 'node:assert/strict';
import { keptListChoices } from '../../../../src/store/lists/keptListChoices.ts';
import type { KeptText } from '../../../../src/store/shared/keptText.ts';
import {
	storedListReadMarks,
	type ListReadMarks,
	type LookedInList,
} from '../../../../src/store/readMarks/storedReadMarks.ts';
import { fakeClock } from '../../../support/fakeClock.ts';
import { keptInMemory } from '../../../support/keptInMemory.ts';

const devel = { owner: '~alice', name: 'devel' };
const thread = { list: devel, id: 10 };
const startMs = Date.UTC(2026, 10, 20, 12);

function looked(id: number, updatedMs = startMs, isOwn = false): LookedInList {
	return { list: devel, id, updatedMs, isOwn };
}

function looksOver(kept: KeptText, clock = fakeClock(startMs)): ListReadMarks {
	return storedListReadMarks(kept, clock);
}

suite('thread read marks', () => {
	test('keep the newest seen message, even after an older look', () => {
		const looks = looksOver(keptInMemory());
		assert.equal(looks.lastSeenEventId(thread), undefined);
		looks.look(looked(10), 13);
		looks.look(looked(10), 12);
		assert.equal(looks.lastSeenEventId({ list: { owner: '~alice', name: 'Devel' }, id: 10 }), 13);
		assert.equal(looks.lastSeenEventId({ list: devel, id: 11 }), undefined);
	});

	test('show new and changed threads after the first visit, until the user opens them', () => {
		const looks = looksOver(keptInMemory());
		looks.see(devel, () => [looked(10), looked(9)]);
		const heard: unknown[] = [];
		looks.onDidChange((change) => heard.push(change));
		assert.deepEqual(
			[looked(10), looked(11), looked(9, startMs + 1)].map((thing) => looks.mark(thing)),
			[undefined, 'new', 'changed'],
		);
		looks.look(looked(11), 11);
		assert.equal(looks.mark(looked(11)), undefined);
		assert.deepEqual(heard, [[{ list: devel, id: 11 }]]);
	});

	test('ignore threads with only own messages', () => {
		const looks = looksOver(keptInMemory());
		looks.see(devel, () => [looked(10)]);
		assert.equal(looks.mark(looked(11, startMs + 5, true)), undefined);
	});

	test('do not depend on a thread opened before its list', () => {
		const kept = keptInMemory();
		const clock = fakeClock(startMs);
		const looks = looksOver(kept, clock);
		looks.look(looked(10, startMs - 60_000), 13);
		looks.markUnread(looked(7, startMs - 60_000));
		assert.equal(looks.mark(looked(20, startMs - 60_000)), undefined);
		clock.advance(400);
		const later = looksOver(kept, clock);
		later.see(devel, () => [looked(20, startMs - 60_000), looked(10, startMs - 60_000), looked(7, startMs - 60_000)]);
		assert.deepEqual(
			[20, 10, 7, 21].map((id) => later.mark(looked(id, startMs - 60_000))),
			[undefined, undefined, 'changed', 'new'],
		);
		assert.equal(later.lastSeenEventId(thread), 13);
	});

	test('combine a burst of looks into one write, and outlive the window', () => {
		const kept = keptInMemory();
		const clock = fakeClock(startMs);
		const looks = looksOver(kept, clock);
		looks.look(looked(10), 13);
		looks.look(looked(20), 21);
		assert.equal(kept.read(), undefined);
		clock.advance(400);
		assert.equal(looksOver(kept, clock).lastSeenEventId(thread), 13);
		looks.look(looked(10), 30);
		looks.dispose();
		assert.equal(looksOver(kept, clock).lastSeenEventId(thread), 30);
	});

	test('merge between two windows', () => {
		const kept = keptInMemory();
		const clock = fakeClock(startMs);
		const one = looksOver(kept, clock);
		const other = looksOver(kept, clock);
		one.see(devel, () => [looked(10)]);
		one.look(looked(30), 30);
		other.look(looked(20), 21);
		const heard: unknown[] = [];
		other.onDidChange((change) => heard.push(change));
		clock.advance(400);
		assert.deepEqual(heard, ['all'], 'what the other window has seen is told');
		const both = looksOver(kept, clock);
		assert.deepEqual(
			[both.lastSeenEventId({ list: devel, id: 20 }), both.lastSeenEventId({ list: devel, id: 30 })],
			[21, 30],
		);
		assert.deepEqual([both.mark(looked(30)), both.mark(looked(40))], [undefined, 'new']);
	});

	test('drop the oldest entries without marking their threads as new', () => {
		const kept = keptInMemory();
		const clock = fakeClock(startMs);
		const looks = looksOver(kept, clock);
		looks.see(devel, () => []);
		for (let id = 1; id <= 3100; id += 1) {
			looks.look(looked(id), id);
		}
		clock.advance(400);
		assert.deepEqual([looks.lastSeenEventId({ list: devel, id: 1 }), looks.mark(looked(1))], [undefined, undefined]);
		assert.equal(looks.lastSeenEventId({ list: devel, id: 3100 }), 3100);
		assert.ok(String(kept.read()).length < 200_000);
	});

	test('read the older format, and mark none of its threads as new', () => {
		const kept = keptInMemory('{"~alice/devel 10":13,"~alice/devel 11":12,"~bob/other 10":40}');
		const clock = fakeClock(startMs);
		const looks = looksOver(kept, clock);
		const old = [looked(10, startMs - 60_000), looked(11, startMs - 60_000), looked(12, startMs - 60_000)];
		const known = (from: ListReadMarks): unknown => [
			...[10, 11, 12].map((id) => from.lastSeenEventId({ list: devel, id })),
			from.lastSeenEventId({ list: { owner: '~bob', name: 'other' }, id: 10 }),
			...old.map((thing) => from.mark(thing)),
		];
		const expected = [13, 12, undefined, 40, undefined, undefined, undefined];
		assert.deepEqual(known(looks), expected);
		looks.see(devel, () => old);
		assert.deepEqual(known(looks), expected);
		assert.equal(looks.mark(looked(10, startMs + 1)), 'changed');
		clock.advance(400);
		assert.deepEqual(known(looksOver(kept, clock)), expected);
	});

	for (const text of [
		'not JSON',
		'[]',
		'null',
		'{"~alice/devel":7}',
		'{"~alice/devel ten":13}',
		'{"~alice/devel 10":1.5}',
	]) {
		test(`start over from invalid text: ${text}`, () => {
			assert.equal(looksOver(keptInMemory(text)).lastSeenEventId(thread), undefined);
		});
	}
});

suite('view options of a list', () => {
	test('apply to one list, report a change, and outlive the window', async () => {
		const kept = keptInMemory();
		const choices = keptListChoices(kept);
		const heard: unknown[] = [];
		choices.onDidChange((list) => heard.push(list));
		await choices.choose(devel, { filter: 'status:proposed', patchsets: 'newest' });
		assert.equal(choices.of(devel).filter, 'status:proposed');
		const again = keptListChoices(kept);
		assert.deepEqual(again.of({ owner: '~alice', name: 'Devel' }), { filter: 'status:proposed', patchsets: 'newest' });
		assert.deepEqual(again.of({ owner: '~alice', name: 'other' }), { filter: '', patchsets: 'board' });
		assert.deepEqual(heard, [devel]);
		await again.choose(devel, { filter: '', patchsets: 'board' });
		assert.equal(kept.read(), '{}');
		assert.deepEqual(choices.of(devel), { filter: '', patchsets: 'board' });
	});

	for (const text of [
		'not JSON',
		'[]',
		'{"~alice/devel":{"filter":7,"patchsets":"sideways"}}',
		'{"~alice/devel":null}',
	]) {
		test(`use the defaults for invalid text: ${text}`, () => {
			assert.deepEqual(keptListChoices(keptInMemory(text)).of(devel), { filter: '', patchsets: 'board' });
		});
	}
});
