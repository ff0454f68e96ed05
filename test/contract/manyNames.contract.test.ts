import assert from 'node:assert/strict';
import { agedProtocolSuite, allPages, problemFrom, wanted } from '../support/contractForge.ts';
import { pushToForge } from '../support/pushToForge.ts';

const many = { owner: '~alice', name: 'many' };

// A separate forge, because the test changes it.
agedProtocolSuite('repositories with many names', { files: 12, firstIn: 'graphql' }, ({ dialect, forge }) => {
	const names = Array.from({ length: 60 }, (_, number) => `n${String(number).padStart(2, '0')}`);

	suiteSetup(() => {
		const files = Object.fromEntries(names.map((name) => [name, name]));
		pushToForge(forge().sample, { repository: 'many', branch: 'master', message: 'Names', files, tags: names });
	});

	test('the client lists all references and entries', async () => {
		const { repositories } = forge().as('bob');
		const pages = await allPages(repositories.references(many, wanted()));
		const listed = new Set(pages.flatMap(({ items }) => items.map(({ name }) => name)));
		assert.ok(names.every((name) => listed.has(`refs/tags/${name}`)));
		assert.equal(pages.at(-1)?.completeness.kind, dialect === 'document' ? 'unstated' : 'complete');
		const { entries } = await repositories.tree(many, undefined, wanted());
		const inFolder = new Set(entries.map(({ name }) => name));
		assert.ok(names.every((name) => inFolder.has(name)));
	});

	test('the client reads an empty repository and one without its default branch', async () => {
		const scratch = { owner: '~alice', name: 'scratch' };
		const { repositories } = forge().as('alice');
		const references = async (): Promise<readonly string[]> =>
			(await allPages(repositories.references(scratch, wanted()))).flatMap(({ items }) =>
				items.map(({ name }) => name),
			);
		assert.deepEqual(await references(), []);
		pushToForge(forge().sample, {
			repository: 'scratch',
			branch: 'other',
			isNewBranch: true,
			message: 'Not the default',
			files: { a: 'a' },
			tags: ['v1'],
		});
		assert.deepEqual(await references(), ['refs/heads/other', 'refs/tags/v1']);
		assert.equal((await repositories.log(scratch, 'other', wanted()).next()).value?.items.length, 1);
		const targets = repositories.targets && (await allPages(repositories.targets(scratch, wanted())));
		assert.equal(targets?.[0]?.items.length ?? 2, 2);
	});

	test('a private repository lists everything, or the client marks the list as incomplete', async () => {
		const { repositories } = forge().as('alice');
		await repositories.update(many, { visibility: 'private' }, wanted());
		const pages = await allPages(repositories.references(many, wanted()));
		const count = pages.flatMap(({ items }) => items).length;
		const look = repositories.tree(many, undefined, wanted());
		if (dialect === 'graphql') {
			// The sample forge accepts no SSH key. Without a key, git reads only public repositories.
			assert.ok(count < names.length);
			assert.equal(pages.at(-1)?.completeness.kind, 'unstated');
			const problem = await problemFrom(look);
			assert.equal(problem.kind, 'incomplete');
			// Each of two page boundaries loses two names of the folder.
			const known = problem.known?.entries.map(({ name }) => name) ?? [];
			assert.ok(names.filter((name) => known.includes(name)).length >= names.length - 4);
		} else {
			assert.ok(count > names.length);
			assert.ok((await look).entries.length > names.length);
		}
	});
});
