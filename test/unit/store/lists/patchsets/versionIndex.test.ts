import assert from 'node:assert/strict';
import type { Patchset } from 'sourcehut/port/list.ts';
import { versionsAmong, type VersionCorrections } from 'patchmail/series/versions.ts';
import { versionIndex } from '../../../../../src/store/lists/patchsets/versionReader.ts';
import { counts } from '../../../../support/counts.ts';
import { growthOf, mostGrowth } from '../../../../support/cpuTime.ts';
import { makePatchset } from '../../../../support/makeMail.ts';

/** Seeded random integers below `top`. */
function seeded(seed: number): (top: number) => number {
	let state = seed;
	return (top) => {
		state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
		return Math.floor((state / 2 ** 32) * top);
	};
}

suite('version index', () => {
	test('finds the same versions as a scan of the whole list', () => {
		for (let seed = 1; seed <= 300; seed += 1) {
			const random = seeded(seed);
			const count = 3 + random(30);
			const anyId = (): number => 1 + random(count);
			const pairs = (most: number): [number, number][] =>
				Array.from({ length: random(most) }, () => [anyId(), anyId()] as [number, number]);
			const list: readonly Patchset[] = Array.from({ length: count }, (_, at) =>
				makePatchset({
					id: at + 1,
					createdMs: random(1000),
					subject: [`Part ${random(5)}`, ' part   2', 'PART 3'][random(3)] ?? '',
					prefix: ['proj', undefined, 'v2 proj'][random(3)],
					version: 1 + random(4),
					submitter: ['Bob <bob@forge.test>', 'Eve <eve@forge.test>', undefined][random(3)],
					supersededById: random(5) === 0 ? anyId() : undefined,
					...(random(5) === 0 ? { supersedesId: anyId() } : {}),
				}),
			);
			const corrections: VersionCorrections = { linked: pairs(4), unlinked: pairs(4), stated: pairs(4) };
			const index = versionIndex(list);
			for (const patchset of list) {
				const told = (versions: ReturnType<typeof versionsAmong>): object =>
					versions.map(({ patchset: { id }, link }) => [id, link]);
				assert.deepEqual(
					told(versionsAmong(patchset, index(patchset, corrections), corrections)),
					told(versionsAmong(patchset, list, corrections)),
					`seed ${seed}, patchset ${patchset.id}`,
				);
			}
		}
	});

	test('excludes unrelated patchsets', () => {
		const list = Array.from({ length: 1000 }, (_, at) => makePatchset({ id: at + 1, subject: `Part ${at}` }));
		const [first] = list;
		assert.ok(first);
		assert.deepEqual(versionIndex(list)(first, { linked: [[1, 9]], unlinked: [], stated: [] }), [first, list[8]]);
	});

	test('takes time proportional to the number of patchsets with the same title', function () {
		this.timeout(120_000);
		const make = (size: number): readonly Patchset[] =>
			Array.from({ length: size }, (_, at) => makePatchset({ id: at + 1, version: at % 50 }));
		const run = (list: readonly Patchset[]): void => {
			const linked = list.slice(0, 500).map(({ id }): readonly [number, number] => [1, id]);
			assert.equal(versionIndex(list)(list[0]!, { linked, unlinked: [], stated: [] }).length, list.length);
		};
		const growth = growthOf(run, make, counts({ small: 1000, full: 8000 }));
		assert.ok(growth <= mostGrowth, `twice as many take ${growth} times as long`);
	});
});
