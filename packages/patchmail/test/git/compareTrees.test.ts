import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Tree, TreeEntry } from 'sourcehut/port/repository.ts';
import { compareLimits, compareTrees } from '../../src/git/compareTrees.ts';
import { provenBy } from '../../src/git/objectId.ts';
import { treeBytes } from '../../src/git/treeBytes.ts';
import { createRandom } from '../../../../test/support/random.ts';
import { counts, seed } from '../../../../test/support/counts.ts';
import { allGitChanges, differing, sourcesOf, withoutSources } from '../../../../test/support/gitChanges.ts';
import { makeHistory, treesOf, type MadeCommit } from '../../../../test/support/madeHistory.ts';

const never = new AbortController().signal;

suite('tree comparison', function () {
	this.timeout(120_000);
	const folder = mkdtempSync(join(tmpdir(), 'forge-desk-compare-'));
	let commits: readonly MadeCommit[] = [];
	let trees: ReadonlyMap<string, Tree> = new Map();
	const treeOf = new Map<string, string>();

	suiteSetup(() => {
		commits = makeHistory(folder, createRandom(seed()), counts({ small: 80, full: 1500 }));
		trees = treesOf(folder);
		commits.forEach(({ id, tree }) => treeOf.set(id, tree));
	});
	suiteTeardown(() => rmSync(folder, { recursive: true, force: true }));

	function compared(before: string | undefined, after: string | undefined, asked: string[] = []) {
		const read = async (id: string): Promise<Tree> => {
			asked.push(id);
			await Promise.resolve();
			const tree = trees.get(id);
			assert.ok(tree, id);
			return tree;
		};
		return compareTrees(before, after, read, compareLimits, never);
	}

	test('every tree matches its own id', () => {
		for (const [id, tree] of trees) {
			assert.equal(provenBy(id, 'tree', treeBytes(tree) ?? Buffer.from('')), 'same');
		}
	});

	test('finds the same changes as git diff-tree between each commit and its parents', async () => {
		let renames = 0;
		let merges = 0;
		const pairs = commits.flatMap(({ id, parents }) =>
			(parents.length === 0 ? [undefined] : parents).map((before) => ({ before, after: id })),
		);
		const all = allGitChanges(folder, pairs).values();
		for (const { id, tree, parents } of commits) {
			merges += Number(parents.length > 1);
			for (const parent of parents.length === 0 ? [undefined] : parents) {
				const said = all.next().value ?? [];
				const { changes, leftOut, refused } = await compared(
					parent === undefined ? undefined : treeOf.get(parent),
					tree,
				);
				assert.deepEqual([leftOut, refused], [undefined, 0]);
				assert.deepEqual(withoutSources(changes), withoutSources(said), `${parent} ${id}`);
				assert.deepEqual(sourcesOf(changes), sourcesOf(said), `${parent} ${id}`);
				renames += changes.filter(({ kind }) => kind === 'renamed').length;
			}
		}
		assert.ok(renames > commits.length / 10, `${renames} renames`);
		assert.ok(merges > commits.length / 20, `${merges} merges`);
	});

	test('reads each tree once, and only where the ids differ', async () => {
		for (const { tree, parents } of commits) {
			for (const parent of parents) {
				const asked: string[] = [];
				await compared(treeOf.get(parent), tree, asked);
				assert.equal(new Set(asked).size, asked.length);
				assert.deepEqual(new Set(asked), differing(trees, treeOf.get(parent), tree));
			}
		}
	});

	test('reads nothing to compare a tree with itself', async () => {
		const asked: string[] = [];
		const [first] = commits;
		const { changes } = await compared(first?.tree, first?.tree, asked);
		assert.deepEqual([changes, asked], [[], []]);
	});
});

