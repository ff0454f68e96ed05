import assert from 'node:assert/strict';
import {
	type EditorStorage,
	keepOnlyNames,
	keptNames,
	keptText,
} from '../../../../src/machine/storage/editorStorage.ts';

suite('names that the editor keeps of accounts', () => {
	let values: Map<string, unknown>;
	const storage: EditorStorage = {
		keys: () => [...values.keys()],
		get: (key) => values.get(key),
		async update(key, value) {
			void (value === undefined ? values.delete(key) : values.set(key, value));
		},
	};
	const keptOf = (owner: string): readonly unknown[] => [
		keptNames(storage, 'trackers', owner).all(),
		keptText(storage, 'looks', owner).read(),
	];
	const [all, none]: readonly [unknown, unknown] = [
		[['~bob/beta'], 'a text'],
		[[], undefined],
	];

	setup(async () => {
		values = new Map<string, unknown>([['forge.signedIn', true]]);
		for (const owner of ['alice.forge', 'bob.forge', 'all']) {
			await keptNames(storage, 'trackers', owner).keep(['~bob/beta']);
			await keptText(storage, 'looks', owner).write('a text');
		}
	});

	test('go with the accounts that are signed in no more, and nothing else does', async () => {
		await keepOnlyNames(
			storage,
			async () => ['bob.forge'],
			(owner) => owner === 'all',
		);
		assert.deepEqual([keptOf('alice.forge'), keptOf('bob.forge'), keptOf('all')], [none, all, all]);
		assert.equal(values.get('forge.signedIn'), true);
	});

	test('stay where nobody is signed in, and where it cannot be known who is', async () => {
		const isKept = (): boolean => false;
		await keepOnlyNames(storage, async () => [], isKept);
		await assert.rejects(keepOnlyNames(storage, () => Promise.reject(new Error('No keyring')), isKept));
		assert.deepEqual([keptOf('alice.forge'), keptOf('bob.forge'), keptOf('all')], [all, all, all]);
	});

	test('stay when they are of somebody who signs in while it is asked who is signed in', async () => {
		await keepOnlyNames(
			storage,
			async () => {
				await keptText(storage, 'looks', 'carol.forge').write('a text');
				return ['bob.forge'];
			},
			() => false,
		);
		assert.equal(keptText(storage, 'looks', 'carol.forge').read(), 'a text');
		assert.deepEqual(keptOf('all'), none);
	});
});
