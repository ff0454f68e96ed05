import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { inRounds } from '../../../../support/counts.ts';
import { comparedToDraft } from '../../../../../src/features/tickets/drafts/restoredText.ts';

suite('restored text', () => {
	test('is older when the draft has an insertion, and newer when the text itself has one', () => {
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

	test('is neither older nor newer after any other change', () => {
		assert.equal(comparedToDraft('abc', 'abd'), 'other');
		assert.equal(comparedToDraft('abcd', 'xbc'), 'other');
		// Prefix and suffix must not count the same letter twice.
		assert.equal(comparedToDraft('aa', 'ba'), 'other');
	});
});
