import assert from 'node:assert/strict';
import { daysToMonday, eveningOf, morningIn, typedTime } from '../../../../src/engine/text/typedTime.ts';

/** A Friday. */
const nowMs = new Date(2026, 10, 20, 12).getTime();
const local = (...of: readonly [number, number, number, number, number]): number => new Date(...of).getTime();

suite('typed time', () => {
	test('is a duration or a date in the local time zone', () => {
		for (const [text, atMs] of [
			['12h', nowMs + 12 * 3_600_000],
			['3d', local(2026, 10, 23, 9, 0)],
			[' 2W ', local(2026, 11, 4, 9, 0)],
			['2026-12-24', local(2026, 11, 24, 9, 0)],
			['2026-12-24 14:30', local(2026, 11, 24, 14, 30)],
			['2026-12-24T00:00', local(2026, 11, 24, 0, 0)],
		] as const) {
			assert.equal(typedTime(text, nowMs), atMs, text);
		}
	});

	test('is nothing for the past, an impossible date, a far future, or anything else', () => {
		for (const text of [
			'',
			'0d',
			'3',
			'tomorrow',
			'2026-11-19',
			'2026-02-30',
			'2027-13-01',
			'2027-01-01 24:00',
			'2027-01-01 12:60',
			'9999d',
			'9999w',
		]) {
			assert.equal(typedTime(text, nowMs), undefined, text);
		}
	});

	test('offers the evening until an hour before it', () => {
		const at = (hour: number, minute = 0): number => local(2026, 10, 20, hour, minute);
		assert.deepEqual(
			[0, 12, 17].map((hour) => eveningOf(at(hour))),
			[at(18), at(18), at(18)],
		);
		assert.deepEqual([eveningOf(at(17, 1)), eveningOf(at(18)), eveningOf(at(23))], [undefined, undefined, undefined]);
	});

	test('counts days of the calendar', () => {
		assert.equal(morningIn(1, nowMs), local(2026, 10, 21, 9, 0));
		assert.equal(daysToMonday(nowMs), 3);
		assert.equal(daysToMonday(local(2026, 10, 23, 12, 0)), 7);
		assert.equal(daysToMonday(local(2026, 10, 22, 12, 0)), 1);
	});
});
