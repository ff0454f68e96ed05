import assert from 'node:assert/strict';
import { clockTime, shortAge, spokenAge } from '../../../../src/engine/text/age.ts';

const hourMs = 3_600_000;

suite('ages', () => {
	test('a row shows the shortest form', () => {
		const ages = [0, hourMs / 2, 5 * hourMs, 72 * hourMs, 60 * 24 * hourMs, 800 * 24 * hourMs, -hourMs];
		assert.deepEqual(
			ages.map((age) => shortAge(0, age, 'en')),
			['0m', '30m', '5h', '3d', '60d', '2y', '0m'],
		);
	});

	test('a spoken label uses words', () => {
		assert.equal(spokenAge(0, 72 * hourMs, 'en'), '3 days ago');
		assert.equal(spokenAge(0, 0, 'en'), 'this minute');
	});

	test('today shows only the time, and other days the date too', () => {
		const atMs = Date.UTC(2026, 10, 20, 12, 3);
		assert.equal(
			clockTime(atMs, atMs + hourMs, 'en'),
			new Intl.DateTimeFormat('en', { timeStyle: 'short' }).format(atMs),
		);
		assert.match(clockTime(atMs, atMs + 24 * hourMs, 'en'), /November 20, 2026/);
	});

	test('times follow a new time zone and another locale', () => {
		const before = process.env['TZ'];
		const atMs = Date.UTC(2026, 10, 20, 12, 3);
		try {
			const shown = ['UTC', 'Asia/Tokyo', 'UTC'].map((zone) => {
				process.env['TZ'] = zone;
				return clockTime(atMs, atMs, 'de');
			});
			assert.deepEqual(shown, ['12:03', '21:03', '12:03']);
			assert.match(clockTime(atMs, atMs, 'en'), /^12:03\sPM$/);
		} finally {
			if (before === undefined) {
				delete process.env['TZ'];
			} else {
				process.env['TZ'] = before;
			}
		}
	});
});
