import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { inRounds } from '../../../../support/counts.ts';
import { comparedToDraft } from '../../../../../src/features/tickets/drafts/restoredText.ts';

suite('a text that the editor restored', () => {
	test('is older where something was typed in one place since, and newer where that was typed in it', () => {
		const text = fc.string({ maxLength: 8 });
		fc.assert(
			fc.property(text, text, fc.string({ minLength: 1, maxLength: 8 }), (before, behind, typed) => {
				const [older, newer] = [before + behind, before + typed + behind];
				assert.equal(comparedToDraft(older, newer), 'older');
				assert.equal(comparedToDraft(newer, older), 'newer');
				assert.equal(comparedToDraft(newer, newer), 'same');
			}),
			inRounds({ small: 100, full: 2000 }),
		);
	});

	test('may be neither', () => {
		assert.equal(comparedToDraft('abc', 'abd'), 'other');
		assert.equal(comparedToDraft('abcd', 'xbc'), 'other');
		// A letter that stands in both ends is counted once.
		assert.equal(comparedToDraft('aa', 'ba'), 'other');
	});
});
