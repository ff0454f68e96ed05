import assert from 'node:assert/strict';
import { onceAtATime } from '../../../src/base/onceAtATime.ts';

suite('onceAtATime', () => {
	test('ignores a call while work with the same key runs, but not for another key or afterwards', async () => {
		const once = onceAtATime();
		const done: string[] = [];
		const work = (name: string) => async (): Promise<void> => {
			await Promise.resolve();
			done.push(name);
		};
		await Promise.all([once('a', work('first')), once('a', work('too soon')), once('b', work('other'))]);
		assert.deepEqual(done, ['first', 'other']);
		await once('a', work('again'));
		assert.deepEqual(done, ['first', 'other', 'again']);
	});

	test('accepts the key again after its work failed', async () => {
		const once = onceAtATime();
		await assert.rejects(
			once('a', () => Promise.reject(new Error('no'))),
			{ message: 'no' },
		);
		let times = 0;
		await once('a', async () => void (times += 1));
		assert.equal(times, 1);
	});
});
