import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { Patchset } from 'sourcehut/port/list.ts';
import { formedPatchsetId } from '../../src/series/listedPatchset.ts';
import { addressPair } from '../../src/series/samePeople.ts';
import { namedBy, replaces, versionOf, versionsAmong, type VersionCorrections } from '../../src/series/versions.ts';
import { counts, seed } from '../../../../test/support/counts.ts';
import { makePatchset } from '../../../../test/support/makeMail.ts';
import { someTimeMs } from '../../../../test/support/makeTicket.ts';
import { fake } from '../../../../test/support/fake.ts';

function patchset(id: number, version: number, change: Partial<Patchset> = {}): Patchset {
	return makePatchset({ id, version, createdMs: someTimeMs + id * 1000, ...change });
}

const formed = {
	threadPatchsetId: undefined,
	kept: [],
	isComplete: true,
	isByOther: false,
	isSenderCertain: true,
	repeatedById: undefined,
	ofServer: [],
};
const none: VersionCorrections = { linked: [], unlinked: [], stated: [] };

/** Ids of the versions, lowest first, with the link of each. */
function found(
	of: Patchset,
	candidates: readonly Patchset[],
	corrections: Partial<VersionCorrections> = {},
): readonly (readonly [number, string | undefined])[] {
	return versionsAmong(of, candidates, { ...none, ...corrections }).map(({ patchset: { id }, link }) => [id, link]);
}

