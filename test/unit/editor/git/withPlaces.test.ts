import '../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { GitRepository } from '../../../../src/editor/git/gitApi.ts';
import { fakeConnection } from '../../../support/fakeConnection.ts';
import { fakeTrackers } from '../../../support/fakeForge.ts';
import { fakeGit, fakeRepository } from '../../../support/fakeGit.ts';

const { remotesOnForges } = await import('../../../../src/editor/git/remotesOnForges.ts');
const { withPlaces } = await import('../../../../src/editor/git/withPlaces.ts');

const never = new AbortController().signal;
const connection = fakeConnection(fakeTrackers().api);

suite('remotes of clones', () => {
	test('uses resolved URLs, and resolves them once until they change', async () => {
		const made = fakeRepository('/code');
		made.remotes.push({ name: 'origin', fetchUrl: 'forge:~ann/quill', pushUrl: 'git@work:~ann/quill' });
		let asked = 0;
		const findGit = withPlaces(fakeGit(made), async () => {
			asked += 1;
			return new Map([['origin', ['https://git.forge.test/~ann/quill']]]);
		});
		const found = async () => {
			const [repository] = (await findGit(never))?.repositories ?? [];
			assert.ok(repository);
			return remotesOnForges(repository, [connection]).map(({ ref, remote }) => [remote, `${ref.owner}/${ref.name}`]);
		};
		assert.deepEqual(await found(), [['origin', '~ann/quill']]);
		assert.deepEqual(await found(), [['origin', '~ann/quill']]);
		assert.equal(asked, 1);
		made.remotes.push({ name: 'other', fetchUrl: 'https://git.other.test/~ann/quill' });
		assert.deepEqual(await found(), [['origin', '~ann/quill']]);
		assert.equal(asked, 2);
		const [plain] = (await fakeGit(made)(never))?.repositories ?? [];
		assert.deepEqual(plain && remotesOnForges(plain, [connection]), []);
	});

	test('methods of a repository run on the other extension’s object', async () => {
		const made = fakeRepository('/code');
		const git = await fakeGit(made)(never);
		const [repository] = git?.repositories ?? [];
		assert.ok(git && repository);
		// Private members of the extension's class exist only on the object itself.
		const selves: unknown[] = [];
		const guarded: GitRepository = {
			...repository,
			status() {
				selves.push(this);
				return Promise.resolve();
			},
		};
		const findGit = withPlaces(
			async () => ({ ...git, repositories: [guarded] }),
			async () => new Map(),
		);
		const [seen] = (await findGit(never))?.repositories ?? [];
		await seen?.status();
		assert.deepEqual(
			selves.map((self) => self === guarded),
			[true],
		);
		assert.equal(seen?.rootUri, repository.rootUri);
	});
});
