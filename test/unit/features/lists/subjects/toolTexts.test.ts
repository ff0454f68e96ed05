import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { ToolState } from 'sourcehut/port/list.ts';
import { makePatchset } from '../../../../support/makeMail.ts';

const { toolsWords } = await import('../../../../../src/features/lists/subjects/words.ts');

function words(...states: readonly ToolState[]): readonly string[] {
	return toolsWords(makePatchset({ tools: states.map((state, id) => ({ id, updatedMs: 0, state, details: '' })) }));
}

suite('summary of patchset tools', () => {
	test('is empty without tools', () => {
		assert.deepEqual(toolsWords(makePatchset()), []);
		assert.deepEqual(words(), []);
	});

	test('shows the most urgent state', () => {
		assert.deepEqual(words('success', 'success'), ['CI passed']);
		assert.deepEqual(words('success', 'cancelled'), ['CI cancelled']);
		assert.deepEqual(words('cancelled', 'waiting'), ['CI waiting']);
		assert.deepEqual(words('waiting', 'pending', 'success'), ['CI pending']);
		assert.deepEqual(words('pending', 'other:queued', 'failed'), ['CI failed']);
	});

	test('shows unknown states as written, before success', () => {
		assert.deepEqual(words('success', 'other:on\u202Efire'), ['CI: on⟨U+202E⟩fire']);
	});
});
