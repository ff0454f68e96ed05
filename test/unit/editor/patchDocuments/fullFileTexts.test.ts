import '../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { HunksOnly, WholeFile } from 'patchmail/patch/wholeFile.ts';
import type { WhyMissing } from '../../../../src/editor/patchDocuments/fullFileTexts.ts';

const { certaintySentence, certaintyWord } = await import('../../../../src/editor/patchDocuments/fullFileTexts.ts');

const sides = { before: undefined, after: undefined, hunks: [] } as const;

function said(whole: WholeFile, missing?: WhyMissing): readonly [string, string] {
	const found = { whole, missing };
	return [certaintyWord(found), certaintySentence(found)];
}

suite('certainty of a whole file in words', () => {
	test('names offset and fuzz if there are any', () => {
		const moved = (offset: number, fuzz: number): string =>
			said({ kind: 'applied', doubt: 'notStated', offset, fuzz, ...sides })[1];
		const first = 'Applied, but not verified: the patch states no ids of the files.';
		assert.equal(moved(0, 0), first);
		assert.equal(moved(-1, 0), `${first} Largest offset in lines: 1. Context lines ignored (fuzz): 0.`);
		assert.equal(moved(0, 2), `${first} Largest offset in lines: 0. Context lines ignored (fuzz): 2.`);
	});

	test('distinguishes another version of the file from a patch altered in transit', () => {
		const doubts = (['otherBefore', 'otherAfter', 'notStated'] as const).map(
			(doubt) => said({ kind: 'applied', doubt, offset: 0, fuzz: 0, ...sides })[0],
		);
		assert.deepEqual(doubts, [
			'applied to another version of the file',
			'applied, not verified',
			'applied, not verified',
		]);
	});

	test('gives each reason for a patch without whole files', () => {
		const missing: readonly WhyMissing[] = [
			'notThere',
			'budget',
			'badPath',
			'tooMany',
			'noRepository',
			'noneChosen',
			'failed',
			'gone',
		];
		const sentences = missing.map((why) => said({ kind: 'hunksOnly', reason: 'notFound' }, why)[1]);
		assert.equal(new Set(sentences).size, missing.length);
		const reasons: readonly HunksOnly[] = ['noMatch', 'tooLarge', 'merge', 'notFound'];
		assert.equal(new Set(reasons.map((reason) => said({ kind: 'hunksOnly', reason })[1])).size, reasons.length);
		assert.equal(certaintyWord(undefined), 'only what the patch shows');
		assert.match(certaintySentence(undefined), /Open the file again to search for all of it/);
	});
});