suite('versions of a patchset', function () {
	this.timeout(600_000);
	test('share subject, prefix and sender in any spelling', () => {
		const first = patchset(1, 1);
		const second = patchset(2, 2, {
			subject: ' improve  the MODULES',
			submitter: 'Bob B. <BOB@forge.test>',
			prefix: 'Proj',
		});
		assert.deepEqual(found(first, [second]), [
			[1, undefined],
			[2, 'subject'],
		]);
		assert.deepEqual(found(second, [first]), [
			[1, 'subject'],
			[2, undefined],
		]);
	});

	test('with another subject, prefix or sender are another series', () => {
		const others = [
			{ subject: 'x' },
			{ prefix: 'other' },
			{ submitter: 'Bob <mallory@evil.test>' },
			{ submitter: undefined },
			{ subject: 'Improve themodules' },
			{ prefix: undefined },
			{ prefix: 'rfcs proj' },
			{ prefix: 'norfc proj' },
			{ prefix: 'v2x proj' },
		];
		others.forEach((change) => assert.deepEqual(found(patchset(1, 1), [patchset(2, 2, change)]), [[1, undefined]]));
		// A missing sender or title never matches.
		for (const change of [
			{ submitter: undefined },
			{ submitter: 'Bob <bob@forge.test>, Eve <eve@forge.test>' },
			{ submitter: undefined, coverLetter: fake<Patchset['coverLetter'] & object>({ id: 1, sender: undefined }) },
			{ subject: ' ' },
		]) {
			assert.deepEqual(found(patchset(1, 1, change), [patchset(2, 2, change)]), [[1, undefined]]);
		}
	});

	test('by people behind a list address are never linked', () => {
		for (const [one, other] of [
			['Ann via dev <~ann/dev@lists.forge.test>', 'Eve via dev <~ann/dev@lists.forge.test>'],
			['Ann <ann@forge.test>', 'Ann via dev <~ann/dev@lists.forge.test>'],
			['Ann via dev <~ann/dev@lists.forge.test>', 'Ann via dev <~ann/dev@lists.forge.test>'],
		] as const) {
			const [first, second] = [patchset(1, 1, { submitter: one }), patchset(2, 2, { submitter: other })];
			assert.deepEqual([found(first, [second]), found(second, [first])], [[[1, undefined]], [[2, undefined]]], other);
		}
	});

	test('stay linked with blanks, versions and stages in the prefix', () => {
		for (const [one, other] of [
			['proj', ' proj  v2 '],
			[undefined, ''],
			[undefined, 'v2'],
			['', 'RESEND'],
		] as const) {
			assert.deepEqual(
				found(patchset(1, 1, { prefix: one }), [patchset(2, 2, { prefix: other })]),
				[
					[1, undefined],
					[2, 'subject'],
				],
				other,
			);
		}
	});

	test('rise by time, or by number at the same time', () => {
		const [now, later] = [someTimeMs, someTimeMs + 1];
		const at = (id: number, version: number, createdMs: number): Patchset => patchset(id, version, { createdMs });
		for (const [all, ids] of [
			[
				[at(9, 1, now), at(3, 2, later)],
				[9, 3],
			],
			[[at(3, 2, now), at(9, 1, later)], [3]],
			[[at(1, 1, now), at(2, 1, later)], [1]],
			[[at(1, 3, now), at(2, 2, later)], [1]],
			[
				[at(1, 1, now), at(2, 2, now)],
				[1, 2],
			],
			[[at(1, 2, now), at(2, 1, now)], [1]],
			[
				[at(4, 2, now), at(3, 2, now), at(2, 2, now), at(1, 2, now)],
				[1, 2, 3, 4],
			],
			[
				[at(4, 2, now), at(3, 2, later), at(2, 2, now), at(1, 2, later)],
				[2, 4, 1, 3],
			],
		] as const) {
			assert.deepEqual(
				found(all[0], all).map(([id]) => id),
				ids,
			);
		}
	});

	test('stay connected without an unlinked one', () => {
		const all = [1, 2, 3, 4].map((id) => patchset(id, id));
		const left = (id: number, ...unlinked: readonly (readonly [number, number])[]): readonly number[] =>
			found(all[id - 1]!, all, { unlinked }).map(([other]) => other);
		assert.deepEqual(left(2, [2, 1]), [2, 3, 4]);
		assert.deepEqual(left(1, [1, 2]), [1, 3, 4]);
		assert.deepEqual(left(1, [2, 3], [4, 3]), [1, 2, 3, 4]);
	});

	test('are the same with the same links in any order of the server’s list', () => {
		const other = { subject: 'x' };
		const candidates = [
			patchset(2, 2, { ...other, supersedesId: 1 }),
			patchset(3, 3, { ...other, subject: 'y', supersedesId: 1 }),
			patchset(4, 4, { ...other, subject: 'z', supersedesId: 3 }),
		];
		for (const [a, b, c] of [
			[0, 1, 2],
			[0, 2, 1],
			[1, 0, 2],
			[1, 2, 0],
			[2, 0, 1],
			[2, 1, 0],
		] as const) {
			const listed = [candidates[a]!, candidates[b]!, candidates[c]!];
			assert.deepEqual(found(patchset(1, 1), listed, { stated: [[2, 4]] }), [
				[1, undefined],
				[2, 'forge'],
				[3, 'forge'],
				[4, 'stated'],
			]);
		}
	});

	test('of patchsets formed by the client are linked by thread', () => {
		const [one, other] = [formedPatchsetId(1), formedPatchsetId(2)];
		const [first, second] = [patchset(one, 1), patchset(other, 2, { subject: 'x', supersedesId: one, formed })];
		assert.deepEqual(found(first, [second]), [
			[one, undefined],
			[other, 'thread'],
		]);
		assert.deepEqual(found(second, [first]), [
			[one, 'thread'],
			[other, undefined],
		]);
	});

	test('formed of mails of another sender, or of a name alone, are only claimed', () => {
		const one = patchset(1, 1);
		for (const doubt of [{ isByOther: true }, { isSenderCertain: false }]) {
			const change = { subject: 'x', supersedesId: 1, formed: { ...formed, ...doubt } };
			const other = patchset(formedPatchsetId(2), 2, change);
			assert.deepEqual(found(one, [other]), [
				[1, undefined],
				[other.id, 'claimed'],
			]);
		}
	});

	test('named by the server are the neighbours before and after', () => {
		assert.deepEqual(namedBy(patchset(2, 2)), []);
		assert.deepEqual(namedBy(patchset(2, 2, { supersedesId: 1 })), [1]);
		assert.deepEqual(namedBy(patchset(2, 2, { supersededById: 3, supersedesId: 1 })), [3, 1]);
	});

	test('stated in a mail are linked for the same sender, and otherwise only claimed', () => {
		const [first, second] = [patchset(1, 1), patchset(2, 2, { subject: 'x' })];
		const stranger = { subject: 'y', submitter: 'Mallory <mallory@evil.test>' };
		const [ninth, tenth] = [patchset(9, 9, stranger), patchset(10, 10, stranger)];
		const all = [first, second, ninth, tenth];
		const stated = [
			[2, 1],
			[9, 1],
		] as const;
		assert.deepEqual(found(first, all, { stated }), [
			[1, undefined],
			[2, 'stated'],
			[9, 'claimed'],
		]);
		assert.deepEqual(found(second, all, { stated }), [
			[1, 'stated'],
			[2, undefined],
			[9, 'claimed'],
		]);
		assert.deepEqual(found(tenth, all, { stated }), [
			[1, 'claimed'],
			[9, 'subject'],
			[10, undefined],
		]);
		assert.deepEqual(
			found(first, all, {
				stated,
				unlinked: [
					[1, 2],
					[9, 1],
				],
			}),
			[[1, undefined]],
		);
	});

	for (const [what, all] of [
		['an RFC, then a second version', [patchset(1, 1, { prefix: 'RFC proj' }), patchset(2, 2)]],
		['an RFC, then a first version', [patchset(1, 1, { prefix: 'proj RFC' }), patchset(2, 1)]],
		['a resent version', [patchset(1, 3), patchset(2, 3, { prefix: 'RESEND proj' })]],
		['a duplicate version', [patchset(1, 1), patchset(2, 2), patchset(3, 2), patchset(4, 3)]],
	] as const) {
		test(`form one series: ${what}`, () => {
			for (const each of all) {
				assert.deepEqual(
					found(each, all).map(([id]) => id),
					all.map(({ id }) => id),
				);
			}
		});
	}

	test('that restart at the first version are a new series', () => {
		const all = [patchset(1, 1), patchset(2, 2), patchset(3, 1), patchset(4, 2), patchset(5, 3)];
		assert.deepEqual(
			found(all[1]!, all).map(([id]) => id),
			[1, 2],
		);
		assert.deepEqual(
			found(all[4]!, all).map(([id]) => id),
			[3, 4, 5],
		);
	});

	test('stated in a mail prove nothing between unknown senders', () => {
		const unknown = { submitter: undefined };
		assert.deepEqual(found(patchset(1, 1, unknown), [patchset(2, 2, unknown)], { stated: [[1, 2]] }), [
			[1, undefined],
			[2, 'claimed'],
		]);
	});

	test('named by the server as successors are linked under any subject', () => {
		const first = patchset(1, 1, { supersededById: 2 });
		const second = patchset(2, 2, { subject: 'Better modules', supersededById: 3 });
		const third = patchset(3, 3, { subject: 'Best modules' });
		assert.deepEqual(found(third, [first, second]), [
			[1, 'forge'],
			[2, 'forge'],
			[3, undefined],
		]);
	});

	test('are linked from the superseding version too', () => {
		const first = patchset(1, 1);
		const second = patchset(2, 2, { subject: 'Better modules', supersedesId: 1 });
		for (const each of [first, second]) {
			assert.deepEqual(found(each, [first, second]), [
				[1, each === first ? undefined : 'forge'],
				[2, each === first ? 'forge' : undefined],
			]);
		}
	});

	test('are linked by the server before guesses, also across several versions', () => {
		const all = [patchset(1, 1, { supersededById: 2 }), patchset(2, 2, { supersededById: 3 }), patchset(3, 3)];
		assert.deepEqual(
			found(all[2]!, all).map(([, link]) => link),
			['forge', 'forge', undefined],
		);
	});

	test('stay linked or unlinked as the user decided', () => {
		const first = patchset(1, 1);
		const second = patchset(2, 2);
		const renamed = patchset(3, 3, { subject: 'Modules' });
		const all = [first, second, renamed];
		assert.deepEqual(found(first, all, { linked: [[3, 1]] }), [
			[1, undefined],
			[2, 'subject'],
			[3, 'byHand'],
		]);
		assert.deepEqual(found(first, all, { unlinked: [[2, 1]] }), [[1, undefined]]);
		assert.deepEqual(found(second, all, { unlinked: [[2, 1]] }), [[2, undefined]]);
	});

	test('named by the server do not count if unknown or the patchset itself', () => {
		assert.deepEqual(found(patchset(1, 1, { supersededById: 99 }), []), [[1, undefined]]);
		assert.deepEqual(found(patchset(1, 1, { supersededById: 1 }), []), [[1, undefined]]);
	});

	test('may have their number in the wrong place', () => {
		const wrong = patchset(2, 1, { prefix: 'v2 proj' });
		assert.equal(versionOf(wrong), 2);
		const cases: readonly (readonly [prefix: string | undefined, version: number])[] = [
			[undefined, 7],
			['proj', 7],
			['proj V12', 12],
			['v1234', 1234],
			['v12345', 7],
			['rev2 proj', 7],
			['v2x proj', 7],
			['v proj', 7],
		];
		for (const [prefix, version] of cases) {
			assert.equal(versionOf(patchset(1, 7, { prefix })), version, prefix);
		}
		assert.deepEqual(found(patchset(1, 1), [wrong]), [
			[1, undefined],
			[2, 'subject'],
		]);
	});

	test('are symmetric', () => {
		const some = fc.array(
			fc.record({
				version: fc.integer({ min: 1, max: 4 }),
				subject: fc.constantFrom('a', 'A', 'b'),
				supersededById: fc.option(fc.integer({ min: 0, max: 8 }), { nil: undefined }),
			}),
			{ minLength: 1, maxLength: 8 },
		);
		const pairs = fc.array(fc.tuple(fc.nat({ max: 8 }), fc.nat({ max: 8 })), { maxLength: 3 });
		fc.assert(
			fc.property(some, pairs, (changes, unlinked) => {
				const all = changes.map(({ version, supersededById, subject }, id) =>
					patchset(id, version, { subject, ...(supersededById === undefined ? {} : { supersededById }) }),
				);
				for (const one of all) {
					const versions = versionsAmong(one, all, { linked: [], unlinked, stated: [] });
					assert.equal(versions.filter(({ link }) => link === undefined).length, 1);
					const numbers = versions.map(({ patchset: each }) => each.version);
					assert.deepEqual(
						numbers,
						numbers.toSorted((a, b) => a - b),
					);
					for (const { patchset: other, link } of versions) {
						const back = found(other, all, { unlinked }).map(([id]) => id);
						assert.ok(link === undefined || unlinked.length > 0 || back.includes(one.id));
						assert.ok(
							!unlinked.some(([a, b]) => a !== b && [a, b].includes(one.id) && [a, b].includes(other.id)) ||
								link === undefined,
						);
					}
				}
			}),
			{ numRuns: counts({ small: 300, full: 10_000 }), seed: seed() },
		);
	});

	test('without a prefix have no stage, and the cover letter may name the sender', () => {
		const sender = (canonicalName: string): Partial<Patchset> => ({
			prefix: undefined,
			submitter: undefined,
			coverLetter: fake<Patchset['coverLetter'] & object>({ id: 1, sender: { name: canonicalName, canonicalName } }),
		});
		const of = patchset(2, 2, sender('~bob'));
		const all = [
			patchset(1, 1, sender('~bob')),
			patchset(3, 3, sender('~eve')),
			patchset(4, 3, { submitter: undefined }),
		];
		assert.deepEqual(found(of, all), [
			[1, 'subject'],
			[2, undefined],
		]);
	});

	test('with an overlong subject are not linked by subject', () => {
		const of = (id: number, length: number): Patchset => patchset(id, id, { subject: 'x'.repeat(length) });
		assert.equal(found(of(2, 10_000), [of(1, 10_000)]).length, 2);
		assert.equal(found(of(2, 10_001), [of(1, 10_001)]).length, 1);
	});

	test('link equal patches as far as the sender is known', () => {
		const of = (from: string, version: number, equal = 4): readonly [string | undefined, boolean] => {
			const first = patchset(1, 1, { subject: 'one', submitter: 'Ann <ann@a.test>' });
			const second = patchset(2, version, { subject: 'two', submitter: from });
			const alike = [{ ids: [2, 1] as const, equal, of: 5 }];
			const samePeople = new Set([addressPair('ann@a.test', 'ann@proven.test')]);
			const found = versionsAmong(first, [first, second], { ...none, alike, samePeople }).find(({ link }) => link);
			assert.ok(found);
			assert.deepEqual(found.likeness, alike[0]);
			return [found.link, replaces(found, first)];
		};
		assert.deepEqual(of('Ann <ann@a.test>', 2), ['patches', true]);
		assert.deepEqual(of('Ann <ann@proven.test>', 2), ['patches', true]);
		assert.deepEqual(of('Ann <ann@a.test>', 2, 2), ['perhaps', false], 'most patches are others');
		assert.deepEqual(of('Ann <ann@a.test>', 1), ['perhaps', false], 'the same number may be another series');
		assert.deepEqual(of('Ann <ann@other.test>', 2), ['perhaps', false], 'anyone can send in this name');
		assert.deepEqual(of('Eve <eve@e.test>', 2), ['claimed', false]);
		assert.deepEqual(of('ann@a.test <eve@e.test>', 2), ['claimed', false]);
	});

	test('link a rising subject from a proven second address', () => {
		const first = patchset(1, 1, { subject: 'one', submitter: 'Ann <ann@a.test>' });
		const second = patchset(2, 2, { subject: 'one', submitter: 'Ann <ann@home.test>' });
		const linkWith = (pairs: readonly string[]): unknown =>
			versionsAmong(first, [first, second], { ...none, samePeople: new Set(pairs) })[1]?.link;
		assert.equal(linkWith([]), undefined);
		assert.equal(linkWith([addressPair('ann@home.test', 'ann@a.test')]), 'person');
	});
});
