import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { isAbort } from '@forge-desk/base/abort.ts';
import { uriAt } from '../../../../support/fakeGit.ts';
import { stubbedWorkspace } from '../../../../support/stubbedWorkspace.ts';
import { resetStub, stubbed } from '../../../../support/vscodeValues.ts';

const { openFolder } = await import('../../../../../src/features/repositories/clones/clonesFeature.ts');

const folder = uriAt('/code/quill');

/** Opens the folder in this way. Resolves to the number of calls before the opening. */
async function openBy(way: 'here' | 'window' | 'workspace'): Promise<number> {
	let before = 0;
	await assert.rejects(
		openFolder(folder, () => assert.fail('Nothing was chosen')),
		isAbort,
	);
	const row = stubbed.offered.find((each) => Reflect.get(each, 'value') === way);
	stubbed.answers.push(row?.label);
	await openFolder(folder, async () => {
		assert.deepEqual(stubbed.executed, [], 'the window is there until it has been told');
		before += 1;
	});
	return before;
}

suite('opening a clone', () => {
	setup(resetStub);

	test('in a new window leaves this one alone', async () => {
		assert.equal(await openBy('window'), 1);
		assert.deepEqual(stubbed.executed, ['vscode.openFolder']);
		assert.deepEqual(stubbed.passedMore, [[{ forceNewWindow: true }]]);
	});

	test('in this window opens no other', async () => {
		assert.equal(await openBy('here'), 1);
		assert.deepEqual(stubbed.passedMore, [[{ forceReuseWindow: true }]]);
	});

	test('in the workspace is an option only beside open folders, and closes none', async () => {
		await assert.rejects(
			openFolder(folder, () => assert.fail('Nothing was chosen')),
			isAbort,
		);
		assert.equal(stubbed.offered.length, 2);
		stubbedWorkspace.folders.push({ uri: uriAt('/code/other'), name: 'other', index: 0 });
		assert.equal(await openBy('workspace'), 1);
		assert.deepEqual(
			stubbedWorkspace.folders.map(({ uri }) => String(uri)),
			[uriAt('/code/other'), folder].map(String),
		);
		assert.deepEqual(stubbed.executed, []);
	});

	test('asks nothing when the folder is open already', async () => {
		stubbedWorkspace.folders.push({ uri: folder, name: 'quill', index: 0 });
		let before = 0;
		await openFolder(folder, async () => void (before += 1));
		assert.deepEqual([before, stubbed.asked, stubbed.executed], [1, [], []]);
	});
});
