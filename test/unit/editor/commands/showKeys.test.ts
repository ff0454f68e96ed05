import '../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { resetStub, stubbed } from '../../../support/vscodeValues.ts';

const { keyCommands } = await import('../../../../src/editor/commands/help.ts');

suite('Show Keyboard Shortcuts', () => {
	setup(resetStub);

	test('opens the editor’s own page with the shortcuts of the extension only', async () => {
		await keyCommands('forge-desk.forge-desk')['forge.showKeys']?.(undefined, new AbortController().signal, []);
		assert.deepEqual(stubbed.executed, ['workbench.action.openGlobalKeybindings']);
		assert.deepEqual(stubbed.passed, ['@ext:forge-desk.forge-desk']);
	});
});
