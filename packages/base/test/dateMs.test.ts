import assert from 'node:assert/strict';
import { dateMs } from '../src/dateMs.ts';

suite('dateMs', () => {
	test('rejects a day that its month lacks, in every date format', () => {
		for (const day of ['2026-02-29', '2026-02-30', '2026-02-31', '2026-04-31', '2026-11-31', '2100-02-29']) {
			const [year = '', month, date] = day.split('-');
			const name = new Date(Date.UTC(2026, Number(month) - 1)).toLocaleString('en', {
				month: 'short',
				timeZone: 'UTC',
			});
			for (const text of [
				`${day}T10:00:00Z`,
				`${day}T10:00:00+02:00`,
				`Tue, ${date} ${name} ${year} 10:00:00 +0000`,
				`${date} ${name} ${year} 10:00 GMT`,
				`${name} ${date}, ${year} 10:00`,
			]) {
				assert.ok(Number.isNaN(dateMs(text)), text);
			}
		}
	});

	test('agrees with Date.parse for all other dates', () => {
		for (const text of [
			'2024-02-29T10:00:00Z',
			'2026-01-31T23:59:59-11:00',
			'Thu, 29 Feb 2024 23:00:00 -0500',
			'31 Dec 2026 10:00:00 +0000',
			'Fri, 1 May 2026 00:00:00 +0200 (CEST)',
		]) {
			assert.equal(dateMs(text), Date.parse(text), text);
			assert.ok(!Number.isNaN(dateMs(text)), text);
		}
		assert.ok(Number.isNaN(dateMs('no date')));
	});
});
