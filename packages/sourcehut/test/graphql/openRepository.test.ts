import assert from 'node:assert/strict';
import { nextTurn } from '@forge-desk/base/timeSlice.ts';
import { wanted } from '../../../../test/support/contractForge.ts';
import { ableGit, gitServer, inRepository, madeFolder, type GitWorld } from '../../../../test/support/gitServer.ts';
import type { AskedQuery } from '../../../../test/support/graphqlServer.ts';

const lantern = { owner: '~alice', name: 'lantern' };
const person = { name: 'Alice', email: 'a@forge.test', time: '2026-11-21T11:42:35.037767Z' };
const folderOf = (count: number) =>
	madeFolder(
		Array.from({ length: count }, (_, at) => ({
			name: `f${at}`,
			id: String(at).padStart(40, '0'),
			mode: 0o100644,
			type: 'blob' as const,
		})),
	);

/** A repository whose log has one commit at a time. */
function oneCommit(world: GitWorld = {}): ReturnType<typeof gitServer> & { readonly commit: { message: string } } {
	const tree = world.tree ?? folderOf(3);
	const commit = { message: 'first' };
	const answer = ({ name }: AskedQuery) =>
		name === 'Log'
			? inRepository({
					log: {
						cursor: null,
						results: [
							{
								id: 'a'.repeat(40),
								shortId: 'aaaaaaa',
								author: person,
								committer: person,
								message: commit.message,
								tree: { id: tree.id },
								parents: [],
							},
						],
					},
				})
			: undefined;
	const references = world.references ?? [{ name: 'refs/heads/main', target: 'a'.repeat(40) }];
	return { ...gitServer({ ...world, references, tree, answer }), commit };
}

async function newest({ api }: Pick<ReturnType<typeof gitServer>, 'api'>, from: string | undefined): Promise<string> {
	const { value } = await api.log(lantern, from, wanted()).next();
	return value?.items[0]?.message ?? '';
}

async function names(repository: ReturnType<typeof gitServer>): Promise<void> {
	await Promise.all([
		repository.api.references(lantern, wanted()).next(),
		repository.api.defaultBranch?.(lantern, wanted()),
	]);
}

suite('prefetch over GraphQL', () => {
	test('loads log and root folder with the references, for any name of the default branch', async () => {
		for (const from of [undefined, 'HEAD', 'main', 'refs/heads/main']) {
			const repository = oneCommit();
			await names(repository);
			repository.server.names();
			assert.equal(await newest(repository, from), 'first');
			const root = await repository.api.treeById(lantern, folderOf(3).id, wanted());
			assert.equal(root.entries.length, 3);
			assert.deepEqual(repository.server.names(), [], from);
		}
	});

	test('serves a log once, and not after the visit', async () => {
		const repository = oneCommit();
		await names(repository);
		assert.equal(await newest(repository, 'main'), 'first');
		repository.commit.message = 'second';
		assert.equal(await newest(repository, 'main'), 'second');
		const later = oneCommit();
		await names(later);
		later.commit.message = 'third';
		for (let turn = 0; turn < 5; turn += 1) {
			await nextTurn();
		}
		assert.equal(await newest(later, 'main'), 'third');
	});

	test('does not serve an ambiguous or different name', async () => {
		const commit = 'a'.repeat(40);
		const tagged = oneCommit({
			references: [
				{ name: 'refs/heads/main', target: commit },
				{ name: 'refs/tags/main', target: 'b'.repeat(40) },
			],
		});
		await names(tagged);
		tagged.server.names();
		await newest(tagged, 'main');
		assert.deepEqual(tagged.server.names(), ['Log']);
		const other = oneCommit();
		await names(other);
		other.server.names();
		await newest(other, 'next');
		assert.deepEqual(other.server.names(), ['Log']);
	});

	test('lets git complete a root of several pages without another request', async () => {
		const tree = folderOf(60);
		const repository = oneCommit({ tree, git: ableGit({ tree }) });
		await names(repository);
		repository.server.names();
		assert.deepEqual(await repository.api.treeById(lantern, tree.id, wanted()), tree);
		assert.deepEqual(repository.server.names(), []);
	});

	test('keeps the read of the branch when another reader of the references aborts', async () => {
		const repository = oneCommit();
		const left = new AbortController();
		const listing = repository.api.references(lantern, left.signal).next();
		await Promise.resolve();
		const branch = repository.api.defaultBranch?.(lantern, wanted());
		left.abort();
		await assert.rejects(listing);
		assert.equal(await branch, 'main');
	});

	test('ends with a new default branch', async () => {
		const head = { name: 'refs/heads/main' };
		const about = { id: 1, name: 'lantern', owner: { canonicalName: '~alice' }, visibility: 'PUBLIC' };
		const wire = { ...about, created: person.time, updated: person.time, description: null };
		const answer = ({ name }: AskedQuery) => {
			switch (name) {
				case 'Head':
					return inRepository({ HEAD: { ...head } });
				case 'Repository':
					return inRepository(wire);
				case 'UpdateRepository':
					head.name = 'refs/heads/next';
					return { data: { updateRepository: wire } };
				default:
					return undefined;
			}
		};
		const { api } = gitServer({ references: [{ name: 'refs/heads/main', target: 'a'.repeat(40) }], answer });
		await api.references(lantern, wanted()).next();
		assert.equal(await api.defaultBranch?.(lantern, wanted()), 'main');
		await api.setDefaultBranch?.(lantern, 'next', wanted());
		assert.equal(await api.defaultBranch?.(lantern, wanted()), 'next');
	});
});
