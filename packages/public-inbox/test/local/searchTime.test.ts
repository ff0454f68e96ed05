import assert from 'node:assert/strict';
import { timeSpan } from '../../src/local/searchTime.ts';

const nowMs = Date.UTC(2026, 4, 20, 12);

function shown(prefix: 'd' | 'dt' | 'rt', text: string): string | undefined {
	const span = timeSpan(prefix, text, nowMs);
	return span && [span.fromMs, span.toMs].map(stamp).join('..');
}

function stamp(ms: number): string {
	return Math.abs(ms) === 8.64e15
		? ms < 0
			? 'ever'
			: 'forever'
		: new Date(ms).toISOString().replace(/\.000Z$|Z$/, '');
}

suite('search of a mailbox: its times', () => {
	for (const [prefix, text, span] of [
		['d', '19700101..20300101', '1970-01-01T00:00:00..2030-01-01T23:59:59.999'],
		['d', '..20300101', 'ever..2030-01-01T23:59:59.999'],
		['d', '2026-05-01..', '2026-05-01T00:00:00..forever'],
		['dt', '20260501103015', '2026-05-01T10:30:15..2026-05-01T10:30:15.999'],
		['dt', '2026-05-01T10:30:15Z', '2026-05-01T10:30:15..2026-05-01T10:30:15.999'],
		['dt', '20260501.1030', '2026-05-01T10:30:00..2026-05-01T10:30:00.999'],
		['d', 'x20260501', undefined],
		['d', '20260501x', undefined],
		['d', '20260501-1030', undefined],
		['d', '2026', undefined],
		['rt', '86400', '1970-01-02T00:00:00..1970-01-02T00:00:00.999'],
		['rt', 'a86400', undefined],
		['rt', '86400a', undefined],
		['rt', '1..20260501', '1970-01-01T00:00:01..1970-08-23T11:55:01.999'],
		['rt', '2026-05-01..', '2026-05-01T00:00:00..forever'],
		['d', '86400..', undefined],
		['d', '10.seconds.ago..', '2026-05-20T11:59:50..forever'],
		['d', '1.minute.ago..', '2026-05-20T11:59:00..forever'],
		['d', '30.minutes.ago..', '2026-05-20T11:30:00..forever'],
		['d', '2.hours.ago..now', '2026-05-20T10:00:00..2026-05-20T12:00:00'],
		['d', '1.week.ago..', '2026-05-13T12:00:00..forever'],
		['d', '1.month.ago..', '2026-04-20T12:00:00..forever'],
		['d', 'last.month..', '2026-04-20T12:00:00..forever'],
		['d', 'last.year..', '2025-05-20T12:00:00..forever'],
		['d', 'LAST.WEEK..Yesterday', '2026-05-13T12:00:00..2026-05-19T23:59:59.999'],
		['d', 'today', '2026-05-20T00:00:00..2026-05-20T23:59:59.999'],
		['d', 'yesterday..', '2026-05-19T00:00:00..forever'],
		['d', 'a2.days.ago..', undefined],
		['d', '2.days.ago.x..', undefined],
		['d', '2.moons.ago..', undefined],
		['d', 'at.last.week..', undefined],
		['d', 'last.weekend..', undefined],
		['d', '20260501..nonsense', undefined],
		['d', 'Stryker was here!..', undefined],
		['d', '..', undefined],
		['d', '', undefined],
	] as const) {
		test(`reads ${prefix}:${text}`, () => assert.equal(shown(prefix, text), span));
	}
});
