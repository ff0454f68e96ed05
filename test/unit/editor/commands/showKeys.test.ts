import '../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { resetStub, stubbed } from '../../../support/vscodeValues.ts';

const { keyCommands } = await import('../../../../src/editor/commands/showKeys.ts');

const packageJSON: unknown = JSON.parse(readFileSync(join(import.meta.dirname, '../../../../package.json'), 'utf8'));

suite('Show Keyboard Shortcuts', () => {
	setup(resetStub);

	test('tells commands of the same title apart, and runs the one that is chosen', async () => {
		const commands = keyCommands({ id: 'forge.desk', packageJSON }, false);
		for (const label of [
			'Mark as Read (Inbox)',
			'Mark as Read (Lists)',
			'Mark as Read (Tickets)',
			'Copy Clone Address…',
		]) {
			stubbed.answers.push(label);
			await commands['forge.showKeys']?.(undefined, new AbortController().signal, []);
		}
		assert.deepEqual(stubbed.executed, [
			'forge.inbox.markRead',
			'forge.lists.markRead',
			'forge.tickets.markRead',
			'forge.repositories.copyCloneAddress',
		]);
	});
});
