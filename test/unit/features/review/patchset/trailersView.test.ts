import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { rangesText } from '../../../../../src/engine/text/rangesText.ts';
import type { GivenTrailer } from 'patchmail/series/seriesReading.ts';

const { trailersView } = await import('../../../../../src/features/review/patchset/trailersView.ts');

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

	test('name a person by the address in any case, or by the name without one', () => {
		const ofPerson = (name: string, address: string): GivenTrailer => ({
			...given('Acked-by', 'Dora', [1]),
			person: { name, address },
		});
		const names = (...trailers: readonly GivenTrailer[]): readonly string[] =>
			trailersView(trailers, 4).map(({ person }) => person.name);
		assert.deepEqual(names(ofPerson('Dora', 'dora@forge.test'), ofPerson('D.', 'Dora@Forge.test')), ['Dora']);
		assert.deepEqual(names(ofPerson('Dora', ''), ofPerson('Emil', ''), ofPerson('Dora', '')), ['Dora', 'Emil']);
	});

	test('name their patches in ascending order, and all of them only in a series', () => {
		const patches = (count: number, ...of: readonly (readonly number[])[]): readonly string[] =>
			trailersView(
				of.map((each) => given('Acked-by', 'Dora', each)),
				count,
			).flatMap((row) => row.given.map((each) => each.patches));
		assert.deepEqual(patches(1, [1]), ['patch 1']);
		assert.deepEqual(patches(12, [10, 9], [2, 9]), ['patches 2, 9, 10']);
		assert.deepEqual(patches(2, [2], [1]), ['all patches']);
	});

	test('stay apart by message, with the message of each, and show no hidden characters', () => {
		const [row] = trailersView([given('Acked\u202E-by', 'Dora', [1], 30), given('Acked\u202E-by', 'Dora', [2], 31)], 2);
		assert.deepEqual(
			row?.given.map(({ key, patches, mailId }) => [key, patches, mailId]),
			[
				['Acked⟨U+202E⟩-by', 'patch 1', 30],
				['Acked⟨U+202E⟩-by', 'patch 2', 31],
			],
		);
	});

	test('name patches of a doubt only if it is not about all of them', () => {
		const these = (index: number) => ({ index, kind: 'these', mailId: 3, from: undefined }) as const;
		const patches = (...indexes: readonly number[]): readonly (string | undefined)[] =>
			trailersView([{ ...given('Acked-by', 'Dora', [1, 2, 3]), bytes: indexes.map(these) }], 4).map(
				(row) => row.given[0]?.bytes[0]?.patches,
			);
		assert.deepEqual(patches(3, 1, 2), ['']);
		assert.deepEqual(patches(3, 1), ['1, 3']);
	});

	test('say where they are', () => {
		for (const [change, standing] of [
			[{ isInPatch: true }, 'in the patch'],
			[{ earlierVersion: 2 }, 'given on v2, patch unchanged'],
			[{ isInPatch: true, isOnlyToGit: true, isForOther: true }, 'only git reads it, and would commit it'],
			[{ isInPatch: true, isForOther: true }, 'in the patch, by someone else'],
		] as const) {
			const [row] = trailersView([{ ...given('Acked-by', 'Dora', [1]), ...change }], 4);
			assert.equal(row?.given[0]?.standing, standing);
		}
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
