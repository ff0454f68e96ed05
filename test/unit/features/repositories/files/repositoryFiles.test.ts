import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { Connections } from '../../../../../src/store/connection.ts';
import type { RepositoryApi } from 'sourcehut/port/forge.ts';
import type { Tree } from 'sourcehut/port/repository.ts';
import type { WalkStep } from '../../../../../src/store/repositories/repositoryWalk.ts';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import { quill, quillWorld, type FakeRepositories } from '../../../../support/fakeRepositories.ts';
import { quietProblems } from '../../../../support/fakeTicketsParts.ts';
import { repositoryDesk } from '../../../../support/repositoryDesk.ts';
import { fake } from '../../../../support/fake.ts';
import type { RepositoriesContext } from '../../../../../src/features/repositories/parts/repositoriesContext.ts';

const { repositoryFiles } = await import('../../../../../src/features/repositories/files/repositoryFiles.ts');
const { uriOfPlace } = await import('../../../../../src/features/repositories/subjects/place.ts');

const { readReadme } = await import('../../../../../src/features/repositories/start/readmeFile.ts');

function filesOf(connections: Connections): ReturnType<typeof repositoryFiles> {
	return repositoryFiles(
		fake<RepositoriesContext>({
			connections,
			ready: () => Promise.resolve(),
			problems: quietProblems,
			tooLarge: () => assert.fail('Nothing is too large'),
		}),
	);
}

function uri(path: string, connectionKey = 'alice.sample'): ReturnType<typeof uriOfPlace> {
	return uriOfPlace({ kind: 'entry', connectionKey, ref: quill, at: { ref: 'main', path } });
}

/** Lists every folder incompletely, as GraphQL does above 25 entries when git cannot read. */
function inParts({ api }: FakeRepositories): Pick<RepositoryApi, 'tree' | 'treeById'> {
	const part = (known: Tree): never => {
		throw new ForgeError({ kind: 'incomplete', known });
	};
	return {
		tree: async (...asked) => part(await api.tree(...asked)),
		treeById: async (...asked) => part(await api.treeById(...asked)),
	};
}

const never = new AbortController().signal;

suite('repository file system', () => {
	for (const known of ['known', 'not known'] as const) {
		test(`a failed folder listing gives the reason, with the parent folder ${known}`, async () => {
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

	test('an incomplete folder shows the known entries and a note', async () => {
		const fake = quillWorld();
		const { connections, connection } = repositoryDesk(fake, inParts(fake));
		const files = filesOf(connections);
		const note = 'Some entries are missing.md';
		for (const [folder, known] of [
			['', 'README.md'],
			['src', 'main.c'],
		] as const) {
			const names = (await files.readDirectory(uri(folder))).map(([name]) => name);
			assert.ok(
				[known, note].every((name) => names.includes(name)),
				names.join(', '),
			);
			const path = folder === '' ? note : `${folder}/${note}`;
			assert.match(Buffer.from(await files.readFile(uri(path))).toString(), /^Some entries are missing here\. /);
			assert.equal((await files.stat(uri(path))).type, 1);
		}
		assert.equal((await files.stat(uri(''))).type, 2);
		await assert.rejects(Promise.resolve(files.readFile(uri('Why is this empty?.md'))), { code: 'FileNotFound' });
		const readme = await readReadme(connection.repositories, { ref: quill, revision: 'main' }, never);
		assert.equal(readme?.name, 'README.md');
		const steps: WalkStep[] = [];
		for await (const step of connection.repositories.folders.walk(quill, { ref: 'main', path: '' }, never)) {
			steps.push(step);
		}
		assert.deepEqual(steps.at(-1), { kind: 'leftOut', why: 'incomplete' });
		assert.ok(steps.some((step) => step.kind === 'folder' && step.path === 'src'));
		files.dispose();
	});

	test('a sign-out or sign-in rereads the files of that account only', async () => {
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
