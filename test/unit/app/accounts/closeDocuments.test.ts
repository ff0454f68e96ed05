import '../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { resetStub, stubbedTabs, TabInputText, TabInputTextDiff, Uri } from '../../../support/vscodeValues.ts';

const { closeDocuments } = await import('../../../../src/app/accounts/deskAccounts.ts');

const address = (scheme: string, authority: string): object => Uri.from({ scheme, authority, path: '/a' });

suite('documents of a signed-out account', () => {
	setup(() => resetStub());

	test('close, for mails, two-sided and multi-file diffs, and documents of other accounts stay', async () => {
		const shownBy = (account: string): void => {
			const [before, after] = [address('forge-patch', account), address('forge-patch', account)];
			stubbedTabs.push(
				{ label: `${account}: mail`, input: new TabInputText(address('forge-mail', account)) },
				{ label: `${account}: versions`, input: new TabInputText(address('forge-versions', account)) },
				{ label: `${account}: file`, input: new TabInputTextDiff(before, after) },
				{ label: `${account}: files`, input: { textDiffs: [new TabInputTextDiff(before, after)] } },
			);
		};
		shownBy('sample-alice');
		shownBy('sample-carol');
		stubbedTabs.push(
			{ label: 'file', input: new TabInputText(address('file', 'sample-alice')) },
			{ label: 'files', input: { textDiffs: [new TabInputTextDiff(address('file', ''), undefined)] } },
			{ label: 'settings', input: undefined },
		);
		await closeDocuments('sample-alice');
		assert.deepEqual(
			stubbedTabs.map(({ label }) => label),
			[
				'sample-carol: mail',
				'sample-carol: versions',
				'sample-carol: file',
				'sample-carol: files',
				'file',
				'files',
				'settings',
			],
		);
	});
});
