import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Commit } from 'sourcehut/port/repository.ts';
import { createRandom } from '../../../../support/random.ts';
import { mergeBases, type MergeBases } from '../../../../../src/store/repositories/history/mergeBases.ts';
import { counts, seed } from '../../../../support/counts.ts';
import { idOf, makeCommit } from '../../../../support/fakeRepositories.ts';
import { historySource, type MadeSource } from '../../../../support/historySource.ts';
import { crossedMerges, makeHistory, type MadeCommit } from '../../../../support/madeHistory.ts';
import { runCases } from '../../../../support/shellCases.ts';

const never = new AbortController().signal;

suite('where commits parted', function () {
	this.timeout(120_000);
	const folder = mkdtempSync(join(tmpdir(), 'forge-desk-bases-'));
	const random = createRandom(seed() + 1);
	let commits: readonly MadeCommit[] = [];
	let source: MadeSource;

	suiteSetup(() => {
		commits = makeHistory(folder, random, counts({ small: 80, full: 400 }));
		source = historySource(folder);
	});
	suiteTeardown(() => rmSync(folder, { recursive: true, force: true }));

	test('is what git merge-base names, all of them', async () => {
		const one = (): string => commits[random.below(commits.length)]?.id ?? '';
		const some = Array.from({ length: counts({ small: 80, full: 1000 }) }, () => [one(), one()] as const);
		const pairs = [crossedMerges(commits), ...some];
		const all = basesByGit(pairs);
		for (const [at, pair] of pairs.entries()) {
			const said = all[at] ?? [];
			const found = await mergeBases(source, pair, 1000, never);
			assert.deepEqual(found.kind === 'found' ? found.ids.toSorted() : [], said, pair.join(' '));
		}
		assert.equal(all[0]?.length, 2);
	});

	/** None where histories never met. */
	function basesByGit(pairs: readonly (readonly [string, string])[]): readonly (readonly string[])[] {
		const cases = pairs.map((pair) => ({ pair: pair.join(' ') }));
		return runCases(`git --git-dir='${folder}' merge-base --all $(cat pair)`, cases).map(({ status, stdout }) =>
			status === 0 ? stdout.toString().trim().split('\n').toSorted() : [],
		);
	}
});

suite('where commits parted, in a made-up world', () => {
	/** Rows of `child parent…` by number; times as given, newest first otherwise. */
	function world(
		rows: readonly (readonly [number, ...number[]])[],
		timeOf: (number: number) => number = (number) => number,
	): (requests: number, first: number, second: number) => Promise<MergeBases> {
		const commits = new Map<string, Commit>();
		for (const [number, ...parents] of rows) {
			const commit = makeCommit(number, { parents: parents.map(idOf), timestampMs: timeOf(number) });
			commits.set(commit.id, commit);
		}
		return async (requests, first, second) => {
			const known = new Map<string, Commit>();
			const source = {
				knownCommit: (id: string) => known.get(id),
				async commit(id: string) {
					await Promise.resolve();
					const commit = commits.get(id);
					assert.ok(commit, id);
					known.set(id, commit);
					return commit;
				},
			};
			return mergeBases(source, [idOf(first), idOf(second)], requests, never);
		};
	}

	const fork = [[5, 3], [4, 2], [3, 1], [2, 1], [1]] as const;

	test('both, when one is behind the other or they are one', async () => {
		const bases = world(fork);
		assert.deepEqual(await bases(9, 5, 1), { kind: 'found', ids: [idOf(1)] });
		assert.deepEqual(await bases(9, 1, 5), { kind: 'found', ids: [idOf(1)] });
		assert.deepEqual(await bases(9, 4, 4), { kind: 'found', ids: [idOf(4)] });
	});

	test('clocks that go wrong change nothing', async () => {
		const backwards = world(fork, (number) => -number);
		assert.deepEqual(await backwards(9, 5, 4), { kind: 'found', ids: [idOf(1)] });
		// The better base 3 is older than 1, on which it builds, and comes last.
		const crossed = world([[6, 3, 1], [5, 3, 1], [3, 2], [2, 1], [1]], (number) => (number === 1 ? 9 : number));
		assert.deepEqual(await crossed(9, 6, 5), { kind: 'found', ids: [idOf(3)] });
	});

	test('histories that never met have none', async () => {
		assert.deepEqual(await world([[4, 2], [3, 1], [2], [1]])(9, 4, 3), { kind: 'none' });
	});

	test('no more requests are made than allowed, and that is told', async () => {
		const bases = world(fork);
		assert.deepEqual(await bases(4, 5, 4), { kind: 'tooFar' });
		assert.deepEqual(await bases(5, 5, 4), { kind: 'found', ids: [idOf(1)] });
	});

	test('a server that says that a commit is its own ancestor is not followed round and round', async () => {
		assert.deepEqual(
			await world([
				[3, 1],
				[2, 1],
				[1, 3],
			])(9, 3, 2),
			{ kind: 'found', ids: [idOf(1)] },
		);
	});

	test('an abort is an abort', async () => {
		const source = { knownCommit: () => undefined, commit: () => Promise.reject(new Error('asked')) };
		const commits = [idOf(1), idOf(2)] as const;
		await assert.rejects(mergeBases(source, commits, 9, AbortSignal.abort()), { name: 'AbortError' });
	});
});
