import assert from 'node:assert/strict';
import { eventually } from '../../support/eventually.ts';
import { limitMs } from '../../support/pace.ts';

suite('waiting in tests', () => {
	test('a limit is at least the given time and at most ten times as long', () => {
		const limit = limitMs(1_000);
		assert.ok(limit >= 1_000 && limit <= 10_000, String(limit));
	});

	test('resolves when the state arrives', async () => {
		let read = 0;
		await eventually(async () => ++read, 3);
		assert.equal(read, 3);
	});

	test('fails with the last states if the expected one never arrives', async () => {
		const states = ['empty', 'loading', 'loading', 'wrong'];
		let read = 0;
		await assert.rejects(
			eventually(async () => states[Math.min(read++, states.length - 1)], 'right', 150),
			/The last states seen:\n.*'empty'\n.*'loading'\n.*'wrong'$/,
		);
	});
});
