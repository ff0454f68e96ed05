import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { fakeGit, fakeRepository } from '../../../../support/fakeGit.ts';
import { resetStub, stubbed, Uri } from '../../../../support/vscodeValues.ts';
import { stubbedWorkspace } from '../../../../support/stubbedWorkspace.ts';

const { askFolder } = await import('../../../../../src/features/repositories/clones/cloneQuestions.ts');

const never = new AbortController().signal;

suite('the box for the folder of a clone', () => {
	setup(resetStub);
	teardown(resetStub);

	async function begunAt(open: string | undefined, ...clones: readonly string[]): Promise<string | undefined> {
		stubbedWorkspace.folders.length = 0;
		if (open !== undefined) {
			stubbedWorkspace.folders.push({ uri: Uri.file(open), name: 'open', index: 0 });
		}
		stubbed.answers.push('/chosen');
		const git = fakeGit(...clones.map((root) => fakeRepository(root)));
		assert.equal((await askFolder(git, 'Folder', 'Clone', never)).fsPath, '/chosen');
		return stubbed.boxFolder;
	}

	test('begins in git.defaultCloneDirectory', async () => {
		stubbed.settings.set('git.defaultCloneDirectory', '/src/all');
		assert.equal(await begunAt('/code/quill', '/code/quill'), '/src/all');
	});

	test('begins beside the open folder, and never in an open clone', async () => {
		assert.equal(await begunAt('/code/quill', '/code/quill'), '/code');
		assert.equal(await begunAt('/code/quill/docs/en', '/code/quill'), '/code');
		assert.equal(await begunAt('/code/quill/modules/sub', '/code/quill/modules/sub', '/code/quill'), '/code');
		assert.equal(await begunAt('/code/quill-old', '/code/quill'), '/code');
		assert.equal(await begunAt('/code/plain'), '/code');
		assert.equal(await begunAt(undefined, '/code/quill'), undefined);
	});
});
