import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { ToolState } from 'sourcehut/port/list.ts';
import { makePatchset } from '../../../../support/makeMail.ts';

const { toolsWords } = await import('../../../../../src/features/lists/subjects/words.ts');

function words(...states: readonly ToolState[]): readonly string[] {
	return toolsWords(makePatchset({ tools: states.map((state, id) => ({ id, updatedMs: 0, state, details: '' })) }));
}

suite('what the tools of a patchset say together', () => {
	test('is nothing where there are none', () => {
		assert.deepEqual(toolsWords(makePatchset()), []);
		assert.deepEqual(words(), []);
	});

	test('is what most wants to be looked at', () => {
		assert.deepEqual(words('success', 'success'), ['CI passed']);
		assert.deepEqual(words('success', 'cancelled'), ['CI cancelled']);
		assert.deepEqual(words('cancelled', 'waiting'), ['CI waiting']);
		assert.deepEqual(words('waiting', 'pending', 'success'), ['CI pending']);
		assert.deepEqual(words('pending', 'other:queued', 'failed'), ['CI failed']);
	});

	test('says words of later servers as they are written, before what is known to be well', () => {
		assert.deepEqual(words('success', 'other:on\u202Efire'), ['CI: on⟨U+202E⟩fire']);
	});
});
