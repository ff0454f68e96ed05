import assert from 'node:assert/strict';
import { mkdtempDisposableSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { blobId } from 'patchmail/patch/blobId.ts';
import { gitHistories } from '../../src/app/machine/gitHistories.ts';
import type { HistoryOfGit } from '../../src/store/wholeFiles/gitSearch.ts';
import { finderLimits } from '../../src/store/wholeFiles/fileFinder.ts';
import { trySeries } from 'patchmail/patch/trySeries.ts';
import { searchBudget } from '../../src/store/repositories/history/historyReads.ts';
import { filesAtCommit } from '../../src/store/wholeFiles/filesAtCommit.ts';
import { protocolSuite, systemClock } from '../support/contractForge.ts';
import { testMachine } from '../support/localMachine.ts';
import { objectsInMemory } from '../support/fakeRepositories.ts';
import { storeOf } from '../support/repositoryAccount.ts';
import { textsInMemory } from '../support/textsInMemory.ts';
import { filesOfPatchset, readPatchsets, wholeFilesOver, type ReadPatchset } from '../support/samplePatchsets.ts';

const never = new AbortController().signal;

protocolSuite('whole files of patchsets', {}, ({ forge }) => {
	let patchsets: readonly ReadPatchset[] = [];

	suiteSetup(async () => {
		patchsets = await readPatchsets(forge().as('alice'));
	});

	function named(subject: string): ReadPatchset {
		const found = patchsets.find((each) => each.subject === subject);
		assert.ok(found, subject);
		return found;
	}

	test('match the forge’s blobs, and cost no request in a later window', async () => {
		const { wanted } = named('mouse: drag to select');
		const [objects, disk] = [objectsInMemory(), textsInMemory()];
		const open = (): ReturnType<typeof wholeFilesOver> =>
			wholeFilesOver(storeOf(forge(), 'alice', { objects }), { me: '~alice', disk });
		using files = open();
		await forge().sample.forgetRequests();
		const made = await filesOfPatchset(files, wanted);
		assert.deepEqual(
			made.map(({ whole, path }) => `${path} ${whole.kind}`),
			['src/mouse_select.c verified', 'README.md verified', 'doc/mouse.md verified', 'test/mouse.t verified'],
		);
		// Short blob ids take one request; otherwise the newest commit, the paths and the files.
		const requests = forge().as('alice').repositories.blobByShortId ? 1 : 3;
		assert.equal(await forge().sample.requestCount(), requests);
		using later = open();
		assert.equal(
			(await filesOfPatchset(later, wanted)).find(({ path }) => path === 'README.md')?.origin,
			'found before',
		);
		assert.equal(await forge().sample.requestCount(), requests);
	});

	test('cost no more requests than the limit, and fall back to hunks if no blob matches', async () => {
		const { wanted } = named('undo: survive a failed allocation');
		using files = wholeFilesOver(storeOf(forge(), 'alice'), { me: '~alice' });
		await forge().sample.forgetRequests();
		const [only] = await filesOfPatchset(files, wanted);
		assert.equal(only?.whole.kind, 'hunksOnly');
		assert.ok((await forge().sample.requestCount()) <= finderLimits.requests);
	});

	test('apply to a branch without a clone, in few requests and none the second time', async () => {
		const { wanted } = named('mouse: drag to select');
		const { repository: ref, patches } = wanted;
		assert.ok(ref);
		const repositories = storeOf(forge(), 'alice', { objects: objectsInMemory() });
		const commit = (await repositories.newestPinned(ref, 'master', never))?.commit;
		assert.ok(commit);
		const paths = patches.flatMap(({ diff }) => diff.files.flatMap(({ oldPath, newPath }) => oldPath ?? newPath ?? []));
		const tried = async (): Promise<readonly string[]> => {
			const read = await filesAtCommit({ repositories, ref, commit }, paths, searchBudget(20), never);
			const tried = patches.map(({ diff, diffText }) => ({ diff: { ...diff, start: 0 }, diffText }));
			const parts = { patches: tried, read, isCommitted: () => false, turn: async () => undefined };
			return (await trySeries(parts, never)).verdicts.flatMap(({ files }) => files.map(({ kind }) => kind));
		};
		assert.deepEqual(await tried(), ['applies', 'applies', 'applies', 'applies']);
		await forge().sample.forgetRequests();
		await tried();
		assert.equal(await forge().sample.requestCount(), 0);
	});

	test('come from a clone if it has them, without requests to the forge', async () => {
		const { wanted } = named('mouse: drag to select');
		const asking = storeOf(forge(), 'alice');
		using files = wholeFilesOver(asking, { me: '~alice' });
		const before = (await filesOfPatchset(files, wanted)).find(({ path }) => path === 'README.md')?.whole;
		assert.ok(before?.kind === 'verified' && before.before);
		const content = before.before;
		const clones = { contents: async (ids: readonly string[]) => new Map(ids.map((id) => [id, content])) };
		using beside = wholeFilesOver(storeOf(forge(), 'alice'), { me: '~alice', clones });
		await forge().sample.forgetRequests();
		// No repository is needed when a clone has the blobs.
		const made = await filesOfPatchset(beside, { ...wanted, repository: undefined });
		assert.deepEqual([...new Set(made.map(({ whole }) => whole.kind))], ['verified']);
		assert.equal(made.find(({ path }) => path === 'README.md')?.origin, 'clone');
		assert.equal(await forge().sample.requestCount(), 0);
	});

	test('have all versions of a file in the history that git fetches over HTTP, without filters', async () => {
		using folder = mkdtempDisposableSync(join(tmpdir(), 'forge-desk-histories-'));
		const machine = testMachine();
		const histories = gitHistories({ git: machine.git, tempFolder: machine.folder }, folder.path, systemClock);
		const of = (owner: string, name: string): HistoryOfGit | undefined =>
			histories.of('account', { instance: forge().instance, ref: { owner, name } });
		const question = { paths: ['README.md'], sinceMs: Date.now(), reach: 'near' } as const;
		const lantern = of('~alice', 'lantern');
		const found = await lantern?.versions(question, never);
		assert.ok(lantern && found?.kind === 'read', JSON.stringify(found));
		assert.equal(found.isWhole, true);
		const { wanted } = named('mouse: drag to select');
		const stated = wanted.patches
			.flatMap(({ diff }) => diff.files)
			.find(({ oldPath }) => oldPath === 'README.md')?.oldId;
		const ids = found.versions.map(({ id }) => id).filter((id) => id.startsWith(stated ?? '-'));
		assert.equal(ids.length, 1);
		assert.deepEqual(
			[...(await lantern.contents(ids, never)).values()].map((content) => blobId(content)),
			ids,
		);
		assert.equal((await lantern.contents(['1'.repeat(40)], never)).size, 0);
		assert.equal((await of('~alice', 'no-such-repository')?.versions(question, never))?.kind, 'failed');
		assert.equal(of('~alice', '-x y'), undefined);
		assert.notDeepEqual(readdirSync(folder.path), []);
		await histories.forget('account');
		assert.deepEqual(readdirSync(folder.path), []);
		machine.remove();
	});
});
