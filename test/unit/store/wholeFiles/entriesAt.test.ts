import assert from 'node:assert/strict';
import type { Tree, TreeEntry } from 'sourcehut/port/repository.ts';
import {
	limitedReads,
	searchBudget,
	type HistorySource,
} from '../../../../src/store/repositories/history/historyReads.ts';
import { readEntry } from '../../../../src/store/repositories/repositoryEntries.ts';
import { entriesAt } from '../../../../src/store/wholeFiles/logSearch.ts';

const never = new AbortController().signal;
const commit = { id: 'c0ffee', tree: 'root' };

function entry(name: string, id: string, type: TreeEntry['type'] = 'blob'): TreeEntry {
	return { name, id, type, mode: type === 'tree' ? 0o40_000 : 0o100_644 };
}

const trees = new Map<string, readonly TreeEntry[]>([
	['root', [entry('README', 'r1'), entry('src', 'src1', 'tree'), entry('doc', 'doc1', 'tree')]],
	['src1', [entry('a.c', 'a1'), entry('b.c', 'b1')]],
	['doc1', [entry('man', 'm1')]],
]);

function treeOf(id: string): Tree {
	return { id, shortId: id, entries: trees.get(id) ?? assert.fail(id) };
}

/** A repository with some stored trees, and a log of its requests. */
function source(kept: readonly string[], tellsPaths: boolean): HistorySource & { readonly asked: string[] } {
	const asked: string[] = [];
	return {
		asked,
		knownCommit: () => undefined,
		commit: () => assert.fail('No commit is asked for'),
		keptTree: async (id) => (kept.includes(id) ? treeOf(id) : undefined),
		async tree(id) {
			asked.push(id);
			return treeOf(id);
		},
		entries: tellsPaths
			? async (id, paths) => {
					asked.push(`${id}: ${paths.join(' ')}`);
					return new Map(paths.includes('src/a.c') ? [['src/a.c', entry('a.c', 'a1')]] : []);
				}
			: undefined,
	};
}

const paths = ['README', 'src/a.c', 'src/none.c', 'doc/man'].map((path) => ({ path, steps: path.split('/') }));

async function found(
	of: HistorySource & { readonly asked: string[] },
	most: number,
): Promise<{ readonly ids: readonly string[]; readonly asked: readonly string[]; readonly left: number }> {
	const budget = searchBudget(most);
	const entries = await entriesAt(limitedReads(of, budget), commit, paths, never);
	return {
		ids: Array.from(entries, ([path, entry]) => `${path} ${readEntry(entry)?.id}`).toSorted(),
		asked: of.asked,
		left: budget.left(),
	};
}

suite('entries at paths of a commit', () => {
	test('come from trees, each read once', async () => {
		assert.deepEqual(await found(source([], false), 10), {
			ids: ['README r1', 'doc/man m1', 'src/a.c a1'],
			asked: ['root', 'src1', 'doc1'],
			left: 7,
		});
	});

	test('need one request if the forge resolves paths, except for stored trees', async () => {
		assert.deepEqual(await found(source(['root', 'doc1'], true), 10), {
			ids: ['README r1', 'doc/man m1', 'src/a.c a1'],
			asked: ['c0ffee: src/a.c src/none.c'],
			left: 9,
		});
		assert.deepEqual(await found(source(['root', 'doc1', 'src1'], true), 10), {
			ids: ['README r1', 'doc/man m1', 'src/a.c a1'],
			asked: [],
			left: 10,
		});
	});

	test('need one request per eight paths, and none beyond the budget', async () => {
		const many = Array.from({ length: 17 }, (_, at) => ({ path: `src/${at}`, steps: ['src', String(at)] }));
		const of = source([], true);
		const budget = searchBudget(3);
		await entriesAt(limitedReads(of, budget), commit, many, never);
		assert.equal(budget.left(), 0);
		await assert.rejects(entriesAt(limitedReads(of, budget), commit, paths, never), { name: 'AbortError' });
		assert.equal(of.asked.length, 1);
		assert.ok(budget.isSpent());
	});
});
