import assert from 'node:assert/strict';
import { join } from 'node:path';
import {
	clockTime,
	dayText,
	dayTime,
	fullTime,
	minuteAfter,
	shortAge,
	spokenAge,
} from '../../../../src/engine/text/age.ts';
import { readSources } from '../../../house/sources.ts';

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
		assert.deepEqual([spokenAge(0, 59_999, 'en'), spokenAge(0, 60_000, 'de', 'short')], ['now', 'vor 1 Min.']);
	});

	test('today shows only the time, and other days the date too', () => {
		const atMs = Date.UTC(2026, 10, 20, 12, 3);
		assert.equal(
			clockTime(atMs, atMs + hourMs, 'en'),
			new Intl.DateTimeFormat('en', { timeStyle: 'short' }).format(atMs),
		);
		assert.match(clockTime(atMs, atMs + 24 * hourMs, 'en'), /^Nov 20, 2026, /);
	});

	test('points in time have one form each, in both languages', () => {
		const atMs = Date.UTC(2026, 10, 20, 12, 3, 1);
		const forms = (locale: string) =>
			[dayText, dayTime, fullTime, minuteAfter].map((form) => form(atMs, locale).replaceAll('\u202f', ' '));
		const hour = new Intl.DateTimeFormat('de', { hour: '2-digit' }).format(atMs).slice(0, 2);
		assert.deepEqual(forms('de'), [
			'20.11.2026',
			`20.11.2026, ${hour}:03`,
			`Freitag, 20. November 2026 um ${hour}:03`,
			`${hour}:04`,
		]);
		assert.match(forms('en').join(' | '), /^Nov 20, 2026 \| Nov 20, 2026, .* \| Friday, November 20, 2026 at /);
	});

	test('no other module formats a time', () => {
		// The text of a commit as a document is the same in every time zone.
		const others = new Set(['src/engine/text/age.ts', 'src/features/repositories/files/placeReads.ts']);
		const form = /Intl\.(?:DateTimeFormat|RelativeTimeFormat)|\.toLocale(?:Date|Time)?String\(/;
		const found = readSources(join(import.meta.dirname, '../../../..'))
			.filter(({ path, text }) => path.startsWith('src/') && !others.has(path) && form.test(text))
			.map(({ path }) => path);
		assert.deepEqual(found, []);
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
