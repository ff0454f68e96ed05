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
			assert.deepEqual(await problemFrom(look), { kind: 'incomplete' });
		} else {
			assert.ok(count > names.length);
			assert.ok((await look).entries.length > names.length);
		}
	});
});
