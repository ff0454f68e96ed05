import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import { blobId } from 'patchmail/patch/blobId.ts';
import type { HistorySource } from '../../../../src/store/repositories/history/historyReads.ts';
import { fileFinder, finderLimits, type FileSources } from '../../../../src/store/wholeFiles/fileFinder.ts';
import {
	wantedKey,
	type FoundFile,
	type PatchBase,
	type WantedFile,
} from '../../../../src/store/wholeFiles/preImage.ts';
import { gitFileSources, type GitFileSources } from '../../../support/gitFileSources.ts';
import { testInRest } from '../../../support/parts.ts';
import { commitTrees, gitIn } from '../../../support/patchMakerGit.ts';

const never = new AbortController().signal;
const commits = 200;
const firstMs = 1_600_000_000_000;

/** `src/often.c` changes with every third commit, `src/seldom.c` with every fiftieth, `doc/once` never. */
function contentAt(path: string, commit: number): string {
	switch (path) {
		case 'src/often.c':
			return `often ${Math.floor(commit / 3)}\n`;
		case 'src/seldom.c':
			return `seldom ${Math.floor(commit / 50)}\n`;
		default:
			return 'once\n';
	}
}

const paths = ['src/often.c', 'src/seldom.c', 'doc/once', 'doc/deep/er/once'];

function wantedAt(path: string, commit: number): WantedFile {
	return { path, id: blobId(contentAt(path, commit)).slice(0, 7), isInLog: true };
}

function shown(found: FoundFile | undefined): string {
	switch (found?.kind) {
		case 'exact':
			return `${found.origin}: ${Buffer.from(found.content).toString().trim()}`;
		case 'near':
			return `near, ${found.missing}: ${Buffer.from(found.content).toString().trim()}`;
		case 'none':
			return found.missing;
		case undefined:
			return 'nothing';
	}
}

