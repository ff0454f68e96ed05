import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { makeRepository, quill, quillWorld, type FakeRepositories } from '../../../../support/fakeRepositories.ts';
import { keptInMemory } from '../../../../support/keptInMemory.ts';
import { quietProblems } from '../../../../support/fakeTicketsParts.ts';
import { repositoryDesk } from '../../../../support/repositoryDesk.ts';
import { stubbedWorkspace } from '../../../../support/stubbedWorkspace.ts';
import { resetStub, stubbed, stubbedTabs, TabInputText } from '../../../../support/vscodeValues.ts';
import { fake } from '../../../../support/fake.ts';
import type { RepositoriesContext } from '../../../../../src/features/repositories/parts/repositoriesContext.ts';

const { renamedPlaces } = await import('../../../../../src/features/repositories/manage/manageFeature.ts');
const { uriOfPlace } = await import('../../../../../src/features/repositories/subjects/place.ts');

const connectionKey = 'alice.sample';
const pen = { owner: '~alice', name: 'pen' };

function uri(ref: typeof quill, path: string): unknown {
	return uriOfPlace({ kind: 'entry', connectionKey, ref, at: { ref: 'main', path } });
}

/** The same repository under both names, as before and after a rename. */
function world(): FakeRepositories {
	const fake = quillWorld();
	fake.world.logs.set('~alice/pen main', fake.world.logs.get('~alice/quill main') ?? []);
	fake.world.roots.set('~alice/pen main', fake.world.roots.get('~alice/quill main') ?? '');
	return fake;
}

suite('open files of a renamed repository', () => {
	setup(resetStub);

	async function rename(): Promise<void> {
		const { connections, connection } = repositoryDesk(world());
		const watching = renamedPlaces(
			fake<RepositoriesContext>({ connections, problems: quietProblems, laterFilesOf: () => keptInMemory() }),
		);
		connection.repositories.apply({ kind: 'repositoryRenamed', from: quill, repository: makeRepository('pen') });
		while (String(stubbedWorkspace.folders[0]?.uri) !== String(uri(pen, ''))) {
			await new Promise((resolve) => setImmediate(resolve));
		}
		await new Promise((resolve) => setImmediate(resolve));
		watching.dispose();
	}

	function openTab(): void {
		const input = new TabInputText(uri(quill, 'README.md'));
		stubbedTabs.push({ label: 'README.md', input, isActive: true, group: { viewColumn: 1 } });
	}

	test('open under the new name with consent', async () => {
		openTab();
		stubbedWorkspace.folders.push({ uri: uri(quill, ''), name: 'quill', index: 0 });
		stubbed.answers.push('Open Under the New Name');
		await rename();
		assert.match(stubbed.shown[0] ?? '', /~alice\/quill was renamed to ~alice\/pen/);
		assert.deepEqual(stubbed.passed.map(String), [String(uri(pen, 'README.md'))]);
		assert.deepEqual(
			stubbedWorkspace.folders.map((folder) => String(folder.uri)),
			[String(uri(pen, ''))],
		);
	});

	test('move with all its folders, and no others', async () => {
		const at = (ref: typeof quill, revision: string): unknown =>
			uriOfPlace({ kind: 'entry', connectionKey, ref, at: { ref: revision, path: '' } });
		const other = uri({ owner: '~bob', name: 'wick' }, '');
		for (const each of [other, at(quill, 'main'), other, at(quill, 'v1')]) {
			stubbedWorkspace.folders.push({ uri: each, name: 'a', index: stubbedWorkspace.folders.length });
		}
		const { connections, connection } = repositoryDesk(world());
		const watching = renamedPlaces(
			fake<RepositoriesContext>({ connections, problems: quietProblems, laterFilesOf: () => keptInMemory() }),
		);
		stubbed.answers.push('Open Under the New Name');
		connection.repositories.apply({ kind: 'repositoryRenamed', from: quill, repository: makeRepository('pen') });
		await new Promise((resolve) => setImmediate(resolve));
		assert.deepEqual(
			stubbedWorkspace.folders.map((folder) => String(folder.uri)),
			[other, at(pen, 'main'), other, at(pen, 'v1')].map(String),
		);
		watching.dispose();
	});

	test('cause no message when nothing is open', () => {
		const { connections, connection } = repositoryDesk(world());
		const watching = renamedPlaces(
			fake<RepositoriesContext>({ connections, problems: quietProblems, laterFilesOf: () => keptInMemory() }),
		);
		connection.repositories.apply({ kind: 'repositoryRenamed', from: quill, repository: makeRepository('pen') });
		assert.deepEqual(stubbed.shown, []);
		watching.dispose();
	});
});
