import '../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { FolderBelongs } from '../../../../src/editor/git/folderMapping.ts';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import { fakeConnection } from '../../../support/fakeConnection.ts';
import { fakeTrackers } from '../../../support/fakeForge.ts';
import { fakeGit, fakeRepository, uriAt } from '../../../support/fakeGit.ts';

const { cloneClues } = await import('../../../../src/editor/git/cloneClues.ts');

const never = new AbortController().signal;
const connection = fakeConnection(fakeTrackers().api);
const lantern = { owner: '~alice', name: 'lantern' };
const list = { owner: '~alice', name: 'lantern-devel' };
const belongs: FolderBelongs = { root: uriAt('/code'), repository: undefined, tracker: undefined, list: undefined };

function clone(): ReturnType<typeof fakeRepository> {
	const made = fakeRepository('/code');
	made.remotes.push(
		{ name: 'fork', fetchUrl: 'git@git.forge.test:~bob/lantern' },
		{ name: 'origin', fetchUrl: 'https://git.forge.test/~alice/lantern' },
		{ name: 'elsewhere', fetchUrl: 'https://git.other.test/~alice/lamp' },
	);
	return made;
}

suite('clues from clones', () => {
	test('include every remote on the forge, with the list that receives the clone’s patches', async () => {
		const folderOf = async (): Promise<FolderBelongs> => ({
			...belongs,
			list: { ref: list, connectionKey: connection.key, foundBy: { kind: 'sendEmailTo' } },
		});
		assert.deepEqual(await cloneClues(fakeGit(clone()), folderOf)(connection, never), [
			{ ref: lantern, list },
			{ ref: { owner: '~bob', name: 'lantern' }, list },
		]);
	});

	test('start with the clone’s settings, and ignore those of other accounts', async () => {
		const said = { owner: '~carol', name: 'lamp' };
		const of =
			(connectionKey: string): (() => Promise<FolderBelongs>) =>
			async () => ({
				...belongs,
				repository: {
					ref: said,
					connectionKey,
					foundBy: { kind: 'setting' },
					root: uriAt('/code'),
					head: undefined,
					isPushed: undefined,
				},
				list: { ref: list, connectionKey, foundBy: { kind: 'setting' } },
			});
		const own = await cloneClues(fakeGit(clone()), of(connection.key))(connection, never);
		assert.deepEqual(own[0], { ref: said, list });
		const other = await cloneClues(fakeGit(clone()), of('other'))(connection, never);
		assert.deepEqual(other[0], { ref: lantern, list: undefined });
	});

	test('are only the remotes if the forge does not respond, and empty without git', async () => {
		const folderOf = (): Promise<never> => Promise.reject(new ForgeError({ kind: 'notAllowed' }));
		assert.equal((await cloneClues(fakeGit(clone()), folderOf)(connection, never)).length, 2);
		assert.deepEqual(await cloneClues(fakeGit(), folderOf)(connection, never), []);
	});
});
