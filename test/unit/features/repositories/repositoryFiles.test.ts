import '../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { quill, quillWorld } from '../../../support/fakeRepositories.ts';
import { quietProblems } from '../../../support/fakeTicketsParts.ts';
import { repositoryDesk } from '../../../support/repositoryDesk.ts';

const { repositoryFiles } = await import('../../../../src/features/repositories/repositoryFiles.ts');
const { uriOfPlace } = await import('../../../../src/features/repositories/placeUri.ts');

suite('the file system of repositories', () => {
	for (const known of ['known', 'not known'] as const) {
		test(`whoever lists what is no folder hears why, its folder being ${known}`, async () => {
			const { connections } = repositoryDesk(quillWorld());
			const files = repositoryFiles({
				connections,
				ready: () => Promise.resolve(),
				problems: quietProblems,
				tooLarge: () => assert.fail('Nothing is too large'),
			});
			const uri = (path: string): ReturnType<typeof uriOfPlace> =>
				uriOfPlace({ kind: 'entry', connectionKey: 'alice.sample', ref: quill, at: { ref: 'main', path } });
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
});
