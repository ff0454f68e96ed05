import assert from 'node:assert/strict';
import { answerCounts } from '../../../../src/engine/series/answerCounts.ts';
import { readSeries } from '../../../../src/engine/series/series.ts';
import type { SeriesMail } from '../../../../src/engine/series/seriesReading.ts';
import { makeSeriesMail, patchText } from '../../../support/makeSeries.ts';

function reply(id: number, parentId: number): SeriesMail {
	return makeSeriesMail({ id, parentId, subject: 'Re: x', from: 'dave@forge.test' });
}

suite('counts of answers', () => {
	test('an answer counts once for the series, and at any depth for the patch; another version and its answers for none', () => {
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
});
