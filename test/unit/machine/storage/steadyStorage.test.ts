import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { steadyStorage } from '../../../../src/machine/storage/editorStorage.ts';
import { echoingStorage } from '../support/echoingStorage.ts';

suite('editor storage without lost changes', () => {
	test('keeps a change that is made between a write and its echo', async () => {
		const storage = echoingStorage();
		const steady = steadyStorage(storage.window());
		const first = steady.update('looks', ['one']);
		await setImmediate();
		const second = steady.update('filter', 'label:bug');
		assert.equal(steady.get('filter'), 'label:bug');
		await first;
		assert.equal(steady.get('filter'), 'label:bug');
		await second;
		assert.deepEqual([steady.get('looks'), steady.get('filter')], [['one'], 'label:bug']);
		assert.deepEqual(storage.kept(), { looks: ['one'], filter: 'label:bug' });
	});

	test('keeps a change when another window writes at the same moment', async () => {
		const storage = echoingStorage();
		const other = storage.window();
		const steady = steadyStorage(storage.window());
		const theirs = other.update('looks', ['two']);
		await setImmediate();
		await Promise.all([steady.update('filter', 'label:bug'), theirs]);
		assert.deepEqual(storage.kept(), { looks: ['two'], filter: 'label:bug' });
	});

	test('keeps the last of several changes to one key and completes all of them', async () => {
		const storage = echoingStorage();
		const steady = steadyStorage(storage.window());
		const all = [steady.update('filter', 'one'), steady.update('filter', 'two')];
		await setImmediate();
		all.push(steady.update('filter', 'three'), steady.update('filter', undefined), steady.update('filter', 'four'));
		assert.equal(steady.get('filter'), 'four');
		await Promise.all(all);
		assert.deepEqual([steady.get('filter'), storage.kept()], ['four', { filter: 'four' }]);
	});

	test('lists keys of pending writes and hides keys of pending deletions', async () => {
		const steady = steadyStorage(echoingStorage().window());
		await Promise.all([steady.update('one', 1), steady.update('two', 2)]);
		const changes = [steady.update('two', undefined), steady.update('three', 3)];
		assert.deepEqual(steady.keys(), ['one', 'three']);
		await Promise.all(changes);
		assert.deepEqual(steady.keys(), ['one', 'three']);
	});

	test('writes simultaneous changes together', async () => {
		const updates: string[] = [];
		const bare = echoingStorage().window();
		const steady = steadyStorage({
			...bare,
			update(key, value) {
				updates.push(key);
				return bare.update(key, value);
			},
		});
		const changes = [steady.update('one', 1), steady.update('two', 2)];
		await Promise.resolve();
		assert.deepEqual(updates, ['one', 'two']);
		await Promise.all(changes);
	});

	test('rejects a change when the storage fails and keeps the next one', async () => {
		const bare = echoingStorage().window();
		const steady = steadyStorage({
			...bare,
			async update(key, value) {
				if (value === 'bad') {
					throw new Error('Disk full');
				}
				await bare.update(key, value);
			},
		});
		await assert.rejects(async () => steady.update('filter', 'bad'), /Disk full/);
		assert.equal(steady.get('filter'), undefined);
		await steady.update('filter', 'good');
		assert.equal(steady.get('filter'), 'good');
	});

	test('stops retrying when the storage never keeps the value', async () => {
		let writes = 0;
		const steady = steadyStorage({
			get: () => undefined,
			update() {
				writes += 1;
				return Promise.resolve();
			},
			keys: () => [],
		});
		await steady.update('filter', 'label:bug');
		assert.ok(writes <= 3, `${writes} writes`);
	});
});
