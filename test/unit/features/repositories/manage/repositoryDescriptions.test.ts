import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { isAbort } from '../../../../../src/base/abort.ts';
import { fakeLists, listConnection } from '../../../../support/fakeLists.ts';
import { fakeRepositories, makeRepository, quill } from '../../../../support/fakeRepositories.ts';
import { repositoryDesk } from '../../../../support/repositoryDesk.ts';
import { stubbedDocuments } from '../../../../support/stubbedDocuments.ts';
import { resetStub, stubbed } from '../../../../support/vscodeValues.ts';

const { createList, descriptionComplaint: listDescriptionComplaint } =
	await import('../../../../../src/features/lists/own/createList.ts');
const { descriptionComplaint, repositoryNameComplaint } =
	await import('../../../../../src/features/repositories/manage/repositoryFacts.ts');
const { listDescriptions } = await import('../../../../../src/features/lists/own/describeList.ts');
const { repositoryDescriptions } =
	await import('../../../../../src/features/repositories/manage/repositoryDescriptions.ts');

const never = new AbortController().signal;
const path = '~alice\u2215quill (alice.sample) repository.md';
const { Uri } = await import('vscode');
const uri = Uri.from({ scheme: 'untitled', path });

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

	test('asking for one twice at once opens it once', async () => {
		const fake = fakeRepositories();
		fake.world.repositories.push(makeRepository('quill', { description: 'Old' }));
		const descriptions = repositoryDescriptions(repositoryDesk(fake).connections);
		const described = { connectionKey: 'alice.sample', ref: quill };
		await Promise.all([descriptions.edit(described, never), descriptions.edit(described, never)]);
		assert.deepEqual(
			stubbedDocuments.open.map((document) => document.getText()),
			['Old'],
		);
		descriptions.dispose();
	});

	test('a text that the editor kept is not taken for what stood there when it was opened again', async () => {
		const fake = fakeRepositories();
		fake.world.repositories.push(makeRepository('quill', { description: 'Written by another window' }));
		const descriptions = repositoryDescriptions(
			repositoryDesk(fake, { update: () => Promise.reject(new Error('Sent unasked')) }).connections,
		);
		// The editor makes the document of a tab that it kept when somebody looks at it.
		fake.world.before = () => {
			if (stubbedDocuments.open.length === 0) {
				open('Kept over a reload');
			}
		};
		await descriptions.edit({ connectionKey: 'alice.sample', ref: quill }, never);
		stubbed.answers.push(undefined);
		await descriptions.save(uri, never);
		assert.match(stubbed.shown.join(), /may have been changed meanwhile/);
		descriptions.dispose();
	});

	test('names and descriptions of repositories may have other lengths than those of lists', async () => {
		const text = (length: number): string => 'x'.repeat(length);
		const said = (complaint: string | undefined): string | undefined => /\d+/.exec(complaint ?? '')?.[0];
		assert.deepEqual([1024, 1025].map(text).map(descriptionComplaint).map(said), [undefined, '1024']);
		assert.deepEqual([2047, 2048].map(text).map(listDescriptionComplaint).map(said), [undefined, '2047']);
		const name = (length: number): string | undefined => repositoryNameComplaint(text(length), []);
		assert.deepEqual([256, 257].map(name).map(said), [undefined, '256']);
		const create = (): Promise<void> => createList(listConnection(fakeLists().api), never);
		// The name is taken, and the next question is closed.
		stubbed.answers.push(text(128), undefined);
		await assert.rejects(create(), isAbort);
		assert.deepEqual([stubbed.asked.length, stubbed.shown], [2, []]);
		stubbed.answers.push(text(129));
		await assert.rejects(create(), isAbort);
		assert.deepEqual(stubbed.shown.map(said), ['128']);
	});
});
