import '../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { resetStub, stubbed } from '../../../support/vscodeValues.ts';

const { linkCommands } = await import('../../../../src/editor/links/linkCommands.ts');

const never = new AbortController().signal;
const source = {
	name: 'A thing',
	webLink: (subject: unknown) => (typeof subject === 'string' ? `https://forge.test/${subject}` : undefined),
	askForLink: () => Promise.resolve('https://forge.test/asked'),
};

const editor = { scheme: 'vscodium', extensionId: 'forge-desk.forge-desk' };

suite('link commands', () => {
	setup(resetStub);

	test('uses the active page', async () => {
		await linkCommands([source], () => 'page', editor)['forge.copyLink']?.(undefined, never, []);
		assert.deepEqual([stubbed.copied, stubbed.asked], [['https://forge.test/page'], []]);
	});

	test('prefers the chosen row over the active page', async () => {
		await linkCommands([source], () => 'page', editor)['forge.copyLink']?.('row', never, ['row']);
		assert.deepEqual(stubbed.copied, ['https://forge.test/row']);
	});

	test('asks the user without an active page', async () => {
		stubbed.answers.push('A thing');
		await linkCommands([source], () => undefined, editor)['forge.openOnWeb']?.(undefined, never, []);
		assert.deepEqual(
			[stubbed.opened, stubbed.asked],
			[['https://forge.test/asked'], ['Choose what to open on the web']],
		);
	});

	test('a link into the editor contains the web link', async () => {
		const copy = linkCommands([source], () => 'a%23b', editor)['forge.copyEditorLink'];
		await copy?.(undefined, never, []);
		assert.deepEqual(stubbed.copied, ['vscodium://forge-desk.forge-desk/open?url=https%3A%2F%2Fforge.test%2Fa%2523b']);
	});

	test('copies nothing and shows a message if the link is too long', async () => {
		await linkCommands([source], () => 'x'.repeat(3000), editor)['forge.copyEditorLink']?.(undefined, never, []);
		assert.deepEqual([stubbed.copied, stubbed.shown.length], [[], 1]);
	});
});
