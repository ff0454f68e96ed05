import assert from 'node:assert/strict';
import { commands, extensions } from 'vscode';
import { hostDialect } from './sampleHost.ts';

suite(`${hostDialect()}: activation`, () => {
	test('the editor finds the extension and activates it', async () => {
		const extension = extensions.getExtension('forge-desk.forge-desk');
		await extension?.activate();
		assert.equal(extension?.isActive, true);
	});

	test('the Forge container has tickets, lists and repositories', async () => {
		const known = await commands.getCommands();
		for (const view of ['forge.tickets', 'forge.lists', 'forge.repositories']) {
			assert.ok(known.includes(`${view}.focus`), `no view ${view}`);
		}
	});
});
