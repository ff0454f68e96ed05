import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { GivenTrailer } from 'patchmail/series/seriesReading.ts';

const { rangesText, trailersView } = await import('../../../../../src/features/review/patchset/trailersView.ts');

function given(key: string, name: string, patchIndexes: readonly number[], mailId = 30): GivenTrailer {
	const person = { name, address: `${name.toLowerCase()}@forge.test` };
	const value = `${name} <${person.address}>`;
	return { key, value, person, mailId, patchIndexes, isInPatch: false, isForOther: false, isOnlyToGit: false };
}

suite('trailers of a patchset page', () => {
	test('write neighbouring numbers as a range', () => {
		assert.equal(rangesText([1, 2, 3, 5]), '1\u20133, 5');
		assert.equal(rangesText([1, 2]), '1, 2');
		assert.equal(rangesText([7]), '7');
		assert.equal(rangesText([]), '');
	});

	test('have one row for each person', () => {
		const rows = trailersView(
			[
				given('Reviewed-by', 'Dora', [1]),
				given('Acked-by', 'Emil', [4]),
				given('Reviewed-by', 'Dora', [2, 3]),
				given('Tested-by', 'Dora', [1, 2, 3, 4]),
			],
			4,
		);
		assert.deepEqual(
			rows.map((row) => [row.person.name, row.given.map(({ key, patches }) => `${key} ${patches}`)]),
			[
				['Dora', ['Reviewed-by patches 1\u20133', 'Tested-by all patches']],
				['Emil', ['Acked-by patch 4']],
			],
		);
	});

	test('say for which changes each trailer was given, the most doubtful first, without hidden characters', () => {
		const from = { version: 1, patchsetId: 7, index: 2, mailId: 72 };
		const [row] = trailersView(
			[
				{
					...given('Reviewed-by', '\u202Eevil\n<b>', [1, 2]),
					bytes: [
						{ index: 1, kind: 'these', mailId: 3, from: undefined },
						{ index: 2, kind: 'other', mailId: 3, version: 1, from },
					],
				},
				{
					...given('Reviewed-by', '\u202Eevil\n<b>', [3]),
					bytes: [{ index: 3, kind: 'these', mailId: 3, from: undefined }],
				},
			],
			4,
		);
		assert.equal(row?.person.name, '⟨U+202E⟩evil <b>');
		assert.deepEqual(row?.given[0]?.bytes, [
			{ kind: 'other', text: 'Given to patch 2 of v1, which has other changes.', patches: '2', patchsetId: 7 },
			{ kind: 'these', text: 'Given to this patch.', patches: '1, 3', patchsetId: undefined },
		]);
		assert.deepEqual(trailersView([given('Acked-by', 'Dora', [1])], 4)[0]?.given[0]?.bytes, []);
	});

	test('keep a trailer apart that someone else wrote', () => {
		const [row] = trailersView(
			[given('Acked-by', 'Dora', [1]), { ...given('Acked-by', 'Dora', [2]), isForOther: true }],
			2,
		);
		assert.deepEqual(
			row?.given.map(({ patches, standing, isForOther }) => [patches, standing, isForOther]),
			[
				['patch 1', 'given in a reply', false],
				['patch 2', 'given in a reply, by someone else', true],
			],
		);
	});
});
