import assert from 'node:assert/strict';
import { newestPoll } from '../../../../../src/features/tickets/page/newestPoll.ts';
import { fakeClock } from '../../../../support/fakeClock.ts';

function poll(answers: (boolean | Error)[] = []) {
	const clock = fakeClock();
	const startMs = clock.nowMs();
	const readAtS: number[] = [];
	const state = { isWatched: true };
	const polling = newestPoll(
		clock,
		() => state.isWatched,
		async () => {
			readAtS.push((clock.nowMs() - startMs) / 1000);
			const answer = answers.shift() ?? false;
			if (answer instanceof Error) {
				throw answer;
			}
			return answer;
		},
	);
	const pass = async (seconds: number): Promise<void> => {
		for (let at = 0; at < seconds; at += 1) {
			clock.advance(1000);
			await Promise.resolve();
			await Promise.resolve();
			await Promise.resolve();
		}
	};
	return { polling, state, readAtS, pass };
}

suite('ticket page poll', () => {
	test('runs every 20 seconds, more slowly without news, and at least every two minutes', async () => {
		const { readAtS, pass } = poll();
		await pass(700);
		const gaps = readAtS.slice(1).map((at, index) => at - (readAtS[index] ?? 0));
		assert.equal(readAtS[0], 20);
		assert.ok(
			gaps.every((gap, index) => index === 0 || gap >= (gaps[index - 1] ?? 0)),
			gaps.join(' '),
		);
		assert.equal(gaps.at(-1), 120);
	});

	test('news and user actions reset the interval to 20 seconds', async () => {
		const { polling, readAtS, pass } = poll([false, false, true]);
		await pass(95);
		assert.deepEqual(readAtS, [20, 50, 95]);
		await pass(20);
		assert.equal(readAtS.at(-1), 115);
		await pass(30);
		polling.active();
		await pass(1);
		assert.equal(readAtS.length, 5);
	});

	test('pauses while the page is hidden, and treats a failure as no news', async () => {
		const { polling, state, readAtS, pass } = poll([new Error('unreachable')]);
		state.isWatched = false;
		polling.watchedChanged();
		await pass(300);
		assert.deepEqual(readAtS, []);
		state.isWatched = true;
		polling.watchedChanged();
		await pass(31);
		assert.deepEqual(readAtS, [301, 331]);
	});

	test('stops when disposed', async () => {
		const { polling, readAtS, pass } = poll();
		polling.dispose();
		await pass(100);
		assert.deepEqual(readAtS, []);
	});
});
