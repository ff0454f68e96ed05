import assert from 'node:assert/strict';
import type { Patchset } from 'sourcehut/port/list.ts';
import { addressPair } from 'patchmail/series/samePeople.ts';
import { otherVersions, replaces, versionsAmong, type VersionCorrections } from 'patchmail/series/versions.ts';
import type { ListStore } from '../../../../../src/store/lists/listStore.ts';
import { versionIndex, versionsOfRows } from '../../../../../src/store/lists/patchsets/versionReader.ts';
import { counts } from '../../../../support/counts.ts';
import { growthOf, mostGrowth } from '../../../../support/cpuTime.ts';
import { fake } from '../../../../support/fake.ts';
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
					...(random(4) === 0
						? {
								formed: {
									threadPatchsetId: undefined,
									kept: [],
									isComplete: random(2) === 0,
									isByOther: random(2) === 0,
									isSenderCertain: random(2) === 0,
									repeatedById: undefined,
									ofServer: random(2) === 0 ? [anyId()] : [],
								},
							}
						: {}),
				}),
			);
			const alike = pairs(4)
				.filter(([one, other]) => one !== other)
				.map((ids) => ({ ids, equal: 1 + random(2), of: 2 }));
			const samePeople = random(2) === 0 ? [addressPair('bob@forge.test', 'eve@forge.test')] : [];
			const corrections: VersionCorrections = {
				linked: pairs(4),
				unlinked: pairs(4),
				stated: pairs(4),
				alike,
				samePeople: new Set(samePeople),
			};
			const index = versionIndex(list);
			const ofAll = otherVersions(list, corrections);
			for (const patchset of list) {
				const among = versionsAmong(patchset, list, corrections);
				assert.deepEqual(
					ofAll.get(patchset.id),
					{
						newest: among.findLast((version) => replaces(version, patchset))?.patchset,
						hasOthers: among.length > 1,
					},
					`seed ${seed}, patchset ${patchset.id}, with all at once`,
				);
				const told = (versions: ReturnType<typeof versionsAmong>): object =>
					versions.map(({ patchset: { id }, link }) => [id, link]);
				assert.deepEqual(
					told(versionsAmong(patchset, index(patchset, corrections), corrections)),
					told(among),
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

	const day = 86_400_000;
	const lists: readonly (readonly [string, (at: number) => Partial<Patchset>])[] = [
		['a title each', (at) => ({ subject: `part ${at}` })],
		['one title, first versions', () => ({})],
		['one title, second versions', () => ({ version: 2 })],
		['one title, other senders', (at) => ({ submitter: `Ann ${at} <${at}@a.example>` })],
		['series of five versions', (at) => ({ subject: `part ${Math.floor(at / 5)}`, version: 1 + (at % 5) })],
		['each replaced by the server', (at) => ({ subject: `part ${at}`, supersededById: at + 2 })],
	];
	for (const [what, change] of lists) {
		test(`reads each of 2,000 rows a fixed number of times for all boards: ${what}`, () => {
			const readsOf = (count: number): readonly number[] => {
				let reads = 0;
				const rows = Array.from({ length: count }, (_, at) => {
					const made = makePatchset({ id: at + 1, createdMs: at * day, submitter: 'Bob <b@b.example>', ...change(at) });
					return new Proxy(made, {
						get: (target, name) => {
							reads += 1;
							const value: unknown = Reflect.get(target, name);
							return value;
						},
					});
				});
				const byId = new Map(rows.map((row) => [row.id, row]));
				const unlinked = [[1, 2]] as const;
				const corrections: VersionCorrections = { linked: [], unlinked, stated: [], samePeople: new Set() };
				const store = fake<ListStore>({
					knownPatchsets: () => rows,
					knownPatchset: ({ id }) => byId.get(id),
				});
				const ofRows = versionsOfRows(store, () => corrections);
				const list = { owner: '~alice', name: 'devel' };
				reads = 0;
				assert.equal(ofRows(list).size, count);
				const first = reads;
				// Another redraw, of the rows and of the board.
				rows.forEach(({ id }) => ofRows(list).get(id));
				return [first, reads - first - count];
			};
			const [few = 0] = readsOf(1000);
			const [many = 0, again] = readsOf(2000);
			assert.ok(many < few * 2.5, `1,000 rows are read ${few} times, 2,000 rows ${many} times`);
			assert.ok(many < 2000 * 150, `${many} reads`);
			assert.equal(again, 0);
		});
	}

	test('computes the versions of rows again after a change of rows, links or other patchsets', () => {
		const list = { owner: '~alice', name: 'devel' };
		let rows: readonly Patchset[] = [makePatchset({ id: 1, supersededById: 9 })];
		let corrections: VersionCorrections = { linked: [], unlinked: [], stated: [] };
		let outside: Patchset | undefined;
		const store = fake<ListStore>({
			knownPatchsets: () => rows,
			knownPatchset: ({ id }) => rows.find((row) => row.id === id) ?? (id === outside?.id ? outside : undefined),
		});
		const ofRows = versionsOfRows(store, () => corrections);
		const newest = (): number | undefined => ofRows(list).get(1)?.newest?.id;
		assert.equal(newest(), undefined);
		outside = makePatchset({ id: 9, version: 2, subject: 'Renamed' });
		assert.equal(newest(), 9, 'a patchset of no page arrived');
		rows = [makePatchset({ id: 3, version: 3, createdMs: 5, submitter: 'Bob' }), ...rows];
		assert.equal(newest(), 9);
		rows = [rows[0]!, makePatchset({ id: 1, createdMs: 1, submitter: 'Bob' })];
		assert.equal(newest(), 3, 'a row looks like a newer version');
		corrections = { ...corrections, unlinked: [[1, 3]] };
		assert.equal(newest(), undefined, 'the user unlinked it');
		assert.equal(ofRows(list), ofRows(list));
	});
});
