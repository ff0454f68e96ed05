import assert from 'node:assert/strict';
import { addressPair, secondAddresses, withSamePeople } from '../../src/series/samePeople.ts';
import { readSeries } from '../../src/series/series.ts';
import type { GivenTrailer } from '../../src/series/seriesReading.ts';
import { trailersOfThread } from '../../src/series/threadTrailers.ts';
import { makeReading, makeSeriesMail, patchText } from '../../../../test/support/makeSeries.ts';

const rita = { name: 'Rita', address: 'rita@home.test' };
const atWork = { name: 'Rita', address: 'Rita@Work.test' };
const pair = addressPair(rita.address, atWork.address);

/** The trailers of a patch whose reply has this text. */
function answered(body: string, from = [rita]): readonly GivenTrailer[] {
	const patch = makeSeriesMail({ id: 1, subject: '[PATCH] a', body: patchText('a.c') });
	const reading = makeReading({ body, text: body, from });
	return trailersOfThread(
		[patch, makeSeriesMail({ id: 2, parentId: 1, subject: 'Re: [PATCH] a', reading })],
		readSeries([patch]),
	);
}

suite('second addresses', () => {
	test('are in doubt until both belong to one known person', () => {
		const trailers = answered('Acked-by: Rita <Rita@Work.test>\n');
		const isForOther = (...pairs: readonly string[]): readonly boolean[] =>
			withSamePeople(trailers, new Set(pairs)).map((each) => each.isForOther);
		assert.deepEqual(secondAddresses(trailers), [{ sender: rita, named: atWork }]);
		assert.deepEqual(isForOther(), [true]);
		assert.deepEqual(isForOther(addressPair(rita.address, 'other@work.test')), [true]);
		assert.deepEqual(isForOther(pair), [false]);
		assert.deepEqual(secondAddresses(withSamePeople(trailers, new Set([pair]))), []);
		assert.equal(addressPair('RITA@work.test', 'rita@HOME.test'), pair);
	});

	test('do not count for an uncertain sender or person', () => {
		const uncertain = [
			answered('Acked-by: Rita <rita@work.test>\n', [rita, { name: 'Eve', address: 'eve@forge.test' }]),
			answered('Acked-by: Rita <rita@work.test> # or eve@forge.test\n'),
			answered('Acked-by: Rita\n'),
		];
		assert.deepEqual(
			uncertain.map((trailers) => [trailers[0]?.isForOther, secondAddresses(trailers)]),
			uncertain.map(() => [true, []]),
		);
	});

	test('count for a sign-off in a patch, but not for a trailer that only git reads', () => {
		const body = patchText('a.c', 'Why.\n\nSigned-off-by: Rita <rita@work.test>');
		const patch = makeSeriesMail({
			id: 1,
			subject: '[PATCH] a',
			reading: makeReading({ body, text: body, from: [rita] }),
		});
		const series = readSeries([patch]);
		const [signed] = trailersOfThread([patch], series);
		assert.deepEqual([signed?.isInPatch, signed?.isForOther, signed?.second?.sender], [true, true, rita]);
		const [only] = series.patches;
		assert.ok(only);
		const hidden = { ...only, patch: { ...only.patch, gitMessage: 'Acked-by: Rita <rita@work.test>' } };
		const toGit = trailersOfThread([patch], { ...series, patches: [hidden] }).find(({ isOnlyToGit }) => isOnlyToGit);
		assert.deepEqual([toGit?.isForOther, toGit?.second], [true, undefined]);
	});
});
