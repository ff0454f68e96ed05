import assert from 'node:assert/strict';
import type { Patchset } from 'sourcehut/port/list.ts';
import { newerRows } from '../../../../src/store/lists/newerRows.ts';
import { makePatchset } from '../../../support/makeMail.ts';
import { createRandom } from '../../../support/random.ts';

const dayMs = 86_400_000;

const ofPart = {
	threadPatchsetId: undefined,
	kept: [],
	isComplete: false,
	isByOther: false,
	isSenderCertain: true,
	repeatedById: undefined,
	ofServer: [],
};

/** A row as `v2 day 3 net: title by Ann`. */
function row(id: number, version: number, day: number, change: Partial<Patchset> = {}): Patchset {
	return makePatchset({ id, version, createdMs: day * dayMs, prefix: undefined, submitter: 'Ann', ...change });
}

function pairsIn(rows: readonly Patchset[]): readonly (readonly [number, number])[] {
	return Array.from(newerRows(rows), ([id, newer]) => [id, newer.id] as const).toSorted(
		([one], [other]) => one - other,
	);
}

suite('newer rows', () => {
	test('have the title, the author and a higher number, whatever the order of arrival', () => {
		assert.deepEqual(pairsIn([row(3, 5, 9), row(2, 2, 4), row(1, 1, 1)]), [
			[1, 3],
			[2, 3],
		]);
		// A moderator released the first version late. A year later, the number begins a new series.
		assert.deepEqual(pairsIn([row(2, 1, 3), row(1, 2, 1)]), [[2, 1]]);
		assert.deepEqual(pairsIn([row(2, 1, 400), row(1, 2, 1)]), []);
		assert.deepEqual(pairsIn([row(2, 2, 400), row(1, 1, 1)]), [[1, 2]]);
		// A newer version that goes away leaves the others.
		assert.deepEqual(pairsIn([row(2, 2, 4), row(1, 1, 1)]), [[1, 2]]);
		assert.deepEqual(pairsIn([row(1, 1, 1)]), []);
	});

	const pairs: readonly (readonly [string, Partial<Patchset>, Partial<Patchset>, boolean])[] = [
		['a title in other letters', { subject: 'Fold  THE sheet' }, { subject: 'fold the sheet' }, true],
		['another title', { subject: 'fold the sheet' }, { subject: 'fold the sheets' }, false],
		['no title', { subject: ' ' }, { subject: ' ' }, false],
		['another author', { submitter: 'Ann <ann@a.example>' }, { submitter: 'Bob <bob@b.example>' }, false],
		['no author', { submitter: undefined }, { submitter: undefined }, false],
		['a second address', { submitter: 'Ann <ann@a.example>' }, { submitter: 'Ann <ann@home.example>' }, true],
		['a second name', { submitter: 'Ann A. <ann@a.example>' }, { submitter: 'ann <ANN@a.example>' }, true],
		['a list that rewrites', { submitter: 'Ann via devel <devel@x.example>' }, { submitter: 'Ann' }, true],
		[
			'two authors behind a list that rewrites',
			{ submitter: 'Ann via devel <devel@x.example>' },
			{ submitter: 'Bob via devel <devel@x.example>' },
			false,
		],
		['another tree', { prefix: '5.10' }, { prefix: '6.1' }, false],
		['the next tree', { prefix: 'net' }, { prefix: 'net-next' }, true],
		['a tree named late', { prefix: undefined }, { prefix: 'net' }, true],
		['a part of the set', {}, { formed: ofPart }, false],
		['a part of the set by its rows', {}, { missing: { indexes: [2], count: 3 } }, false],
	];
	for (const [what, older, newer, isFolded] of pairs) {
		test(`are folded only where they may be versions: ${what}`, () => {
			const rows = [row(2, 2, 4, newer), row(1, 1, 1, older)];
			assert.deepEqual(pairsIn(rows), isFolded ? [[1, 2]] : []);
		});
	}

	for (const [what, older, newer, isFolded] of [
		['a resend', [2, ''], [2, 'RESEND'], true],
		['a first version sent again', [1, ''], [1, 'RESEND'], true],
		['a second version twice', [2, ''], [2, ''], true],
		['a first version twice', [1, ''], [1, ''], false],
		['a patch after requests for comments', [3, 'RFC'], [1, ''], true],
		['a request for comments after a patch', [1, ''], [1, 'RFC'], false],
		['a higher request for comments', [1, ''], [2, 'RFC'], true],
	] as const) {
		test(`may have the same number: ${what}`, () => {
			const [[low, before], [high, after]] = [older, newer];
			const rows = [row(2, high, 4, { prefix: after }), row(1, low, 1, { prefix: before })];
			assert.deepEqual(pairsIn(rows), isFolded ? [[1, 2]] : []);
		});
	}

	for (const seed of [1, 2, 3]) {
		test(`leave one row for each of 200 series of a made list (${seed})`, () => {
			const random = createRandom(seed);
			const rows: Patchset[] = [];
			const newest: number[] = [];
			for (let series = 0; series < 200; series += 1) {
				const name = `Author ${random.below(60)}`;
				const versions = 1 + random.below(6);
				const subject = `area ${random.below(9)}: change ${series}`;
				let day = random.below(300);
				for (let version = 1; version <= versions; version += 1) {
					const id = rows.length + 1;
					const submitter = [name, `${name} <${series}@home.example>`, `${name} via devel <devel@x.example>`][
						random.below(3)
					]!;
					const prefix = version === 1 && random.below(5) === 0 ? 'RFC' : undefined;
					rows.push(row(id, version, day, { subject, submitter, ...(prefix ? { prefix } : {}) }));
					day += random.below(12);
					if (version === versions) {
						newest.push(id);
					}
				}
			}
			const found = newerRows(rows);
			assert.ok(found.size > 300, String(found.size));
			assert.deepEqual(
				rows.filter(({ id }) => !found.has(id)).map(({ id }) => id),
				newest,
			);
		});
	}
});
