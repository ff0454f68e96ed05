import assert from 'node:assert/strict';
import {
	type EditorStorage,
	keepOnlyNames,
	keptNames,
	keptText,
} from '../../../../src/machine/storage/editorStorage.ts';

suite('account names in editor storage', () => {
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

	test('are deleted for signed-out accounts only', async () => {
		await keepOnlyNames(
			storage,
			async () => ['bob.forge'],
			(owner) => owner === 'all',
		);
		assert.deepEqual([keptOf('alice.forge'), keptOf('bob.forge'), keptOf('all')], [none, all, all]);
		assert.equal(values.get('forge.signedIn'), true);
	});

	test('stay when nobody is signed in, or when the list of accounts fails', async () => {
		const isKept = (): boolean => false;
		await keepOnlyNames(storage, async () => [], isKept);
		await assert.rejects(keepOnlyNames(storage, () => Promise.reject(new Error('No keyring')), isKept));
		assert.deepEqual([keptOf('alice.forge'), keptOf('bob.forge'), keptOf('all')], [all, all, all]);
	});

	test('stay for an account that signs in during the cleanup', async () => {
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
