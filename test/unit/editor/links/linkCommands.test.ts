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

	test('the page in front is what a link is wanted of', async () => {
		await linkCommands([source], () => 'page', editor)['forge.copyLink']?.(undefined, never, []);
		assert.deepEqual([stubbed.copied, stubbed.asked], [['https://forge.test/page'], []]);
	});

	test('a row that was chosen comes before the page in front', async () => {
		await linkCommands([source], () => 'page', editor)['forge.copyLink']?.('row', never, ['row']);
		assert.deepEqual(stubbed.copied, ['https://forge.test/row']);
	});

	test('with nothing in front it is asked', async () => {
		stubbed.answers.push('A thing');
		await linkCommands([source], () => undefined, editor)['forge.openOnWeb']?.(undefined, never, []);
		assert.deepEqual(
			[stubbed.opened, stubbed.asked],
			[['https://forge.test/asked'], ['Choose what to open on the web']],
		);
	});

	test('a link into the editor names what the link to the web would', async () => {
		const copy = linkCommands([source], () => 'a%23b', editor)['forge.copyEditorLink'];
		await copy?.(undefined, never, []);
		assert.deepEqual(stubbed.copied, ['vscodium://forge-desk.forge-desk/open?url=https%3A%2F%2Fforge.test%2Fa%2523b']);
	});

	test('what no link can hold is said, and nothing is copied', async () => {
		await linkCommands([source], () => 'x'.repeat(3000), editor)['forge.copyEditorLink']?.(undefined, never, []);
		assert.deepEqual([stubbed.copied, stubbed.shown.length], [[], 1]);
	});
});
