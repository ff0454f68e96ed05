import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Tree, TreeEntry } from '../../../src/forge/repository.ts';
import { compareLimits, compareTrees, type CompareParts } from '../../../src/git/compareTrees.ts';
import { provenBy } from '../../../src/git/objectId.ts';
import { treeBytes } from '../../../src/git/treeBytes.ts';
import type { Leaf, TreeChange } from '../../../src/git/treeChange.ts';
import { createRandom } from '../../../src/sampleForge/random.ts';
import { counts, seed } from '../../support/counts.ts';
import { makeHistory, treesOf, type MadeCommit } from '../../support/madeHistory.ts';
import { gitIn } from '../../support/patchMakerGit.ts';

const never = new AbortController().signal;

suite('comparing trees', function () {
	// Git is started for every commit.
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

	function parts(before: string | undefined, after: string | undefined, asked: string[] = []): CompareParts {
		return {
			before,
			after,
			limits: compareLimits,
			async read(id) {
				asked.push(id);
				await Promise.resolve();
				const tree = trees.get(id);
				assert.ok(tree, id);
				return tree;
			},
		};
	}

	test('every tree is proven by its own id', () => {
		for (const [id, tree] of trees) {
			assert.equal(provenBy(id, 'tree', treeBytes(tree) ?? Buffer.from('')), 'same');
		}
	});

	test('each commit against each of its parents is what git diff-tree says', async () => {
		let renames = 0;
		let merges = 0;
		for (const { id, tree, parents } of commits) {
			merges += Number(parents.length > 1);
			for (const parent of parents.length === 0 ? [undefined] : parents) {
				const said = gitChanges(folder, parent, id);
				const { changes, leftOut, refused } = await compareTrees(
					parts(parent === undefined ? undefined : treeOf.get(parent), tree),
					never,
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

	test('each tree is asked for once, and only where the ids differ', async () => {
		for (const { tree, parents } of commits) {
			for (const parent of parents) {
				const asked: string[] = [];
				await compareTrees(parts(treeOf.get(parent), tree, asked), never);
				assert.equal(new Set(asked).size, asked.length);
				assert.deepEqual(new Set(asked), differing(trees, treeOf.get(parent), tree));
			}
		}
	});

	test('the same tree is asked for nothing', async () => {
		const asked: string[] = [];
		const [first] = commits;
		const { changes } = await compareTrees(parts(first?.tree, first?.tree, asked), never);
		assert.deepEqual([changes, asked], [[], []]);
	});
});

suite('comparing hostile trees', () => {
	const id = (number: number): string => number.toString(16).padStart(40, '0');
	const file = (name: string, number: number): TreeEntry => ({ name, id: id(number), type: 'blob', mode: 33188 });
	const folderAt = (name: string, number: number): TreeEntry => ({ name, id: id(number), type: 'tree', mode: 16384 });

	function compare(after: readonly TreeEntry[], limits = compareLimits): ReturnType<typeof compareTrees> {
		const read = (asked: string): Promise<Tree> =>
			Promise.resolve({ id: asked, shortId: asked.slice(0, 7), entries: after });
		return compareTrees({ before: undefined, after: id(1), read, limits }, never);
	}

	test('names that are none, and a name that is there twice, are counted and lead nowhere', async () => {
		const names = ['..', '.', '', 'a/b', 'a\0b', 'twice', 'twice'];
		const { changes, refused } = await compare(names.map((name, index) => file(name, index + 2)));
		assert.deepEqual(
			changes.map((change) => change.kind === 'added' && change.after),
			[{ path: 'twice', id: id(7), mode: 33188 }],
		);
		assert.equal(refused, 6);
	});

	test('a folder that holds itself ends at the depth that is allowed', async () => {
		const { leftOut, changes } = await compare([folderAt('again', 1), file('x', 2)]);
		assert.equal(leftOut, 'tooDeep');
		assert.equal(changes.length, compareLimits.depth + 1);
	});

	test('a folder that holds itself twice ends at the number that is allowed', async () => {
		const limits = { ...compareLimits, changes: 1000 };
		const { leftOut, changes } = await compare([folderAt('one', 1), folderAt('two', 1), file('x', 2)], limits);
		assert.equal(leftOut, 'tooMany');
		assert.equal(changes.length, 1000);
	});

	test('no more trees are read than allowed', async () => {
		let reads = 0;
		const read = (asked: string): Promise<Tree> => {
			reads += 1;
			const entries = [folderAt('a', reads * 2 + 10), folderAt('b', reads * 2 + 11), file('x', 2)];
			return Promise.resolve({ id: asked, shortId: '', entries });
		};
		const limits = { ...compareLimits, trees: 100 };
		const { leftOut } = await compareTrees({ before: undefined, after: id(1), read, limits }, never);
		assert.equal(leftOut, 'tooMany');
		assert.ok(reads <= 100, String(reads));
	});

	test('an unreadable tree fails the whole, and what is under way is given up', async () => {
		const given: AbortSignal[] = [];
		const read = (asked: string, signal: AbortSignal): Promise<Tree> => {
			given.push(signal);
			return asked === id(1)
				? Promise.resolve({ id: asked, shortId: '', entries: [folderAt('a', 5), folderAt('b', 6)] })
				: asked === id(5)
					? Promise.reject(new Error('gone'))
					: new Promise(() => undefined);
		};
		await assert.rejects(compareTrees({ before: undefined, after: id(1), read, limits: compareLimits }, never), /gone/);
		assert.ok(given.every((signal) => signal.aborted));
	});
});

/** Ids of folders that stand at one path with different ids. */
function differing(
	trees: ReadonlyMap<string, Tree>,
	before: string | undefined,
	after: string | undefined,
): ReadonlySet<string> {
	const ids = new Set<string>();
	const visit = (one: string | undefined, other: string | undefined): void => {
		if (one === other) {
			return;
		}
		const [was, is] = [one, other].map((id) => {
			if (id !== undefined) {
				ids.add(id);
			}
			const all = trees.get(id ?? '')?.entries.filter(({ type }) => type === 'tree') ?? [];
			return new Map(all.map((entry) => [entry.name, entry.id]));
		});
		new Set([...(was?.keys() ?? []), ...(is?.keys() ?? [])]).forEach((name) => visit(was?.get(name), is?.get(name)));
	};
	visit(before, after);
	return ids;
}

/** What git itself says; modes are octal there. */
function gitChanges(folder: string, before: string | undefined, after: string): readonly TreeChange[] {
	const range = before === undefined ? ['--root', after] : [before, after];
	const fields = gitIn(folder, ['diff-tree', '-r', '-M100%', '-l0', '-z', '--no-commit-id', ...range])
		.toString()
		.split('\0');
	const changes: TreeChange[] = [];
	for (let at = 0; at + 1 < fields.length;) {
		const [modeBefore = '', modeAfter = '', idBefore = '', idAfter = '', status = ''] = (fields[at] ?? '')
			.slice(1)
			.split(' ');
		const [path = '', second = ''] = fields.slice(at + 1);
		const leaf = (where: string, id: string, mode: string): Leaf => ({
			path: where,
			id,
			mode: Number.parseInt(mode, 8),
		});
		const [was, is] = [leaf(path, idBefore, modeBefore), leaf(path, idAfter, modeAfter)];
		at += 2;
		switch (status.slice(0, 1)) {
			case 'A':
				changes.push({ kind: 'added', after: is });
				break;
			case 'D':
				changes.push({ kind: 'deleted', before: was });
				break;
			case 'M':
				changes.push({ kind: 'modified', before: was, after: is });
				break;
			case 'T':
				changes.push({ kind: 'typeChanged', before: was, after: is });
				break;
			default:
				assert.equal(status, 'R100');
				changes.push({ kind: 'renamed', before: was, after: { ...is, path: second } });
				at += 1;
		}
	}
	return changes;
}

/** Which of several deleted paths of one content a renaming takes is free, so those are told apart by content alone. */
function withoutSources(changes: readonly TreeChange[]): readonly string[] {
	const told = changes.map((change) =>
		JSON.stringify(
			change.kind === 'renamed'
				? { ...change, before: { id: change.before.id } }
				: change.kind === 'deleted'
					? { kind: change.kind, id: change.before.id }
					: change,
		),
	);
	return told.toSorted();
}

/** Every path that is gone, whatever became of it. */
function sourcesOf(changes: readonly TreeChange[]): readonly string[] {
	return changes
		.flatMap((change) =>
			change.kind === 'renamed' || change.kind === 'deleted' ? [JSON.stringify(change.before)] : [],
		)
		.toSorted();
}