suite('file finder', () => {
	const folder = mkdtempSync(join(tmpdir(), 'forge-desk-finder-'));
	let git: GitFileSources;

	suiteSetup(() => {
		const trees = Array.from(
			{ length: commits },
			(_, at) =>
				new Map(paths.map((path) => [path, { mode: '100644' as const, content: Buffer.from(contentAt(path, at)) }])),
		);
		mkdirSync(join(folder, 'made'));
		commitTrees(join(folder, 'made'), [
			...trees,
			new Map([...(trees.at(-1) ?? []), ['last', trees[0]!.get('doc/once')!]]),
		]);
	});
	suiteTeardown(() => rmSync(folder, { recursive: true, force: true }));
	setup(() => {
		git = gitFileSources(join(folder, 'made'));
	});

	/** The base of a message sent when this commit was the newest. */
	function sentAt(commit: number, changes: Partial<PatchBase> = {}): PatchBase {
		return { commit: undefined, sentMs: firstMs + commit * 1000 + 500, ...changes };
	}

	async function find(
		wanted: readonly WantedFile[],
		base: PatchBase,
		sources: FileSources = git.sources,
		limits = finderLimits,
	): Promise<readonly string[]> {
		const finder = fileFinder(sources, base, limits);
		const found = await finder.find(wanted, finder.begin('first'), never);
		return wanted.map((each) => shown(found.get(wantedKey(each))));
	}

	test('starts with the newest commit before the message', async () => {
		const wanted = paths.map((path) => wantedAt(path, 120));
		assert.deepEqual(await find(wanted, sentAt(120)), ['log: often 40', 'log: seldom 2', 'log: once', 'log: once']);
		// A rejected id, pages of the log, the trees of one commit, and the contents.
		assert.deepEqual(git.asked().filter((each) => each.startsWith('content')).length, 3);
	});

	test('reports one unreadable path and finds the other files', async () => {
		const { forge } = git.sources;
		const entries: HistorySource['entries'] = async (commit, wantedPaths, signal) => {
			const { tree } = await git.history.commit(commit, signal);
			const root = await git.history.tree(tree, signal);
			return new Map(
				wantedPaths.flatMap((path) => {
					const entry = path === 'src/often.c' ? 'unread' : root.entries.find(({ name }) => name === path);
					return entry ? [[path, entry] as const] : [];
				}),
			);
		};
		const history = { ...git.history, keptTree: () => Promise.resolve(undefined), entries };
		const wanted = [wantedAt('src/often.c', 120), { path: 'last', id: blobId('once\n'), isInLog: true }];
		const base = { commit: gitIn(join(folder, 'made'), ['rev-parse', 'main']).toString().trim() };
		for (const each of [base, {}]) {
			git.startAnew();
			const found = await find(wanted, sentAt(commits, each), { ...git.sources, forge: { ...forge, history } });
			assert.deepEqual(found, ['failed', each === base ? 'base commit: once' : 'log: once']);
		}
	});

	test('finds very old content with far fewer requests than commits', async () => {
		const wanted = [wantedAt('src/seldom.c', 20), wantedAt('src/often.c', 140)];
		assert.deepEqual(await find(wanted, sentAt(190)), ['log: seldom 0', 'log: often 46']);
		const requests = git.requests();
		assert.ok(requests <= 60, String(requests));
	});

	testInRest('finds every version of a file that changes with every third commit', async () => {
		for (const back of [0, 1, 2, 3, 4, 5, 7, 11, 16]) {
			git = gitFileSources(join(folder, 'made'));
			const wanted = [wantedAt('src/often.c', 150 - back)];
			assert.deepEqual(await find(wanted, sentAt(150)), [`log: often ${Math.floor((150 - back) / 3)}`], String(back));
		}
	});

	test('needs no request for earlier results', async () => {
		const wanted = [wantedAt('src/often.c', 120), wantedAt('doc/once', 120)];
		await find(wanted, sentAt(120));
		git.requests();
		git.forgetHistory();
		assert.deepEqual(await find(wanted, sentAt(120)), ['found before: often 40', 'found before: once']);
		assert.equal(git.requests(), 0);
	});

	test('uses a clone without a request', async () => {
		const wanted = [wantedAt('src/often.c', 3)];
		const clone = { contents: async () => new Map([[wanted[0]!.id!, Buffer.from('often 1\n')]]) };
		assert.deepEqual(await find(wanted, sentAt(190), { ...git.sources, clone }), ['clone: often 1']);
		assert.equal(git.requests(), 0);
	});

	test('requests blobs by id if the server supports it, one request each', async () => {
		git = gitFileSources(join(folder, 'made'), 'given out');
		const wanted = [wantedAt('src/often.c', 3), wantedAt('src/seldom.c', 0)];
		assert.deepEqual(await find(wanted, sentAt(190)), ['id: often 1', 'id: seldom 0']);
		assert.equal(git.requests(), 2);
	});

	test('tries only one id if the server supports none', async () => {
		await find(
			paths.map((path) => wantedAt(path, 120)),
			sentAt(120),
		);
		assert.equal(git.asked().filter((each) => each.startsWith('id')).length, 1);
	});

	test('checks the base commit of the patch', async () => {
		const commit = gitIn(join(folder, 'made'), ['rev-parse', 'main~161']).toString().trim();
		const wanted = [wantedAt('src/often.c', 39)];
		assert.deepEqual(await find(wanted, sentAt(190, { commit })), ['base commit: often 13']);
		// An id, the commit, two trees and the content.
		assert.equal(git.requests(), 5);
	});

	test('continues if the base commit is unknown', async () => {
		const unknown: FileSources = {
			...git.sources,
			forge: {
				...git.sources.forge,
				history: {
					...git.history,
					commit: (id, signal) =>
						id === 'f'.repeat(40)
							? Promise.reject(new ForgeError({ kind: 'notFound' }))
							: git.history.commit(id, signal),
				},
			},
		};
		const wanted = [wantedAt('src/often.c', 120)];
		assert.deepEqual(await find(wanted, sentAt(120, { commit: 'f'.repeat(40) }), unknown), ['log: often 40']);
	});

	test('offers the file at the path if the exact content is missing', async () => {
		const wanted = [{ path: 'src/often.c', id: '1234567', isInLog: true }];
		assert.deepEqual(await find(wanted, sentAt(5)), ['near, notThere: often 1']);
		assert.deepEqual(await find([{ ...wanted[0]!, id: undefined }], sentAt(5)), ['near, notThere: often 1']);
		assert.deepEqual(await find([{ ...wanted[0]!, path: 'src/none.c' }], sentAt(5)), ['notThere']);
	});

	test('stops at its budget, keeps its results, and continues later', async () => {
		const wanted = [wantedAt('doc/once', 150), wantedAt('src/often.c', 150)];
		const finder = fileFinder(git.sources, sentAt(190), { requests: 20, further: 20, files: 10 });
		const looks: string[] = [];
		const spent: number[] = [];
		do {
			const found = await finder.find(wanted, finder.begin('first'), never);
			looks.push(wanted.map((each) => shown(found.get(wantedKey(each)))).join(', '));
			spent.push(git.requests());
		} while (looks.at(-1)?.includes('budget') === true && looks.length < 10);
		assert.equal(looks[0], 'log: once, near, budget: often 63');
		assert.equal(looks.at(-1), 'found before: once, log: often 50');
		assert.equal(spent[0], 20);
		assert.ok(looks.length > 1 && Math.max(...spent) <= 20, spent.join(' '));
	});

	test('uses the whole further budget on demand', async () => {
		const wanted = [wantedAt('doc/once', 150), wantedAt('src/often.c', 150)];
		const finder = fileFinder(git.sources, sentAt(190), { requests: 8, further: 200, files: 10 });
		await finder.find(wanted, finder.begin('first'), never);
		assert.equal(git.requests(), 8);
		const found = await finder.find(wanted, finder.begin('further'), never);
		assert.equal(
			wanted.map((each) => shown(found.get(wantedKey(each)))).join(', '),
			'found before: once, log: often 50',
		);
		assert.ok(git.requests() > 8);
		assert.equal(finder.begin('first').left(), 8, 'the next look goes no further than usual');
	});

	test('skips commits for content of an earlier patch', async () => {
		const wanted = [{ ...wantedAt('src/often.c', 120), isInLog: false }];
		assert.deepEqual(await find(wanted, sentAt(120)), ['notThere']);
		assert.ok(git.requests() <= 1);
	});

	test('ignores unsafe paths, and limits the number of files', async () => {
		const bad = ['../../etc/passwd', '/etc/passwd', '.git/config', 'a/.GIT/hooks', 'a//b', './a', 'a\\b', 'x\0y', ''];
		const wanted = bad.map((path) => ({ path, id: '1234567', isInLog: true }));
		assert.deepEqual(
			await find(wanted, sentAt(120)),
			bad.map(() => 'badPath'),
		);
		assert.equal(git.requests(), 0);
		const many = Array.from({ length: 5000 }, (_, at) => ({ path: `p${at}`, id: '1234567', isInLog: true }));
		const found = await find(many, sentAt(120));
		assert.equal(found.filter((each) => each === 'tooMany').length, 5000 - finderLimits.files);
		assert.ok(git.requests() <= finderLimits.requests);
	});

	test('looks for more files on demand', async () => {
		const finder = fileFinder(git.sources, sentAt(120));
		const many = Array.from({ length: 1000 }, (_, at) => ({ path: `p${at}`, id: '1234567', isInLog: true }));
		const tooMany = async (): Promise<number> =>
			[...(await finder.find(many, finder.begin('first'), never)).values()].filter(
				(each) => each.kind !== 'exact' && each.missing === 'tooMany',
			).length;
		assert.equal(await tooMany(), 1000 - finderLimits.files);
		finder.begin('further');
		assert.equal(await tooMany(), 1000 - 2 * finderLimits.files);
		finder.begin('further');
		assert.equal(await tooMany(), 1000 - 3 * finderLimits.files);
	});

	test('reports the error of the forge with the remaining results', async () => {
		const broken = new ForgeError({ kind: 'serverError', status: 500 });
		const failing: FileSources = {
			...git.sources,
			forge: { ...git.sources.forge, history: { ...git.history, tree: () => Promise.reject(broken) } },
		};
		const wanted = wantedAt('src/often.c', 120);
		const finder = fileFinder(failing, sentAt(120));
		const found = await finder.find([wanted], finder.begin('first'), never);
		assert.deepEqual(found.get(wantedKey(wanted)), { kind: 'none', missing: 'failed', error: broken });
	});

	test('rejects after an abort, and reports a missing repository', async () => {
		const finder = fileFinder(git.sources, sentAt(120));
		await assert.rejects(finder.find([wantedAt('src/often.c', 100)], finder.begin('first'), AbortSignal.abort()), {
			name: 'AbortError',
		});
		const nowhere = { before: undefined, clone: undefined, forge: undefined, history: undefined };
		assert.deepEqual(await find([wantedAt('src/often.c', 100)], sentAt(120), nowhere), ['noRepository']);
	});
});
