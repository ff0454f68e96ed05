import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import {
	fakeStore,
	idOf,
	makeCommit,
	quillWorld,
	repositoryConnection,
	repositoryConnections,
} from '../../../../support/fakeRepositories.ts';

const { readFile } = await import('../../../../../src/features/repositories/models/repositoryTools.ts');

suite('file that a server calls text', () => {
	test('is not passed to a model when it is binary', async () => {
		const fake = quillWorld();
		const bytes = new Uint8Array([0x41, 0, 0x42]);
		const id = fake.world.write(bytes);
		const tree = fake.world.grow({ 'called.txt': bytes });
		fake.world.blobs.set(id, { bytes, isBinary: false });
		for (const revision of ['main', 'HEAD', idOf(500)]) {
			fake.world.logs.set(`~alice/quill ${revision}`, [makeCommit(500, { tree })]);
			fake.world.roots.set(`~alice/quill ${revision}`, tree);
		}
		const connections = repositoryConnections(repositoryConnection(fakeStore(fake)));
		const input = { repository: '~alice/quill', path: 'called.txt' };
		const answer = await readFile(connections, input, new AbortController().signal);
		assert.match(answer, /binary file of 3 bytes/);
		assert.doesNotMatch(answer, /^\| A.*B/m);
	});
});
