import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { RepositoryFiles } from '../../../../../src/features/repositories/files/repositoryFiles.ts';
import type { Connections } from '../../../../../src/state/connection.ts';
import { quill, quillWorld } from '../../../../support/fakeRepositories.ts';
import { quietProblems } from '../../../../support/fakeTicketsParts.ts';
import { repositoryDesk } from '../../../../support/repositoryDesk.ts';

const { repositoryFiles } = await import('../../../../../src/features/repositories/files/repositoryFiles.ts');
const { uriOfPlace } = await import('../../../../../src/features/repositories/subjects/placeUri.ts');

function filesOf(connections: Connections): RepositoryFiles {
	return repositoryFiles({
		connections,
		ready: () => Promise.resolve(),
		problems: quietProblems,
		tooLarge: () => assert.fail('Nothing is too large'),
	});
}

function uri(path: string, connectionKey = 'alice.sample'): ReturnType<typeof uriOfPlace> {
	return uriOfPlace({ kind: 'entry', connectionKey, ref: quill, at: { ref: 'main', path } });
}

suite('the file system of repositories', () => {
	for (const known of ['known', 'not known'] as const) {
		test(`whoever lists what is no folder hears why, its folder being ${known}`, async () => {
			const { connections } = repositoryDesk(quillWorld());
			const files = filesOf(connections);
			if (known === 'known') {
				await files.readDirectory(uri('src'));
				await files.readDirectory(uri(''));
			}
			for (const [path, code] of [
				['README.md', 'FileNotADirectory'],
				['src/main.c', 'FileNotADirectory'],
				['vendored', 'FileNotADirectory'],
				['src/none', 'FileNotFound'],
				['README.md/below', 'FileNotFound'],
			] as const) {
				await assert.rejects(Promise.resolve(files.readDirectory(uri(path))), { code }, path);
			}
			files.dispose();
		});
	}

	test('whoever signs out or in again brings the files of that account, and of no other, to be read anew', async () => {
		const { connection, connections } = repositoryDesk(quillWorld());
		const files = filesOf(connections);
		const other = { ...connection, key: 'bob.sample' };
		connections.replace(connection, other);
		await files.readFile(uri('README.md'));
		await files.readFile(uri('README.md', other.key));
		const told: string[][] = [];
		files.onDidChangeFile((changes) => told.push(changes.map((change) => change.uri.toString())));
		connections.replace(other);
		connections.replace(connection, other);
		const file = uri('README.md').toString();
		assert.deepEqual(told, [[file], [file]]);
		files.dispose();
	});
});
