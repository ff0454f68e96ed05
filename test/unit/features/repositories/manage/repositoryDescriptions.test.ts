import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { fakeRepositories, makeRepository, quill } from '../../../../support/fakeRepositories.ts';
import { repositoryDesk } from '../../../../support/repositoryDesk.ts';
import { stubbedDocuments } from '../../../../support/stubbedDocuments.ts';
import { resetStub, stubbed } from '../../../../support/vscodeValues.ts';

const { listDescriptions } = await import('../../../../../src/features/lists/own/describeList.ts');
const { repositoryDescriptions } =
	await import('../../../../../src/features/repositories/manage/repositoryDescriptions.ts');

const never = new AbortController().signal;
const path = '~alice\u2215quill (alice.sample) repository.md';
const uri = { scheme: 'untitled', path, toString: () => `untitled:${path}` };

suite('descriptions of repositories as documents', () => {
	setup(resetStub);

	function open(text: string): void {
		stubbedDocuments.open.push({ uri, isDirty: true, getText: () => text, save: () => Promise.resolve(false) });
	}

	test('only their own addresses are theirs, and lists have others', () => {
		const { connections } = repositoryDesk(fakeRepositories());
		const descriptions = repositoryDescriptions(connections);
		const lists = listDescriptions(connections);
		assert.ok(descriptions.holds(uri));
		assert.ok(!lists.holds(uri));
		for (const other of [
			'~alice\u2215quill (alice.sample).md',
			'alice\u2215quill (alice.sample) repository.md',
			'~alice/quill (alice.sample) repository.md',
		]) {
			assert.ok(!descriptions.holds({ scheme: 'untitled', path: other }), other);
		}
		assert.ok(!descriptions.holds({ scheme: 'file', path }));
		descriptions.dispose();
		lists.dispose();
	});

	test('what is too long is not sent, and what somebody else wrote meanwhile is not overwritten unasked', async () => {
		const fake = fakeRepositories();
		fake.world.repositories.push(makeRepository('quill', { description: 'Written by another window' }));
		const sent: unknown[] = [];
		const { connections } = repositoryDesk(fake, {
			update: async (_, changes) => {
				sent.push(changes);
				return makeRepository('quill', { description: changes.description });
			},
		});
		const descriptions = repositoryDescriptions(connections);
		open('x'.repeat(1025));
		assert.ok(descriptions.holds(uri));
		await descriptions.save(uri, never);
		assert.match(stubbed.shown.join(), /at most 1024/);
		stubbedDocuments.open.length = 0;
		open('New\r\ntext\n');
		stubbed.answers.push(undefined);
		await descriptions.save(uri, never);
		assert.deepEqual(sent, []);
		stubbed.answers.push('Save All the Same');
		await descriptions.save(uri, never);
		assert.deepEqual(sent, [{ description: 'New\ntext' }]);
		assert.deepEqual(stubbed.executed, ['workbench.action.revertAndCloseActiveEditor']);
		assert.equal(connections.byKey('alice.sample')?.repositories.knownRepository(quill)?.description, 'New\ntext');
		descriptions.dispose();
	});
});
