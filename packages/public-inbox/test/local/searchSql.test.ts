import assert from 'node:assert/strict';
import { parseQuery } from '../../src/local/searchQuery.ts';
import { numberAt, numbersInSecond, sqlSearch } from '../../src/local/searchSql.ts';

const nowMs = Date.UTC(2026, 4, 20, 12);

/** The search of a query, with short names for its conditions. */
function searched(query: string) {
	const node = parseQuery(query, nowMs);
	assert.ok(node);
	const { match, sql, values } = sqlSearch(node);
	const inMails = /\+rowid IN \(SELECT num FROM mails WHERE (\w+) BETWEEN \? AND \?\)/g;
	const short = sql
		?.replaceAll(inMails, '$1')
		.replaceAll('+rowid IN (SELECT rowid FROM texts WHERE texts MATCH ?)', 'texts')
		.replaceAll('rowid BETWEEN ? AND ?', 'num');
	return [match, short, values];
}

suite('search of a mailbox: its statements', () => {
	for (const [query, match, sql, values] of [
		['s:one', '{subject} : ("one")', undefined, []],
		['s:word*', '{subject} : ("word" *)', undefined, []],
		['s:a OR f:b', '({subject} : ("a")) OR ({from} : ("b"))', undefined, []],
		['s:a f:b', '(({subject} : ("a")) AND ({from} : ("b")))', undefined, []],
		['s:a -s:b -s:c', '(({subject} : ("a"))) NOT (({subject} : ("b")) OR ({subject} : ("c")))', undefined, []],
		['s:a m:b', '({subject} : ("a"))', 'messageId', ['<b>', '<b>']],
		['s:a t:c m:b*', '({subject} : ("a")) AND ({to} : ("c"))', 'messageId', ['<b', '<b\u{10ffff}']],
		['s:a -m:b', '({subject} : ("a"))', 'NOT (messageId)', ['<b>', '<b>']],
		['s:a OR m:b', undefined, '(texts) OR (messageId)', ['{subject} : ("a")', '<b>', '<b>']],
		['-s:a', undefined, 'NOT (texts)', ['{subject} : ("a")']],
		['-s:a -s:b', undefined, 'NOT (texts) AND NOT (texts)', ['{subject} : ("a")', '{subject} : ("b")']],
		['NOT (m:a m:b)', undefined, 'NOT ((messageId) AND (messageId))', ['<a>', '<a>', '<b>', '<b>']],
		['m:a z:1..', undefined, 'messageId AND size', ['<a>', '<a>', 1, Number.MAX_SAFE_INTEGER]],
		['z:..9', undefined, 'size', [0, 9]],
		['z:0..', undefined, '1', []],
		['rt:1..2', undefined, 'num', [numbersInSecond, 3 * numbersInSecond - 1]],
		['d:19700101', undefined, 'sentMs', [0, 86_399_999]],
		['dfpre:0123456', '{oldBlobs} : ("0123456" *)', undefined, []],
		['dfpre:01234567', '{oldBlobs} : ("01234567" * OR "0123456")', undefined, []],
		['dfpost:012345', '{newBlobs} : ("012345")', undefined, []],
	] as const) {
		test(`asks for ${query}`, () => assert.deepEqual(searched(query), [match, sql, values]));
	}

	test('shortens an id of a blob to 64 digits', () => {
		assert.deepEqual(searched(`dfblob:${'a'.repeat(80)}`), searched(`dfblob:${'a'.repeat(64)}`));
	});

	for (const [ms, second] of [
		[0, 0],
		[1999, 1],
		[-1, 0],
		[-8.64e15, 0],
		[8.64e15, 2 ** 34],
		[Date.UTC(2030, 0, 1), 1_893_456_000],
	] as const) {
		test(`numbers mails of ${ms} ms from second ${second} on`, () => {
			assert.equal(numberAt(ms), second * 2 ** 18);
		});
	}
});
