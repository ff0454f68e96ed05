import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { SeriesPatch, SeriesReading } from 'patchmail/series/seriesReading.ts';
import { standFor } from '../../../../support/standFor.ts';

const { seriesDoubts } = await import('../../../../../src/features/patches/apply/doubts.ts');

const [hour, now] = [3_600_000, 1_800_000_000_000];

/** The second version of three patches, of which only the first was sent again. */
function rerolled(sentMs: number): SeriesReading {
	const patches = [1, 2, 3].map((index) =>
		standFor<SeriesPatch>({
			index,
			keptFrom: index === 1 ? undefined : 1,
			mail: standFor<SeriesPatch['mail']>({ id: index, createdMs: index === 1 ? sentMs : now - 100 * hour }),
		}),
	);
	return standFor<SeriesReading>({ patches, problems: [{ kind: 'keptPatches', version: 1, indexes: [2, 3] }] });
}

suite('patches of an earlier version before Apply', () => {
	test('are in doubt while the others of a new version may still arrive', () => {
		const series = rerolled(now - hour / 2);
		assert.deepEqual(seriesDoubts(series, series.patches, now), [
			{
				text: 'Patches 2, 3 are from v1. This version did not send them again.',
				details: ['The messages may still arrive.'],
			},
		]);
	});

	test('are in no doubt after an hour', () => {
		const series = rerolled(now - 2 * hour);
		assert.deepEqual(seriesDoubts(series, series.patches, now), []);
	});

	test('are in no doubt if the user leaves them out', () => {
		const series = rerolled(now - hour / 2);
		assert.deepEqual(seriesDoubts(series, series.patches.slice(0, 1), now), []);
	});
});
