import assert from 'node:assert/strict';
import { readSeries } from '../../src/series/series.ts';
import { trailersOfThread } from '../../src/series/threadTrailers.ts';
import { makeSeriesMail, patchText } from '../../../../test/support/makeSeries.ts';

suite('trailers in patch mails', () => {
	test('count in the patch message, but not below it', () => {
		const body = patchText('a.c', 'Why.\n\nAcked-by: Dave Okafor <dave@forge.test>').replace(
			'\n---\n',
			'\n---\nReviewed-by: Erin Voss <erin@forge.test>\n\n',
		);
		const mail = makeSeriesMail({ id: 2, subject: '[PATCH proj] a', body });
		assert.match(body, /Reviewed-by/);
		const found = trailersOfThread([mail], readSeries([mail])).map(({ key, isInPatch }) => [key, isInPatch]);
		assert.deepEqual(found, [['Acked-by', true]]);
	});
});
