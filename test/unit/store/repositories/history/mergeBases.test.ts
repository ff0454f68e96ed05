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

suite('merge bases', function () {
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

	test('equal all results of git merge-base', async () => {
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

	/** Empty for unrelated histories. */
	function basesByGit(pairs: readonly (readonly [string, string])[]): readonly (readonly string[])[] {
		const cases = pairs.map((pair) => ({ pair: pair.join(' ') }));
		return runCases(`git --git-dir='${folder}' merge-base --all $(cat pair)`, cases).map(({ status, stdout }) =>
			status === 0 ? stdout.toString().trim().split('\n').toSorted() : [],
		);
	}
});

suite('merge bases in a made-up history', () => {
	/** Rows of `child parent…` as numbers; by default the newest comes first. */
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

	test('include ancestors and equal commits', async () => {
		const bases = world(fork);
		assert.deepEqual(await bases(9, 5, 1), { kind: 'found', ids: [idOf(1)] });
		assert.deepEqual(await bases(9, 1, 5), { kind: 'found', ids: [idOf(1)] });
		assert.deepEqual(await bases(9, 4, 4), { kind: 'found', ids: [idOf(4)] });
	});

	test('do not depend on commit times', async () => {
		const backwards = world(fork, (number) => -number);
		assert.deepEqual(await backwards(9, 5, 4), { kind: 'found', ids: [idOf(1)] });
		// Base 3 is better and older than its parent 1, so it is found last.
		const crossed = world([[6, 3, 1], [5, 3, 1], [3, 2], [2, 1], [1]], (number) => (number === 1 ? 9 : number));
		assert.deepEqual(await crossed(9, 6, 5), { kind: 'found', ids: [idOf(3)] });
	});

	test('do not exist for unrelated histories', async () => {
		assert.deepEqual(await world([[4, 2], [3, 1], [2], [1]])(9, 4, 3), { kind: 'none' });
	});

	test('respect the request limit and report it', async () => {
		const bases = world(fork);
		assert.deepEqual(await bases(4, 5, 4), { kind: 'tooFar' });
		assert.deepEqual(await bases(5, 5, 4), { kind: 'found', ids: [idOf(1)] });
	});

	test('end at a cycle of parents', async () => {
		assert.deepEqual(
			await world([
				[3, 1],
				[2, 1],
				[1, 3],
			])(9, 3, 2),
			{ kind: 'found', ids: [idOf(1)] },
		);
	});

	test('reject with an AbortError after an abort', async () => {
		const source = { knownCommit: () => undefined, commit: () => Promise.reject(new Error('asked')) };
		const commits = [idOf(1), idOf(2)] as const;
		await assert.rejects(mergeBases(source, commits, 9, AbortSignal.abort()), { name: 'AbortError' });
	});
});
