import assert from 'node:assert/strict';
import { keptListChoices } from '../../../src/state/keptListChoices.ts';
import { keptThreadLooks } from '../../../src/state/keptThreadLooks.ts';
import { fakeClock } from '../../support/fakeClock.ts';
import { keptInMemory } from '../../support/keptInMemory.ts';

const devel = { owner: '~alice', name: 'devel' };
const thread = { list: devel, id: 10 };

suite('looks at conversations', () => {
	test('the newest mail of the last look is remembered, and older looks take nothing back', () => {
		const looks = keptThreadLooks({ kept: keptInMemory(), clock: fakeClock() });
		const heard: unknown[] = [];
		looks.onDidChange((change) => heard.push(change));
		assert.equal(looks.lastSeen(thread), undefined);
		looks.look(thread, 13);
		looks.look(thread, 12);
		assert.equal(looks.lastSeen({ list: { owner: '~alice', name: 'Devel' }, id: 10 }), 13);
		assert.equal(looks.lastSeen({ list: devel, id: 11 }), undefined);
		assert.deepEqual(heard, [thread]);
	});

	test('looks come in one write each burst, and outlive the window', () => {
		const kept = keptInMemory();
		const clock = fakeClock();
		const looks = keptThreadLooks({ kept, clock });
		looks.look(thread, 13);
		looks.look({ list: devel, id: 20 }, 21);
		assert.equal(kept.read(), undefined);
		clock.advance(400);
		assert.equal(keptThreadLooks({ kept, clock }).lastSeen(thread), 13);
		looks.look(thread, 30);
		looks.dispose();
		assert.equal(keptThreadLooks({ kept, clock }).lastSeen(thread), 30);
	});

	test('two windows keep what both have seen', () => {
		const kept = keptInMemory();
		const clock = fakeClock();
		const one = keptThreadLooks({ kept, clock });
		const other = keptThreadLooks({ kept, clock });
		one.look(thread, 13);
		other.look({ list: devel, id: 20 }, 21);
		other.look(thread, 11);
		clock.advance(400);
		assert.deepEqual([one.lastSeen({ list: devel, id: 20 }), other.lastSeen(thread)], [21, 13]);
		assert.deepEqual(JSON.parse(String(kept.read())), { '~alice/devel 10': 13, '~alice/devel 20': 21 });
		other.look(thread, 40);
		one.look({ list: devel, id: 30 }, 31);
		one.dispose();
		assert.equal(other.lastSeen(thread), 40, 'what the other window wrote is older');
	});

	test('looks are bounded, and those that lie back furthest are forgotten', () => {
		const kept = keptInMemory();
		const clock = fakeClock();
		const looks = keptThreadLooks({ kept, clock });
		for (let id = 1; id <= 2100; id += 1) {
			looks.look({ list: devel, id }, id);
		}
		looks.look({ list: devel, id: 1 }, 5000);
		clock.advance(400);
		assert.equal(looks.lastSeen({ list: devel, id: 1 }), 5000);
		assert.equal(looks.lastSeen({ list: devel, id: 2 }), undefined);
		assert.equal(String(kept.read()).split(',').length, 2000);
	});

	for (const text of ['not JSON', '[]', 'null', '{"x 1":"7","~alice/devel 10":1.5}']) {
		test(`a text that is not ours counts as none: ${text}`, () => {
			const looks = keptThreadLooks({ kept: keptInMemory(text), clock: fakeClock() });
			assert.equal(looks.lastSeen(thread), undefined);
		});
	}
});

suite('how lists are shown', () => {
	test('a choice holds for its list, is told, and outlives the window', async () => {
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
		test(`a text that is not ours counts as no choice: ${text}`, () => {
			assert.deepEqual(keptListChoices(keptInMemory(text)).of(devel), { filter: '', patchsets: 'board' });
		});
	}
});
