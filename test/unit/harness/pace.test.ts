import assert from 'node:assert/strict';
import { eventually } from '../../support/eventually.ts';
import { limitMs } from '../../support/pace.ts';

suite('waiting in tests', () => {
	test('a limit is never shorter than what was meant, and never without bounds', () => {
		const limit = limitMs(1_000);
		assert.ok(limit >= 1_000 && limit <= 10_000, String(limit));
	});

	test('a state that comes is waited for', async () => {
		let read = 0;
		await eventually(async () => ++read, 3);
		assert.equal(read, 3);
	});

	test('when it never comes, the last states that were seen are told', async () => {
		const states = ['empty', 'loading', 'loading', 'wrong'];
		let read = 0;
		await assert.rejects(
			eventually(async () => states[Math.min(read++, states.length - 1)], 'right', 150),
			/The last states seen:\n.*'empty'\n.*'loading'\n.*'wrong'$/,
		);
	});
});
