import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import {
	fakeStore,
	quill,
	quillWorld,
	repositoryConnection,
	repositoryConnections,
} from '../../../../support/fakeRepositories.ts';
import { uriAt } from '../../../../support/fakeGit.ts';
import { standFor } from '../../../../support/standFor.ts';

const { repositoryDecorations } = await import('../../../../../src/features/repositories/repositoriesFeature.ts');
const { uriOfPlace } = await import('../../../../../src/features/repositories/subjects/place.ts');

const never = new AbortController().signal;
const none = standFor<vscode.CancellationToken>({});

suite('file decorations of a repository', () => {
	test('mark only submodules, which look like files, and make no request', async () => {
		const fake = quillWorld();
		const store = fakeStore(fake);
		const connection = repositoryConnection(store);
		const decorations = repositoryDecorations(repositoryConnections(connection));
		const letter = (path: string, connectionKey = connection.key) => {
			const uri = uriOfPlace({ kind: 'entry', connectionKey, ref: quill, at: { ref: 'main', path } });
			return standFor<Partial<vscode.FileDecoration>>(decorations.provideFileDecoration(uri, none) ?? {}).badge;
		};
		assert.equal(letter('vendored'), undefined);
		assert.deepEqual(fake.world.calls, []);
		await store.folders.folder(quill, { ref: 'main', path: '' }, never);
		const calls = fake.world.calls.length;
		assert.equal(letter('vendored'), 'S');
		for (const path of ['README.md', 'src', 'link', 'nothing']) {
			assert.equal(letter(path), undefined, path);
		}
		assert.equal(letter('vendored', 'somebody-else'), undefined);
		assert.equal(decorations.provideFileDecoration(uriAt('/code/vendored'), none), undefined);
		assert.equal(fake.world.calls.length, calls);
	});

	test('warn about names with characters that the explorer hides', () => {
		const connection = repositoryConnection(fakeStore(quillWorld()));
		const decorations = repositoryDecorations(repositoryConnections(connection));
		const signs = ['gpj.\u202Eexe', 'main\u00A0', 'read me.md', 'a\u200Db/plain'].map((path) => {
			const uri = uriOfPlace({ kind: 'entry', connectionKey: connection.key, ref: quill, at: { ref: 'main', path } });
			return standFor<Partial<vscode.FileDecoration>>(decorations.provideFileDecoration(uri, none) ?? {});
		});
		assert.deepEqual(
			signs.map(({ badge, tooltip }) => [badge, tooltip]),
			[
				['⚠', 'The name contains hidden characters: gpj.⟨U+202E⟩exe'],
				['⚠', 'The name contains hidden characters: main⟨U+00A0⟩'],
				[undefined, undefined],
				[undefined, undefined],
			],
		);
	});
});