suite('hostile tree comparison', () => {
	const id = (number: number): string => number.toString(16).padStart(40, '0');
	const file = (name: string, number: number): TreeEntry => ({ name, id: id(number), type: 'blob', mode: 33188 });
	const folderAt = (name: string, number: number): TreeEntry => ({ name, id: id(number), type: 'tree', mode: 16384 });

	function compare(after: readonly TreeEntry[], limits = compareLimits): ReturnType<typeof compareTrees> {
		const read = (asked: string): Promise<Tree> =>
			Promise.resolve({ id: asked, shortId: asked.slice(0, 7), entries: after });
		return compareTrees(undefined, id(1), read, limits, never);
	}

	test('counts and skips invalid and duplicate names', async () => {
		const names = ['..', '.', '', 'a/b', 'a\0b', 'twice', 'twice'];
		const { changes, refused } = await compare(names.map((name, index) => file(name, index + 2)));
		assert.deepEqual(
			changes.map((change) => change.kind === 'added' && change.after),
			[{ path: 'twice', id: id(7), mode: 33188 }],
		);
		assert.equal(refused, 6);
	});

	test('stops at the depth limit in a folder that contains itself', async () => {
		const { leftOut, changes } = await compare([folderAt('again', 1), file('x', 2)]);
		assert.equal(leftOut, 'tooDeep');
		assert.equal(changes.length, compareLimits.depth + 1);
	});

	test('stops at the change limit in a folder that contains itself twice', async () => {
		const limits = { ...compareLimits, changes: 1000 };
		const { leftOut, changes } = await compare([folderAt('one', 1), folderAt('two', 1), file('x', 2)], limits);
		assert.equal(leftOut, 'tooMany');
		assert.equal(changes.length, 1000);
	});

	test('stops at the tree limit in a folder that contains nothing but itself twice', async () => {
		const { leftOut, changes } = await compare([folderAt('one', 1), folderAt('two', 1)]);
		assert.deepEqual([leftOut, changes], ['tooMany', []]);
	});

	test('stops at the entry limit and aborts pending reads', async () => {
		let given = 0;
		const many = Array.from({ length: 60 }, (_, at) => file('twice', at + 100));
		const read = (asked: string, signal: AbortSignal): Promise<Tree> => {
			signal.addEventListener('abort', () => (given += 1));
			const below = Array.from({ length: 8 }, (_, at) => folderAt(`d${at}`, at + 10));
			const entries = asked === id(1) ? below : many;
			return asked === id(14)
				? new Promise((_, reject) => {
						signal.addEventListener('abort', () => reject(new DOMException('', 'AbortError')));
					})
				: Promise.resolve({ id: asked, shortId: '', entries });
		};
		const limits = { ...compareLimits, entries: 200 };
		const { leftOut, changes } = await compareTrees(undefined, id(1), read, limits, never);
		assert.deepEqual([leftOut, changes.length], ['tooMany', 3]);
		assert.ok(given > 0);
	});

	test('reads no subtrees after the entry limit', async () => {
		const asked: string[] = [];
		const filling = Array.from({ length: 60 }, (_, at) => file(`f${at}`, at + 100));
		const read = (at: string): Promise<Tree> => {
			asked.push(at);
			const below = Array.from({ length: 4 }, (_, index) => folderAt(`d${index}`, asked.length * 10 + index));
			return Promise.resolve({ id: at, shortId: '', entries: asked.length === 1 ? below : [...below, ...filling] });
		};
		const limits = { ...compareLimits, entries: 100, inFlight: 1 };
		const { leftOut } = await compareTrees(undefined, id(1), read, limits, never);
		assert.deepEqual([leftOut, asked.length], ['tooMany', 3]);
	});

	test('reads no more trees than the limit', async () => {
		let reads = 0;
		const read = (asked: string): Promise<Tree> => {
			reads += 1;
			const entries = [folderAt('a', reads * 2 + 10), folderAt('b', reads * 2 + 11), file('x', 2)];
			return Promise.resolve({ id: asked, shortId: '', entries });
		};
		const limits = { ...compareLimits, trees: 100 };
		const { leftOut } = await compareTrees(undefined, id(1), read, limits, never);
		assert.equal(leftOut, 'tooMany');
		assert.ok(reads <= 100, String(reads));
	});

	test('rejects an unreadable tree and aborts pending reads', async () => {
		const given: AbortSignal[] = [];
		const read = (asked: string, signal: AbortSignal): Promise<Tree> => {
			given.push(signal);
			return asked === id(1)
				? Promise.resolve({ id: asked, shortId: '', entries: [folderAt('a', 5), folderAt('b', 6)] })
				: asked === id(5)
					? Promise.reject(new Error('gone'))
					: new Promise(() => undefined);
		};
		await assert.rejects(compareTrees(undefined, id(1), read, compareLimits, never), /gone/);
		assert.ok(given.every((signal) => signal.aborted));
	});
});
