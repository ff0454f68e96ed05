import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { fake } from '../../../../support/fake.ts';
import { continueKey } from '../../../../../src/editor/names/storageKeys.ts';
import { addressesInReach, cloneAddresses } from '../../../../../src/features/repositories/clones/cloneAddresses.ts';
import { keptWish, type WishStorage } from '../../../../../src/features/repositories/clones/keptWish.ts';
import { sampleInstance } from '../../../../support/fakeConnection.ts';
import { fakeGit, fakeRepository, uriAt, type FakeRepository } from '../../../../support/fakeGit.ts';
import {
	fakeStore,
	quill,
	quillWorld,
	repositoryConnection,
	repositoryConnections,
} from '../../../../support/fakeRepositories.ts';

const { openClones } = await import('../../../../../src/features/repositories/parts/openClones.ts');

const never = new AbortController().signal;

function cloneOf(root: string, remotes: Readonly<Record<string, string>>, follows?: string): FakeRepository {
	const fake = fakeRepository(root);
	for (const [name, fetchUrl] of Object.entries(remotes)) {
		fake.remotes.push({ name, fetchUrl });
	}
	if (follows !== undefined) {
		fake.head = { name: 'main', commit: 'a'.repeat(40), upstream: { remote: follows, name: 'main' } };
	}
	return fake;
}

suite('open clones', () => {
	const connections = repositoryConnections(repositoryConnection(fakeStore(quillWorld())));
	const web = 'https://git.forge.test/~alice/quill';
	const ssh = 'git@git.forge.test:~alice/quill';

	test('match by their remotes, and the clone that follows the repository wins', async () => {
		const fork = cloneOf('/code/fork', { origin: 'git@git.forge.test:~bob/quill', upstream: web }, 'origin');
		const own = cloneOf('/code/own', { origin: ssh }, 'origin');
		const strange = cloneOf('/code/strange', { origin: 'https://elsewhere.test/~alice/quill' });
		const clones = openClones(connections, fakeGit(strange, fork, own));
		const found = await clones.of('alice.sample', quill, never);
		assert.deepEqual([found?.root.path, found?.remote, found?.head?.name], ['/code/own', 'origin', 'main']);
		assert.equal((await clones.of('bob.sample', quill, never))?.root.path, undefined);
		assert.equal((await clones.of('alice.sample', { ...quill, name: 'Quill' }, never))?.root.path, undefined);
		const forked = await openClones(connections, fakeGit(strange, fork)).of('alice.sample', quill, never);
		assert.deepEqual([forked?.root.path, forked?.remote], ['/code/fork', 'upstream']);
	});

	test('give the clone of a file, and its path there', async () => {
		const outer = cloneOf('/code', { origin: web });
		const inner = cloneOf('/code/inner', { origin: 'git@git.forge.test:~bob/ink' });
		const clones = openClones(connections, fakeGit(outer, inner));
		const at = async (path: string): Promise<string | undefined> => {
			const found = await clones.at(uriAt(path), never);
			return found && `${found.clone.ref.owner}/${found.clone.ref.name} ${found.path}`;
		};
		assert.equal(await at('/code/src/a b.c'), '~alice/quill src/a b.c');
		assert.equal(await at('/code/inner/a.c'), '~bob/ink a.c');
		assert.equal(await at('/code'), '~alice/quill ');
		assert.equal(await at('/codes/a.c'), undefined);
		assert.equal(await openClones(connections, fakeGit()).at(uriAt('/code/a.c'), never), undefined);
	});
});

