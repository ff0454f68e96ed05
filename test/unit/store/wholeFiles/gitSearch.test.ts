import assert from 'node:assert/strict';
import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseDiff } from 'patchmail/patch/parseDiff.ts';
import { blobId } from 'patchmail/patch/blobId.ts';
import { fileFinder, finderLimits } from '../../../../src/store/wholeFiles/fileFinder.ts';
import { GitSearch, type FileVersions, type HistoryOfGit } from '../../../../src/store/wholeFiles/gitSearch.ts';
import { wantedKey, type FoundFile, type WantedFile } from '../../../../src/store/wholeFiles/preImage.ts';
import { seriesFiles, wantedOfSeries, type SeriesFile } from '../../../../src/store/wholeFiles/seriesFiles.ts';
import { gitFileSources } from '../../../support/gitFileSources.ts';
import { gitIn } from '../../../support/patchMakerGit.ts';
import { servedHistory } from '../../../support/servedHistory.ts';

const never = new AbortController().signal;
const firstSeconds = 1_600_000_000;
const drift = 100;
const commits = 130;

/** Each commit changes `src/often.c`, and every tenth `src/seldom.c`; commit 60 removes, renames and changes modes. */
function madeRepository(folder: string): void {
	const put = (path: string, content: string, mode = '100644'): string =>
		`M ${mode} inline ${path}\ndata ${Buffer.byteLength(content)}\n${content}\n`;
	const input = Array.from({ length: commits }, (_, at) => {
		const changes = [put('src/often.c', often(at))];
		if (at % 10 === 0) {
			changes.push(put('src/seldom.c', text(`seldom ${at}`)));
		}
		if (at === 0) {
			changes.push(...['gone.c', 'old name.c', 'run.sh'].map((path) => put(path, text(path))));
		}
		if (at === 60) {
			changes.push('D gone.c\n', 'R "old name.c" "new name.c"\n', put('run.sh', text('run.sh'), '100755'));
		}
		return `commit refs/heads/main\ncommitter A <a@forge.test> ${firstSeconds + at} +0000\ndata 0\n${changes.join('')}`;
	});
	gitIn(folder, ['init', '--quiet', '--bare', '--initial-branch=main', '.']);
	gitIn(folder, ['fast-import', '--quiet'], input.join(''));
}

function text(name: string): string {
	return Array.from({ length: 40 }, (_, at) => `${name} line ${at}\n`).join('');
}

function often(at: number): string {
	return text(`often ${at}`);
}

/** A patch to all files of the base, with a rename, a deletion and a change of mode. */
function madePatch(folder: string, base: string): string {
	const at = Number(gitIn(folder, ['rev-list', '--count', base]).toString()) - 1;
	const put = (path: string, content: string, mode = '100644'): string =>
		`M ${mode} inline ${path}\ndata ${Buffer.byteLength(content)}\n${content}\n`;
	const edited = (content: string): string => content.replace(/line 20\n/, 'line twenty\n');
	const seldom = at - (at % 10);
	gitIn(
		folder,
		['fast-import', '--quiet', '--force'],
		`commit refs/made/patch\ncommitter A <a@forge.test> ${firstSeconds} +0000\ndata 0\nfrom ${base}\n${[
			put('src/often.c', edited(often(at))),
			put('src/seldom.c', edited(text(`seldom ${seldom}`))),
			'D gone.c\n',
			'D "old name.c"\n',
			put('"moved here.c"', edited(text('old name.c'))),
			put('run.sh', edited(text('run.sh')), '100755'),
		].join('')}`,
	);
	return gitIn(folder, ['diff-tree', '-r', '-p', '-M', base, 'refs/made/patch']).toString('latin1');
}

