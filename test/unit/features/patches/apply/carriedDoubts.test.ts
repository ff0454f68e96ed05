import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { GivenTrailer, SeriesPatch } from 'patchmail/series/seriesReading.ts';
import type { PatchsetReview } from '../../../../../src/store/lists/patchsets/patchsetReview.ts';
import { fake } from '../../../../support/fake.ts';

const { carriedDoubts } = await import('../../../../../src/features/patches/apply/carriedDoubts.ts');

const value = 'Dave <dave@forge.test>';
const trailer = (key: string, bytes: GivenTrailer['bytes'], isInPatch = true): GivenTrailer => ({
	key,
	value,
	person: { name: 'Dave', address: 'dave@forge.test' },
	mailId: 1,
	patchIndexes: [1, 2],
	isInPatch,
	isForOther: true,
	isOnlyToGit: false,
	...(bytes ? { bytes } : {}),
});
const other = (index: number) => ({ index, kind: 'other', mailId: 3, version: 1, from: undefined }) as const;
const unknown = (index: number) => ({ index, kind: 'unknown', reason: 'noMail' }) as const;

function details(...trailers: readonly GivenTrailer[]): readonly string[] {
	const patches = [1, 2].map((index) => fake<SeriesPatch>({ index }));
	return carriedDoubts(fake<PatchsetReview>({ trailers }), patches).flatMap((doubt) => doubt.details);
}

suite('doubts about trailers inside of patches', () => {
	test('name those for other changes, and reviews that no message has', () => {
		assert.deepEqual(
			details(
				trailer('Reviewed-by', [other(1), unknown(2)]),
				trailer('Reviewed-and-tested-by', [unknown(1)]),
				trailer('Co-developed-by', [other(2)]),
			),
			[
				`1. Reviewed-by: ${value}\nGiven to other patches of v1.`,
				`2. Reviewed-by: ${value}\nUnknown: no loaded message of this person has this trailer.`,
				`1. Reviewed-and-tested-by: ${value}\nUnknown: no loaded message of this person has this trailer.`,
				`2. Co-developed-by: ${value}\nGiven to other patches of v1.`,
			],
		);
	});

	test('leave out other patches, replies, signers without a message, and trailers for the same changes', () => {
		const from = { version: 1, patchsetId: 1, index: 1, mailId: 1 };
		assert.deepEqual(
			details(
				trailer('Reviewed-by', [other(3)]),
				trailer('Reviewed-by', [other(1)], false),
				trailer('Signed-off-by', [unknown(1)]),
				trailer('Acked-by', [{ index: 1, kind: 'sameChanges', mailId: 3, from }]),
				trailer('Acked-by', undefined),
			),
			[],
		);
	});
});
