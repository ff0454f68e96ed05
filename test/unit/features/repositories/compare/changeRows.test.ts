import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { TreeNode } from '../../../../../src/editor/trees/treeNode.ts';
import type { Commit } from 'sourcehut/port/repository.ts';
import { comparedWorld, type ComparedWorld } from '../support/comparedWorld.ts';
import { makeCommit, quill } from '../../../../support/fakeRepositories.ts';
import { resetStub } from '../../../../support/vscodeValues.ts';

const { commitRow } = await import('../../../../../src/features/repositories/tree/repositoryTree.ts');

const never = new AbortController().signal;
const nowMs = Date.UTC(2026, 10, 20);

suite('rows of changed files', () => {
	let world: ComparedWorld;

	setup(() => {
		resetStub();
		world = comparedWorld();
	});

	async function rowsOf(commit: Commit): Promise<readonly TreeNode[]> {
		const [connection] = world.parts.connections.all();
		assert.ok(connection);
		world.fake.world.logs.set(`~alice/quill ${commit.id}`, [commit]);
		const top: TreeNode = { id: 'commits', item: {}, parent: undefined, subject: undefined };
		const row = commitRow({ connection, ref: quill }, commit, top, () => nowMs);
		const rows = (await row.children?.(never)) ?? [];
		assert.ok(rows.every(({ parent }) => parent?.id === row.id));
		assert.equal(new Set(rows.map(({ id }) => id)).size, rows.length);
		return rows;
	}

	const shown = ({ item }: TreeNode): unknown => [item.label, item.description];

	test('show file, folder and kind, and open the change', async () => {
		const { first, second } = world;
		const rows = await rowsOf(second);
		assert.deepEqual(rows.map(shown), [
			['README.md', 'M'],
			['added.txt', 'A'],
			['gone.txt', 'D'],
			['name.txt', 'R · ← old.txt'],
		]);
		const subject = {
			kind: 'change',
			connectionKey: 'alice.sample',
			ref: quill,
			before: first.id,
			after: second.id,
			path: 'new/name.txt',
		};
		assert.deepEqual(rows[3]?.subject, subject);
		assert.deepEqual(rows[3]?.item.command?.arguments, [subject]);
		assert.deepEqual(rows[2]?.subject, { ...subject, path: 'gone.txt', isGone: true });
		assert.equal(rows[2]?.item.resourceUri?.path, `/~alice/quill@${first.id}/gone.txt`);
		assert.equal(rows[3]?.item.accessibilityInformation?.label, 'new/name.txt, renamed from old.txt');
	});

	test('list all files for the first commit', async () => {
		assert.deepEqual((await rowsOf(world.first)).map(shown).at(-1), ['main.c', 'A · src']);
	});

	test('name the compared parent for a merge', async () => {
		const { merge, second } = world;
		const rows = await rowsOf(merge);
		assert.deepEqual(rows.map(shown), [
			[`Merge: compared with the first parent ${second.id.slice(0, 7)}`, undefined],
			['feature.txt', 'A'],
		]);
	});

	test('say when a commit changes nothing', async () => {
		const { second } = world;
		const rows = await rowsOf(makeCommit(904, { tree: second.tree, parents: [second.id] }));
		assert.deepEqual(rows.map(shown), [['No files changed', undefined]]);
	});

	test('stop at the limit of the view, and count names that cannot open', async () => {
		const { fake } = world;
		const files = Object.fromEntries(Array.from({ length: 1001 }, (_, at) => [`f${at}`, 'x']));
		const rows = await rowsOf(makeCommit(905, { tree: fake.world.grow({ ...files, '.git': 'x' }) }));
		assert.equal(rows.length, 1002);
		assert.deepEqual(
			rows.slice(-2).map(({ item }) => item.label),
			['Only the first 1000 are shown', '1 more cannot be opened: invalid file name'],
		);
	});

	test('write out invisible characters in names', async () => {
		const { fake } = world;
		const [row] = await rowsOf(makeCommit(906, { tree: fake.world.grow({ 'evil\u202Egnp.exe': 'x' }) }));
		assert.equal(row?.item.label, 'evil⟨U+202E⟩gnp.exe');
	});
});
