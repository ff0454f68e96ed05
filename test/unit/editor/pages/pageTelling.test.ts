import assert from 'node:assert/strict';
import { pageTelling } from '../../../../src/editor/pages/pageTelling.ts';

suite('telling a page', () => {
	test('what could not be told does not count as told', async () => {
		const heard: string[] = [];
		let isBroken = true;
		const telling = pageTelling({
			begin: () => undefined,
			next() {
				if (isBroken) {
					throw new Error('nothing to be told');
				}
				return { change: undefined, goesOn: false };
			},
			tell: () => undefined,
			pause: () => Promise.resolve(),
			told: () => heard.push('told'),
			failed: () => heard.push('failed'),
			listensAtOnce: false,
		});
		await telling.listen();
		assert.deepEqual(heard, ['failed']);
		isBroken = false;
		await telling.changed();
		assert.deepEqual(heard, ['failed', 'told']);
	});
});
