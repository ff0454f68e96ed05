import assert from 'node:assert/strict';
import { agedProtocolSuite, allPages, problemFrom, wanted } from '../support/contractForge.ts';
import { pushToForge } from '../support/pushToForge.ts';

const many = { owner: '~alice', name: 'many' };

// A forge of its own, which is changed.
agedProtocolSuite('repositories with many names', { files: 12 }, ({ dialect, forge }) => {
	const names = Array.from({ length: 60 }, (_, number) => `n${String(number).padStart(2, '0')}`);

	suiteSetup(() => {
		const files = Object.fromEntries(names.map((name) => [name, name]));
		pushToForge(forge().sample, { repository: 'many', branch: 'master', message: 'Names', files, tags: names });
	});

	test('all references and entries come', async () => {
		const { repositories } = forge().as('bob');
		const pages = await allPages(repositories.references(many, wanted()));
		const listed = new Set(pages.flatMap(({ items }) => items.map(({ name }) => name)));
		assert.ok(names.every((name) => listed.has(`refs/tags/${name}`)));
		assert.equal(pages.at(-1)?.completeness.kind, dialect === 'document' ? 'unstated' : 'complete');
		const { entries } = await repositories.tree(many, undefined, wanted());
		const inFolder = new Set(entries.map(({ name }) => name));
		assert.ok(names.every((name) => inFolder.has(name)));
	});

	test('an empty repository is there, and so is one without its default branch', async () => {
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

	test('of what is private all come as well, or it is said that they do not', async () => {
		const { repositories } = forge().as('alice');
		await repositories.update(many, { visibility: 'private' }, wanted());
		const pages = await allPages(repositories.references(many, wanted()));
		const count = pages.flatMap(({ items }) => items).length;
		const look = repositories.tree(many, undefined, wanted());
		if (dialect === 'graphql') {
			// No key of ssh leads into the sample forge, and without one git reads what everybody may read.
			assert.ok(count < names.length);
			assert.equal(pages.at(-1)?.completeness.kind, 'unstated');
			const problem = await problemFrom(look);
			assert.equal(problem.kind, 'incomplete');
			// Of the names in the folder, two are lost at each of two page boundaries.
			const known = problem.known?.entries.map(({ name }) => name) ?? [];
			assert.ok(names.filter((name) => known.includes(name)).length >= names.length - 4);
		} else {
			assert.ok(count > names.length);
			assert.ok((await look).entries.length > names.length);
		}
	});
});
