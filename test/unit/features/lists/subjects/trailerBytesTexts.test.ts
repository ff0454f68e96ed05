import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { TrailerBytesAt } from 'patchmail/series/trailerBytes.ts';

const { trailerBytesTexts } = await import('../../../../../src/features/lists/subjects/trailerBytesTexts.ts');

function told(key: string, ...bytes: readonly TrailerBytesAt[]): readonly unknown[] {
	const texts = trailerBytesTexts({
		key,
		value: 'Dave <dave@forge.test>',
		person: { name: 'Dave', address: 'dave@forge.test' },
		mailId: 1,
		patchIndexes: bytes.map(({ index }) => index),
		isInPatch: true,
		isForOther: true,
		isOnlyToGit: false,
		bytes,
	});
	return texts.map(({ indexes, text, patchsetId }) => [indexes, text, patchsetId]);
}

const from = { version: 1, patchsetId: 7, index: 2, mailId: 72 };
const unknown = { kind: 'unknown', reason: 'noMail' } as const;

suite('texts on the bytes of trailers', () => {
	test('group patches with the same text, the most doubtful first', () => {
		const found = told(
			'Reviewed-by',
			{ index: 1, kind: 'these', mailId: 3, from: undefined },
			{ index: 2, kind: 'sameChanges', mailId: 3, from },
			{ index: 3, ...unknown },
			{ index: 4, kind: 'these', mailId: 3, from: undefined },
			{ index: 5, kind: 'other', mailId: 3, version: 1, from },
			{ index: 6, kind: 'other', mailId: 3, version: 1, from: undefined },
			{ index: 7, kind: 'unknown', reason: 'notCompared' },
			{ index: 8, kind: 'these', mailId: 3, from },
		);
		assert.deepEqual(found, [
			[[5], 'Given to patch 2 of v1, which has other changes.', 7],
			[[6], 'Given to other patches of v1.', undefined],
			[[3], 'Unknown: no loaded message of this person has this trailer.', undefined],
			[[7], 'Unknown: the changes of a patch cannot be compared.', undefined],
			[[2], 'Given to patch 2 of v1, which has the same changes. Other parts of the files may differ.', 7],
			[[1, 4], 'Given to this patch.', undefined],
			[[8], 'Given to patch 2 of v1, which has the same changes to the same files.', 7],
		]);
	});

	test('are missing for credits without a message', () => {
		assert.deepEqual(told('Suggested-by', { index: 1, ...unknown }), []);
		assert.equal(told('Signed-off-by', { index: 1, ...unknown }).length, 1);
		assert.equal(told('Reported-by', { index: 1, kind: 'other', mailId: 3, version: 1, from }).length, 1);
	});
});
