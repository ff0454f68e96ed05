import assert from 'node:assert/strict';
import { readSeries } from '../../../src/series/series.ts';
import type { SeriesMail } from '../../../src/series/seriesReading.ts';
import { versionsInThread } from '../../../src/series/versionsInThread.ts';
import { makeSeriesMail, patchText } from '../../support/makeSeries.ts';

const first = makeSeriesMail({ id: 1, subject: '[PATCH proj] fold', body: patchText('a.c') });

function mail(id: number, subject: string, from = 'bob@forge.test'): SeriesMail {
	return makeSeriesMail({ id, parentId: 1, subject, body: patchText('a.c'), from });
}

function found(mails: readonly SeriesMail[], known: readonly number[] = [1]): readonly (readonly unknown[])[] {
	return versionsInThread([first, ...mails], readSeries([first]), new Set(known)).map(
		({ version, count, patches, first: head, mailIds }) => [version, `${patches}/${count}`, head.id, mailIds.size],
	);
}

suite('versions in the thread of another', () => {
	test('are told with their patches, the lowest first, and begin at their cover letter', () => {
		const mails = [
			mail(7, '[PATCH proj v3 2/2] b'),
			mail(6, '[PATCH proj v3 1/2] a'),
			mail(5, '[PATCH proj v3 0/2] all'),
			mail(4, '[PATCH proj v2 1/3] a'),
		];
		assert.deepEqual(found(mails), [
			[2, '1/3', 4, 1],
			[3, '2/2', 5, 3],
		]);
	});

	test('are none of answers, of strangers, of mails without a patch, and of versions that are patchsets', () => {
		assert.deepEqual(found([mail(4, 'Re: [PATCH proj v2] fold')]), []);
		assert.deepEqual(found([mail(4, '[PATCH proj v2] fold', 'mallory@evil.test')]), []);
		assert.deepEqual(found([mail(4, 'fold, v2')]), []);
		assert.deepEqual(found([mail(4, '[PATCH proj v2] fold')], [1, 2]), []);
		assert.deepEqual(found([mail(4, '[PATCH proj] fold once more')]), []);
		assert.deepEqual(found([{ ...mail(4, '[PATCH proj v2] fold'), patchsetId: 8 }]), []);
	});

	test('are higher ones: a fix without a number in the thread of a second version is no first one', () => {
		const second = makeSeriesMail({ id: 2, subject: '[PATCH proj v2] fold', body: patchText('a.c') });
		const mails = [second, mail(4, '[PATCH proj] fold: a fix on top'), mail(5, '[PATCH proj v3] fold')];
		const versions = versionsInThread(mails, readSeries([second]), new Set([2])).map(({ version }) => version);
		assert.deepEqual(versions, [3]);
	});
});
