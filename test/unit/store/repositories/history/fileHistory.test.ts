import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Commit } from 'sourcehut/port/repository.ts';
import { isRegular, type Leaf, type TreeChange } from 'patchmail/git/compareTrees.ts';
import { createRandom } from '../../../../support/random.ts';
import {
	fileHistory,
	historyLimits,
	type FileHistory,
	type HistoryEntry,
} from '../../../../../src/store/repositories/history/fileHistory.ts';
import type { HistorySource } from '../../../../../src/store/repositories/history/historyReads.ts';
import { counts, seed } from '../../../../support/counts.ts';
import { makeCommit } from '../../../../support/fakeRepositories.ts';
import { allGitChanges } from '../../../../support/gitChanges.ts';
import { historySource, type MadeSource } from '../../../../support/historySource.ts';
import { makeHistory, type MadeCommit } from '../../../../support/madeHistory.ts';
import { gitIn } from '../../../../support/patchMakerGit.ts';

const never = new AbortController().signal;
const untold = (): void => undefined;

/** A first-parent commit and the file paths that differ from its parent. */
interface Logged {
	readonly commit: string;
	readonly parent: string | undefined;
	readonly paths: readonly string[];
}

suite('file history', function () {
	this.timeout(120_000);
	const folder = mkdtempSync(join(tmpdir(), 'forge-desk-history-'));
	const random = createRandom(seed() + 2);
	let commits: readonly MadeCommit[] = [];
	let source: MadeSource;
	const logs = new Map<string, readonly Logged[]>();
	/** Changes of each commit against its first parent. */
	const changesOf = new Map<string, readonly TreeChange[]>();

	suiteSetup(() => {
		commits = makeHistory(folder, random, counts({ least: 90, small: 90, full: 600 }));
		source = historySource(folder);
		const pairs = commits.map(({ id, parents: [before] }) => ({ before, after: id }));
		allGitChanges(folder, pairs).forEach((changes, at) => changesOf.set(commits[at]?.id ?? '', changes));
	});
	setup(() => source.forget());
	suiteTeardown(() => rmSync(folder, { recursive: true, force: true }));

	function git(...args: readonly string[]): string {
		return gitIn(folder, ['--literal-pathspecs', ...args]).toString();
	}

	/** File and folder paths of a commit. */
	function pathsAt(commit: string, ...options: readonly string[]): readonly string[] {
		return git('ls-tree', '-r', '-z', '--name-only', ...options, commit)
			.split('\0')
			.filter((path) => path !== '');
	}

	/** The same list from one `git log` call per path. */
	function listedByGit(start: string, path: string): readonly string[] {
		// The other line of history may contain no commit for the path.
		return git('log', '--first-parent', '--format=%H', start, '--', path).split('\n').filter(Boolean);
	}

	/** Checks that filtering one log of all paths equals `git log` for a single path. */
	function assertSameLog(start: string, path: string): void {
		const some = loggedByGit(start).filter((logged) => touches(logged, path));
		assert.deepEqual(
			some.map(({ commit }) => commit),
			listedByGit(start, path),
		);
	}

	function historyOf(commit: string, path: string, limits = historyLimits): FileHistory {
		return fileHistory(source, { commit, steps: path.split('/') }, limits);
	}

	async function whole(history: FileHistory): Promise<readonly HistoryEntry[]> {
		while (!history.isWhole()) {
			await history.lookOn(never, untold);
		}
		return history.entries();
	}

	/** `git log --first-parent` with the paths of each commit. */
	function loggedByGit(start: string): readonly Logged[] {
		const known = logs.get(start);
		if (known !== undefined) {
			return known;
		}
		const args = ['log', '--first-parent', '-m', '--raw', '-r', '-z', '--no-renames', '--format=commit %H %P', start];
		const found: { commit: string; parent: string | undefined; paths: string[] }[] = [];
		for (const field of git(...args).split('\0')) {
			const [word = '', commit = '', parent] = field.trim().split(' ');
			if (word === 'commit') {
				found.push({ commit, parent, paths: [] });
			} else if (field !== '' && !/^\n?:\d{6} /.test(field)) {
				found.at(-1)?.paths.push(field);
			}
		}
		logs.set(start, found);
		return found;
	}

	/** Tests whether `git log -- path` would list the commit. */
	function touches({ paths }: Logged, path: string): boolean {
		return paths.some((each) => each === path || each.startsWith(`${path}/`));
	}

	/** Possible sources of a move to `path` according to git; empty without a move. */
	function sourcesByGit(commit: string, path: string): readonly string[] {
		const keyOf = (leaf: Leaf): string => (isRegular(leaf) ? leaf.id : `${leaf.id} ${leaf.mode}`);
		const changes = changesOf.get(commit) ?? [];
		const move = changes.find((change) => change.kind === 'renamed' && change.after.path === path);
		const gone = changes.flatMap((change) =>
			change.kind === 'renamed' || change.kind === 'deleted' ? [change.before] : [],
		);
		return move?.kind === 'renamed'
			? gone.filter((leaf) => keyOf(leaf) === keyOf(move.after)).map((leaf) => leaf.path)
			: [];
	}

	/**
	 * The history according to git: commits of `git log --first-parent` for the path, until `git diff-tree -r -M100% -l0`
	 * reports a move to it; then the same for the source path. `chosen` picks one of several sources.
	 */
	function byGit(
		start: string,
		first: string,
		chosen: (commit: string, path: string) => string | undefined,
	): readonly string[] {
		const listed: string[] = [];
		let path = first;
		for (const logged of loggedByGit(start)) {
			const { commit, parent } = logged;
			if (touches(logged, path)) {
				listed.push(`${commit} ${path}`);
				const sources = parent === undefined ? [] : sourcesByGit(commit, path);
				if (sources.length > 0) {
					const source = chosen(commit, path) ?? 'none';
					assert.ok(sources.includes(source), `${source} is none of ${sources.join()}`);
					path = source;
				}
			}
		}
		return listed;
	}

	function listedOf(entries: readonly HistoryEntry[], start: string): readonly string[] {
		let path = start;
		return entries.map(({ commit, before, after }) => {
			const listed = `${commit.id} ${path}`;
			assert.equal(after?.path ?? path, path);
			path = before?.path ?? path;
			return listed;
		});
	}

	test('lists the same commits as git and follows the same moves', async () => {
		let moves = 0;
		let gone = 0;
		const starts = [
			commits.at(-1)?.id ?? '',
			...Array.from({ length: 5 }, () => random.pick([commits[0], ...commits])),
		];
		for (const start of starts.map((each) => (typeof each === 'string' ? each : (each?.id ?? '')))) {
			const others = pathsAt(commits[random.below(commits.length)]?.id ?? '').slice(0, 5);
			const paths = new Set([...pathsAt(start).slice(0, 25), ...others]);
			assertSameLog(start, random.pick(['main.c', ...paths]));
			for (const path of paths) {
				const entries = await whole(historyOf(start, path));
				const cameFrom = new Map(
					entries.map(({ commit, before, after }) => [`${commit.id} ${after?.path}`, before?.path] as const),
				);
				const said = byGit(start, path, (commit, at) => cameFrom.get(`${commit} ${at}`));
				assert.deepEqual(listedOf(entries, path), said, `${path} from ${start}`);
				moves += entries.filter(({ before, after }) => before && after && before.path !== after.path).length;
				gone += entries.filter(({ after }) => !after).length;
			}
		}
		assert.ok(moves > 5 && gone > 5, `${moves} moves, ${gone} removals`);
	});

	test('of a folder lists the same commits as git', async () => {
		const start = commits.at(-1)?.id ?? '';
		const folders = pathsAt(start, '-d');
		assert.ok(folders.length > 3);
		assertSameLog(start, folders.at(-1) ?? '');
		for (const path of folders) {
			const said = loggedByGit(start).flatMap((logged) => (touches(logged, path) ? [logged.commit] : []));
			const found = await whole(historyOf(start, path));
			// Below the commit where the path stops being a folder, the history follows moves.
			const until = found.findIndex(({ before }) => before && before.path !== path);
			const same = until < 0 ? found.length : until;
			assert.deepEqual(
				found.slice(0, same).map(({ commit }) => commit.id),
				said.slice(0, same),
			);
			assert.ok(until >= 0 || said.length === found.length);
		}
	});

	test('requests each tree once and respects the request limit of each step', async () => {
		const start = commits.at(-1)?.id ?? '';
		const [path = ''] = pathsAt(start);
		const history = historyOf(start, path, { requests: 7, commits: 2000 });
		for (let look = 0; !history.isWhole(); look += 1) {
			const before = source.asked.length;
			await history.lookOn(never, untold);
			assert.ok(source.asked.length - before <= 7, `${source.asked.length - before} requests`);
			assert.ok(look < 200);
		}
		assert.equal(new Set(source.asked).size, source.asked.length);
		assert.ok(source.asked.length > 14, String(source.asked.length));
		const said = await whole(historyOf(start, path));
		assert.deepEqual(history.entries(), said);
	});

	test('needs no request for cached objects', async () => {
		const start = commits.at(-1)?.id ?? '';
		const [path = ''] = pathsAt(start);
		await whole(historyOf(start, path));
		const again = historyOf(start, path, { requests: 0, commits: 2000 });
		const before = source.asked.length;
		await again.lookOn(never, untold);
		assert.deepEqual([again.isWhole(), source.asked.length], [true, before]);
	});

	test('pauses after a number of commits and then continues', async () => {
		const start = commits.at(-1)?.id ?? '';
		const [path = ''] = pathsAt(start);
		const history = historyOf(start, path, { requests: 1000, commits: 3 });
		let told = 0;
		await history.lookOn(never, () => {
			told += 1;
		});
		assert.deepEqual([history.commits(), told, history.isWhole()], [3, 3, false]);
		await history.lookOn(never, untold);
		assert.equal(history.commits(), 6);
	});

	test('resumes after a failure or an abort without a loss', async () => {
		const start = commits.at(-1)?.id ?? '';
		const [path = ''] = pathsAt(start);
		const said = await whole(historyOf(start, path));
		source.forget();
		let calls = 0;
		const failing = {
			...source,
			tree: (id: string, signal: AbortSignal) => {
				calls += 1;
				return calls % 5 === 0 ? Promise.reject(new Error('gone')) : source.tree(id, signal);
			},
		};
		const history = fileHistory(failing, { commit: start, steps: path.split('/') }, historyLimits);
		await assert.rejects(history.lookOn(AbortSignal.abort(), untold), { name: 'AbortError' });
		let failures = 0;
		while (!history.isWhole()) {
			await history.lookOn(never, untold).catch((error: unknown) => {
				assert.match(String(error), /gone/);
				failures += 1;
			});
			assert.ok(failures < 200);
		}
		assert.ok(failures > 0);
		assert.deepEqual(history.entries(), said);
	});

	test('ends at a cycle of parents', async () => {
		const [one, other] = ['1'.repeat(40), '2'.repeat(40)];
		const tree = { id: '3'.repeat(40), shortId: '3333333', entries: [] };
		const circle = new Map([
			[one, makeCommit(1, { id: one, tree: tree.id, parents: [other] })],
			[other, makeCommit(2, { id: other, tree: tree.id, parents: [one] })],
		]);
		const known = (id: string): Commit | undefined => circle.get(id);
		const circular: HistorySource = {
			knownCommit: known,
			commit: (id) => Promise.resolve(known(id) ?? assert.fail(id)),
			keptTree: () => Promise.resolve(undefined),
			tree: () => Promise.resolve(tree),
		};
		const history = fileHistory(circular, { commit: one, steps: ['a'] }, historyLimits);
		assert.deepEqual([await whole(history), history.commits()], [[], 2]);
	});

	test('rejects a commit with the wrong id', async () => {
		const [first, second] = commits;
		const wrong = { ...source, knownCommit: () => undefined, commit: () => source.commit(second?.id ?? '', never) };
		const start = { commit: first?.id ?? '', steps: ['main.c'] };
		const history = fileHistory(wrong, start, historyLimits);
		await assert.rejects(history.lookOn(never, untold), { name: 'ForgeError' });
	});
});
