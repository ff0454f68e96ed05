import assert from 'node:assert/strict';
import { searchBudget, type SearchBudget } from '../../../../src/store/repositories/history/historyReads.ts';
import type { FileFinder } from '../../../../src/store/wholeFiles/fileFinder.ts';
import { FoundFiles } from '../../../../src/store/wholeFiles/seriesFiles.ts';
import { fake } from '../../../support/fake.ts';
import { wantedKey, type FoundFile, type Missing, type WantedFile } from '../../../../src/store/wholeFiles/preImage.ts';

const never = new AbortController().signal;

function wanted(path: string): WantedFile {
	return { path, id: undefined, isInLog: true };
}

/** A search that waits for `go`, which spends up to this many requests. */
interface Search {
	readonly paths: readonly string[];
	go(requests: number): number;
	/** Ends the search; by default the budget is exhausted. */
	end(missing?: Missing): void;
}

/** A finder controlled by the test; it finds nothing. */
function drivenFinder() {
	const searches: Search[] = [];
	const finder = fake<FileFinder>({
		async find(all, budget, signal) {
			const ended = Promise.withResolvers<Missing>();
			searches.push({
				paths: all.map(({ path }) => path),
				go: (requests) => spendUpTo(requests, budget, signal),
				end: (missing = 'budget') => ended.resolve(missing),
			});
			const missing = await ended.promise;
			signal.throwIfAborted();
			return new Map(all.map((each): [string, FoundFile] => [wantedKey(each), { kind: 'none', missing }]));
		},
	});
	return { searches, found: new FoundFiles(finder) };
}

function spendUpTo(most: number, budget: SearchBudget, signal: AbortSignal): number {
	const count = Math.min(most, budget.left());
	Array.from({ length: count }).forEach(() => budget.spend(signal));
	return count;
}

async function begun(searches: readonly Search[], at: number): Promise<Search> {
	for (let turn = 0; turn < 100; turn += 1) {
		const search = searches[at];
		if (search) {
			return search;
		}
		await Promise.resolve();
	}
	return assert.fail(`search ${at} has not begun`);
}

suite('shared file search', () => {
	test('charges each caller, and the largest budget sets the limit', async () => {
		const { searches, found } = drivenFinder();
		const [large, small] = [searchBudget(60), searchBudget(20)];
		const both = [found.all([wanted('a')], large, never), found.all([wanted('b')], small, never)];
		const search = await begun(searches, 0);
		assert.deepEqual(search.paths, ['a', 'b']);
		assert.equal(search.go(30), 30);
		assert.deepEqual([large.left(), small.left()], [30, 0]);
		assert.equal(search.go(100), 30);
		search.end();
		await Promise.all(both);
		assert.deepEqual([large.left(), small.left()], [0, 0]);
	});

	test('skips files of a caller that left before it began, and charges that caller nothing', async () => {
		for (const leaves of ['while it waits', 'before']) {
			const { searches, found } = drivenFinder();
			const first = found.all([wanted('first')], searchBudget(60), never);
			const running = await begun(searches, 0);
			const leaving = new AbortController();
			const [left, stays] = [searchBudget(60), searchBudget(5)];
			if (leaves === 'before') {
				leaving.abort();
			}
			const gone = found.all([wanted('gone')], left, leaving.signal);
			const there = found.all([wanted('there')], stays, never);
			leaving.abort();
			await assert.rejects(gone, { name: 'AbortError' });
			running.end();
			await first;
			const next = await begun(searches, 1);
			assert.deepEqual(next.paths, ['there'], leaves);
			assert.equal(next.go(100), 5, leaves);
			next.end();
			await there;
			assert.deepEqual([left.left(), stays.left()], [60, 0], leaves);
		}
	});

	test('forgets files of callers that left before the next one arrives', async () => {
		const { searches, found } = drivenFinder();
		const first = found.all([wanted('first')], searchBudget(60), never);
		const running = await begun(searches, 0);
		const leaving = new AbortController();
		const gone = found.all([wanted('gone')], searchBudget(60), leaving.signal);
		leaving.abort();
		await assert.rejects(gone, { name: 'AbortError' });
		running.end();
		await first;
		const budget = searchBudget(5);
		const there = found.all([wanted('there')], budget, never);
		const next = await begun(searches, 1);
		assert.deepEqual(next.paths, ['there']);
		assert.equal(next.go(100), 5);
		next.end();
		await there;
	});

	test('stops at the budget of the remaining callers after one leaves', async () => {
		const { searches, found } = drivenFinder();
		const leaving = new AbortController();
		const [left, stays] = [searchBudget(60), searchBudget(20)];
		const gone = found.all([wanted('gone')], left, leaving.signal);
		const there = found.all([wanted('there')], stays, never);
		const search = await begun(searches, 0);
		assert.equal(search.go(15), 15);
		leaving.abort();
		await assert.rejects(gone, { name: 'AbortError' });
		assert.equal(search.go(100), 5);
		search.end();
		await there;
		assert.deepEqual([left.left(), stays.left()], [45, 0]);
	});

	test('charges a caller once for several waits, even after one of them ends', async () => {
		const { searches, found } = drivenFinder();
		const leaving = new AbortController();
		const budget = searchBudget(60);
		const gone = found.all([wanted('gone')], budget, leaving.signal);
		const there = found.all([wanted('there')], budget, never);
		const search = await begun(searches, 0);
		assert.equal(search.go(10), 10);
		assert.equal(budget.left(), 50);
		leaving.abort();
		await assert.rejects(gone, { name: 'AbortError' });
		assert.equal(search.go(10), 10);
		assert.equal(budget.left(), 40);
		search.end();
		await there;
	});

	test('continues for a caller with budget when another one runs out', async () => {
		const { searches, found } = drivenFinder();
		const [spent, fresh] = [searchBudget(5), searchBudget(60)];
		const first = found.all([wanted('a')], spent, never);
		const running = await begun(searches, 0);
		const second = found.all([wanted('a')], fresh, never);
		assert.equal(running.go(100), 5);
		running.end();
		await first;
		const next = await begun(searches, 1);
		assert.deepEqual(next.paths, ['a']);
		assert.equal(next.go(7), 7);
		next.end();
		await second;
		assert.deepEqual([spent.left(), fresh.left()], [0, 53]);
	});

	test('continues for a later caller with budget after another one runs out', async () => {
		for (const ask of ['one', 'all'] as const) {
			const { searches, found } = drivenFinder();
			const [spent, fresh] = [searchBudget(5), searchBudget(60)];
			const first = found.all([wanted('a')], spent, never);
			const running = await begun(searches, 0);
			// Another search runs meanwhile and reaches the same file later.
			const other = found.all([wanted('b')], fresh, never);
			assert.equal(running.go(100), 5);
			running.end();
			await first;
			(await begun(searches, 1)).end('notThere');
			await other;
			const later = ask === 'one' ? found.one(wanted('a'), fresh, never) : found.all([wanted('a')], fresh, never);
			const next = await begun(searches, 2);
			assert.deepEqual(next.paths, ['a'], ask);
			assert.equal(next.go(7), 7, ask);
			next.end();
			await later;
			assert.deepEqual([spent.left(), fresh.left()], [0, 53], ask);
			// No search repeats: the few requests left were reserved for contents.
			for (const told of [spent, fresh]) {
				assert.deepEqual(await found.one(wanted('a'), told, never), { kind: 'none', missing: 'budget' });
			}
			assert.equal(searches.length, 3);
		}
	});
});
