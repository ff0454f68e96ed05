import assert from 'node:assert/strict';
import type { PatchsetRef } from 'sourcehut/port/list.ts';
import { snoozes } from '../../../../../src/store/lists/patchsets/snoozes.ts';
import { textInMemory } from '../../../../../src/store/shared/keptText.ts';
import { fakeClock } from '../../../../support/fakeClock.ts';

const hourMs = 3_600_000;
const list = { owner: '~alice', name: 'devel' };
const ref: PatchsetRef = { list, id: 10 };

suite('snoozed patchsets', () => {
	test('have this form on disk', async () => {
		const place = textInMemory();
		const clock = fakeClock();
		const of = snoozes(place, clock);
		await of.put([
			{ ref, snooze: { version: 2 } },
			{ ref: { list, id: 11 }, snooze: { version: 1, untilMs: Date.UTC(2026, 11, 1) } },
		]);
		assert.equal(
			place.read(),
			'[{"list":"~alice/devel","id":10,"version":2},{"list":"~alice/devel","id":11,"version":1,"until":1796083200000}]',
		);
	});

	test('are read from this form, without damaged entries, in any case of the name', () => {
		const text = `[{"list":"~Alice/Devel","id":10,"version":2},{"id":3},7,{"list":"~alice/devel","id":11,"version":1,"until":1e99}]`;
		const of = snoozes(textInMemory(text), fakeClock());
		assert.deepEqual(of.of(ref, 2), { untilMs: undefined, version: 2 });
		assert.equal(of.of({ list, id: 11 }, 1), undefined);
		for (const damaged of ['', '{', '{"a":1}', 'null']) {
			assert.equal(snoozes(textInMemory(damaged), fakeClock()).of(ref, 2), undefined);
		}
	});

	test('come back when due, with an event', async () => {
		const clock = fakeClock();
		const of = snoozes(textInMemory(), clock);
		const events: PatchsetRef[] = [];
		of.onDidChange((each) => events.push(each));
		await of.put([{ ref, snooze: { version: 1, untilMs: clock.nowMs() + 50 * hourMs } }]);
		events.length = 0;
		for (const [hours, isSnoozed] of [
			[24, true],
			[25, true],
			[1, false],
		] as const) {
			clock.advance(hours * hourMs);
			assert.equal(of.of(ref, 1) !== undefined, isSnoozed);
		}
		assert.deepEqual(events, [ref]);
	});

	test('come back in a window that another window wrote for', async () => {
		const place = textInMemory();
		const clock = fakeClock();
		const [one, other] = [snoozes(place, clock), snoozes(place, clock)];
		const events: PatchsetRef[] = [];
		other.onDidChange((each) => events.push(each));
		await one.put([{ ref, snooze: { version: 1, untilMs: clock.nowMs() + hourMs } }]);
		assert.notEqual(other.of(ref, 1), undefined);
		clock.advance(hourMs);
		assert.deepEqual([events, other.of(ref, 1)], [[ref], undefined]);
	});

	test('come back with a new version', async () => {
		const of = snoozes(textInMemory(), fakeClock());
		await of.put([{ ref, snooze: { version: 1 } }]);
		assert.notEqual(of.of(ref, 1), undefined);
		assert.equal(of.of(ref, 2), undefined);
	});

	test('end on request, and return what was there before', async () => {
		const of = snoozes(textInMemory(), fakeClock());
		assert.deepEqual(await of.put([{ ref, snooze: { version: 1 } }]), [{ ref, snooze: undefined }]);
		assert.deepEqual(await of.put([{ ref }]), [{ ref, snooze: { untilMs: undefined, version: 1 } }]);
		assert.equal(of.of(ref, 1), undefined);
	});
});