suite('clone URLs', () => {
	const at = (git: string): typeof sampleInstance => ({ ...sampleInstance, areas: { ...sampleInstance.areas, git } });
	const addresses = (git: string, ref = quill): readonly string[] =>
		addressesInReach(at(git), ref).map(({ address }) => address);

	test('use the git area, and exclude names that are unsafe for git', () => {
		assert.deepEqual(addresses('https://git.forge.test'), [
			'https://git.forge.test/~alice/quill',
			'git@git.forge.test:~alice/quill',
		]);
		assert.deepEqual(addresses('http://127.0.0.1:4000'), ['http://127.0.0.1:4000/~alice/quill']);
		assert.deepEqual(
			cloneAddresses(at('http://127.0.0.1:4000'), quill).map(({ way }) => way),
			['https', 'ssh'],
		);
		assert.deepEqual(addresses('http://git.forge.test'), ['git@git.forge.test:~alice/quill']);
		for (const name of ['..', '.', 'a b', 'a/b', 'a\n', '']) {
			assert.deepEqual(addresses('https://git.forge.test', { owner: '~alice', name }), []);
		}
		assert.deepEqual(addresses('https://git.forge.test', { owner: 'alice', name: 'quill' }), []);
		assert.deepEqual(addresses('https://git.forge.test', { owner: '~b\nob', name: 'x; rm -rf ~\n$(id)' }), []);
	});

	test('encode names over HTTPS as the web does, and keep them over SSH if a terminal accepts them', () => {
		const both = (path: string): readonly string[] =>
			addresses('https://git.forge.test', { owner: '~alice', name: path });
		for (const [name, written] of [
			['c++', 'c%2B%2B'],
			['a%b', 'a%25b'],
			['naïve', 'na%C3%AFve'],
			['a@b', 'a@b'],
			['x~y', 'x~y'],
			['quill.git', 'quill.git'],
		] as const) {
			assert.deepEqual(both(name), [`https://git.forge.test/~alice/${written}`, `git@git.forge.test:~alice/${name}`]);
		}
		for (const [name, written] of [
			['a&b', 'a%26b'],
			["o'k", 'o%27k'],
			['(a)', '%28a%29'],
			['$x', '%24x'],
		] as const) {
			assert.deepEqual(both(name), [`https://git.forge.test/~alice/${written}`]);
		}
	});
});

suite('request to continue in a clone', () => {
	const selected = { line: 3, character: 4, endLine: 5, endCharacter: 0 };
	const wish = { root: 'file:///code', path: 'src/a.c', selected, commit: 'a'.repeat(40) };
	let nowMs = 1_000_000;

	function storage(): WishStorage & { readonly kept: Map<string, unknown> } {
		const kept = new Map<string, unknown>();
		return {
			kept,
			get: (key) => kept.get(key),
			async update(key, value) {
				if (value === undefined) {
					kept.delete(key);
				} else {
					kept.set(key, JSON.parse(JSON.stringify(value)));
				}
			},
		};
	}

	test('is taken once, by the window with the folder', async () => {
		const store = storage();
		const wishes = keptWish(store, fake({ nowMs: () => nowMs }));
		await wishes.keep(wish);
		assert.equal(await wishes.take(['file:///other']), undefined);
		assert.equal(await wishes.take([]), undefined);
		assert.deepEqual(await wishes.take(['file:///other', 'file:///code']), wish);
		assert.equal(await wishes.take(['file:///code']), undefined);
		assert.equal(store.kept.size, 0);
	});

	test('expires after minutes, and is dropped when malformed', async () => {
		const store = storage();
		const wishes = keptWish(store, fake({ nowMs: () => nowMs }));
		await wishes.keep(wish);
		nowMs += 5 * 60_000;
		assert.equal(await wishes.take(['file:///code']), undefined);
		assert.equal(store.kept.size, 0);
		for (const odd of [
			{ ...wish, atMs: nowMs, selected: { ...selected, line: -1 } },
			{ ...wish, atMs: nowMs, selected: { ...selected, endLine: 0.5 } },
			{ ...wish, atMs: nowMs, selected: undefined },
			{ ...wish, atMs: nowMs, path: 3 },
			'x',
			{ ...wish },
		]) {
			await store.update(continueKey, odd);
			assert.equal(await wishes.take(['file:///code']), undefined);
			assert.equal(store.kept.size, 0);
		}
	});
});
