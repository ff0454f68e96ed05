import assert from 'node:assert/strict';
import { answerCounts } from '../../src/series/answerCounts.ts';
import { readSeries } from '../../src/series/series.ts';
import type { SeriesMail } from '../../src/series/seriesReading.ts';
import { makeReading, makeSeriesMail, patchText } from '../../../../test/support/makeSeries.ts';
import type { ReadableMail } from '../../src/mail/readableMail.ts';

function reply(id: number, parentId: number): SeriesMail {
	return makeSeriesMail({ id, parentId, subject: 'Re: x', from: 'dave@forge.test' });
}

suite('answer counts', () => {
	test('count a reply once for the series and at any depth for its patch, but not other versions', () => {
		const parts = [
			makeSeriesMail({ id: 1, subject: '[PATCH 0/2] all' }),
			makeSeriesMail({ id: 2, parentId: 1, subject: '[PATCH 1/2] a', body: patchText('a.c') }),
			makeSeriesMail({ id: 3, parentId: 1, subject: '[PATCH 2/2] b', body: patchText('b.c') }),
		];
		const next = makeSeriesMail({ id: 4, parentId: 3, subject: '[PATCH v2 2/2] b', body: patchText('b.c') });
		const mails = [...parts, next, reply(5, 4), reply(6, 3), reply(7, 6), reply(8, 1)];
		const { all, byPatch } = answerCounts(mails, readSeries(parts));
		assert.deepEqual(
			[all, [...byPatch]],
			[
				3,
				[
					[2, 0],
					[3, 2],
				],
			],
		);
	});

	test('are cached for the same mails', () => {
		const parts = [makeSeriesMail({ id: 1, subject: '[PATCH] a', body: patchText('a.c') })];
		const series = readSeries(parts);
		const counts = answerCounts(parts, series);
		assert.equal(answerCounts(parts, series), counts);
		const more = [...parts, reply(2, 1)];
		assert.deepEqual([counts.all, answerCounts(more, series).all], [0, 1]);
	});

	test('use mail headers if the server gives no parent number', () => {
		const part = makeSeriesMail({ id: 1, subject: '[PATCH] a', body: patchText('a.c') });
		const answer = (id: number, headers: Partial<ReadableMail>): SeriesMail =>
			makeSeriesMail({ id, subject: 'Re: x', reading: makeReading(headers) });
		const mails = [
			part,
			answer(2, { references: ['<m1@forge.test>', '<away@forge.test>'] }),
			answer(3, { inReplyTo: '<m2@forge.test>' }),
			answer(4, { references: ['<away@forge.test>'] }),
		];
		assert.deepEqual([...answerCounts(mails, readSeries([part])).byPatch], [[1, 2]]);
	});
});