suite('whole files from a fetched history', function () {
	this.timeout(60_000);
	const temporary = mkdtempDisposableSync(join(tmpdir(), 'forge-desk-git-search-'));
	const folder = temporary.path;

	suiteSetup(() => madeRepository(folder));
	suiteTeardown(() => temporary.remove());

	test(`are all verified ${drift} commits behind, in three runs of git for all ways to open the patchset`, async () => {
		using served = servedHistory(folder);
		const base = gitIn(folder, ['rev-parse', `main~${drift}`])
			.toString()
			.trim();
		const diffText = madePatch(folder, base);
		const patches = [{ diff: parseDiff(diffText), diffText }];
		const places = patches[0]!.diff.files.map((_, file) => ({ patch: 0, file }));
		assert.equal(places.length, 5);
		const sentMs = (firstSeconds + commits) * 1000;
		for (const isTogether of [true, false]) {
			served.forget();
			const git = gitFileSources(folder);
			const history = new GitSearch(served, sentMs, () => wantedOfSeries(patches));
			const finder = fileFinder({ ...git.sources, history }, { commit: undefined, sentMs });
			const files = seriesFiles(patches, finder, () => Promise.resolve(), never);
			const look = files.look('first');
			await (isTogether ? look.prepare(places, never) : undefined);
			const made: (SeriesFile | undefined)[] = [];
			for (const place of places) {
				made.push(await look.file(place, never));
			}
			assert.deepEqual(
				made.map((each) => each?.whole.kind),
				places.map(() => 'verified'),
			);
			assert.deepEqual(served.runs(), ['fetchHistory', 'versions', 'fetchBlobs']);
			const asked = git.asked();
			assert.ok(asked.length <= 30, asked.join('\n'));
		}
	});

	const path = 'src/often.c';
	const [base, head] = [often(20), often(commits - 1)];

	function wantedOf(id: string): WantedFile {
		return { path, id, isInLog: true };
	}

	/** A history with these versions of one file. */
	function fakeHistory(result: FileVersions, contents: ReadonlyMap<string, Uint8Array> = new Map()) {
		const asked: string[] = [];
		const history: HistoryOfGit = {
			async versions({ paths, reach }) {
				asked.push(`${reach} ${paths.join()}`);
				return result;
			},
			async contents(ids) {
				asked.push(`contents ${ids.length}`);
				return contents;
			},
		};
		return { history, asked };
	}

	const commitAt = (at: number): string =>
		gitIn(folder, ['rev-parse', `main~${commits - 1 - at}`])
			.toString()
			.trim();

	function finderOver({ history }: { readonly history: HistoryOfGit }, limits = finderLimits) {
		const sentMs = (firstSeconds + commits) * 1000;
		const git = gitFileSources(folder);
		const sources = { ...git.sources, history: new GitSearch(history, sentMs, () => []) };
		const finder = fileFinder(sources, { commit: undefined, sentMs }, limits);
		const find = async (
			wanted: readonly WantedFile[],
			how: 'first' | 'further' = 'first',
		): Promise<readonly string[]> => {
			const found = await finder.find(wanted, finder.begin(how), never);
			return wanted.map((each) => shown(found.get(wantedKey(each))));
		};
		return { find, finder, git };
	}

	function shown(found: FoundFile | undefined): string {
		switch (found?.kind) {
			case 'exact':
				return `${found.origin}: ${Buffer.from(found.content).toString().split('\n', 1)[0]}`;
			case 'near':
				return `near, ${found.missing}`;
			case 'none':
				return found.missing;
			case undefined:
				return 'nothing';
		}
	}

	const read = (ids: readonly string[], isWhole = true): FileVersions => ({
		kind: 'read',
		versions: ids.map((id) => ({ path, id, commit: commitAt(20) })),
		isWhole,
	});

	test('are not exact when two versions of the file have ids that begin alike', async () => {
		const id = blobId(base);
		const twin = `${id.slice(0, 7)}${'0'.repeat(33)}`;
		const both = fakeHistory(read([id, twin]), new Map([[id, Buffer.from(base)]]));
		assert.deepEqual(await finderOver(both).find([wantedOf(id.slice(0, 7))]), ['ambiguous']);
		const one = fakeHistory(read([id, twin]), new Map([[id, Buffer.from(base)]]));
		assert.deepEqual(await finderOver(one).find([wantedOf(id.slice(0, 8))]), ['history: often 20 line 0']);
	});

	test('need an id that can prove them', async () => {
		const history = fakeHistory(read([blobId(base)]));
		const { find } = finderOver(history, { ...finderLimits, requests: 20 });
		assert.deepEqual(await find([wantedOf(blobId(base).slice(0, 6)), { path, id: undefined, isInLog: true }]), [
			'near, budget',
			'near, budget',
		]);
		assert.deepEqual(history.asked, []);
	});

	test('come from the forge by commit and path when the server sends no files to git', async () => {
		const history = fakeHistory(read([blobId(base)]));
		assert.deepEqual(await finderOver(history).find([wantedOf(blobId(base))]), ['history: often 20 line 0']);
	});

	test('of recent commits need no git', async () => {
		const history = fakeHistory(read([]));
		assert.deepEqual(await finderOver(history).find([wantedOf(blobId(head))]), [`log: often ${commits - 1} line 0`]);
		assert.deepEqual(history.asked, []);
	});

	for (const [failure, missing] of [
		[{ kind: 'unavailable' }, 'budget'],
		[{ kind: 'tooLarge' }, 'tooLarge'],
		[{ kind: 'failed', error: new Error('offline') }, 'budget'],
	] as const) {
		test(`are searched in the forge's commits as before when git says ${failure.kind}`, async () => {
			const near = fakeHistory(failure);
			const { find, git } = finderOver(near);
			assert.deepEqual(await find([wantedOf(blobId(often(115)))]), ['log: often 115 line 0']);
			git.requests();
			const lost = { path, id: '1'.repeat(40), isInLog: true };
			assert.deepEqual(await find([lost]), [`near, ${missing}`]);
			assert.ok(git.requests() <= finderLimits.requests);
			assert.deepEqual(near.asked, [`near ${path}`, `near ${path}`], 'once per look');
		});
	}

	test('say how much of the history was searched, and search all of it further', async () => {
		const part = fakeHistory(read([], false));
		const { find } = finderOver(part);
		assert.deepEqual(await find([wantedOf('1'.repeat(40))]), ['near, budget']);
		assert.deepEqual(await find([wantedOf('1'.repeat(40))], 'further'), ['near, budget']);
		assert.deepEqual(part.asked, [`near ${path}`, `whole ${path}`]);
		assert.deepEqual(await finderOver(fakeHistory(read([]))).find([wantedOf('1'.repeat(40))]), ['near, notThere']);
	});

	test('of a patchset beyond the limit of files still come from git', async () => {
		const [id, other] = [blobId(base), blobId(often(21))];
		const both = new Map([
			[id, Buffer.from(base)],
			[other, Buffer.from(often(21))],
		]);
		const history = fakeHistory(read([id, other]), both);
		const { find } = finderOver(history, { ...finderLimits, files: 1 });
		assert.deepEqual(await find([wantedOf(id), wantedOf(other), wantedOf('1'.repeat(40))]), [
			'history: often 20 line 0',
			'history: often 21 line 0',
			'tooMany',
		]);
		assert.deepEqual(history.asked, [`near ${path}`, 'contents 2']);
	});
});
