import '../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { resetStub, stubbed } from '../../support/vscodeValues.ts';

const { linkCommands } = await import('../../../src/editor/linkCommands.ts');

const never = new AbortController().signal;
const source = {
	name: 'A thing',
	webLink: (subject: unknown) => (typeof subject === 'string' ? `https://forge.test/${subject}` : undefined),
	askForLink: () => Promise.resolve('https://forge.test/asked'),
};

suite('link commands', () => {
	setup(resetStub);

	test('the page in front is what a link is wanted of', async () => {
		await linkCommands([source], () => 'page')['forge.copyLink']?.(undefined, never, []);
		assert.deepEqual([stubbed.copied, stubbed.asked], [['https://forge.test/page'], []]);
	});

	test('a row that was chosen comes before the page in front', async () => {
		await linkCommands([source], () => 'page')['forge.copyLink']?.('row', never, ['row']);
		assert.deepEqual(stubbed.copied, ['https://forge.test/row']);
	});

	test('with nothing in front it is asked', async () => {
		stubbed.answers.push('A thing');
		await linkCommands([source], () => undefined)['forge.openOnWeb']?.(undefined, never, []);
		assert.deepEqual(
			[stubbed.opened, stubbed.asked],
			[['https://forge.test/asked'], ['What do you want the address of?']],
		);
	});
});
