import assert from 'node:assert/strict';
import { turns } from '../../../../src/features/accounts/turns.ts';

const never = new AbortController().signal;

/** A task that runs until the test ends or aborts it. */
function work() {
	const ending = Promise.withResolvers<string>();
	const begun = Promise.withResolvers<void>();
	const run = (signal: AbortSignal): Promise<string> => {
		begun.resolve();
		signal.addEventListener('abort', () => ending.reject(new DOMException('', 'AbortError')));
		return ending.promise;
	};
	return { run, end: ending.resolve, begun: begun.promise };
}

suite('turns', () => {
	test('a waiting task starts only after the previous one ends', async () => {
		const asking = turns();
		const [first, second] = [work(), work()];
		let hasBegun = false;
		const one = asking.wait(first.run, never);
		const two = asking.wait(async (signal) => {
			hasBegun = true;
			return second.run(signal);
		}, never);
		await first.begun;
		assert.equal(hasBegun, false);
		first.end('one');
		assert.equal(await one, 'one');
		await second.begun;
		second.end('two');
		assert.equal(await two, 'two');
	});

	test('a task of the user cancels the running one', async () => {
		const asking = turns();
		const [first, second] = [work(), work()];
		const one = asking.wait(first.run, never);
		await first.begun;
		const two = asking.takeOver(second.run, never);
		await assert.rejects(one, { name: 'AbortError' });
		await second.begun;
		second.end('two');
		assert.equal(await two, 'two');
	});

	test('a failure lets the next task start, and an aborted one never starts', async () => {
		const asking = turns();
		const first = work();
		const one = asking.wait(first.run, never);
		await first.begun;
		const giveUp = new AbortController();
		const two = asking.wait(async () => assert.fail('nobody waits for it'), giveUp.signal);
		const three = asking.wait(async () => 'three', never);
		giveUp.abort();
		await assert.rejects(two, { name: 'AbortError' });
		first.end('one');
		await one;
		assert.equal(await three, 'three');
		await assert.rejects(
			asking.wait(async () => Promise.reject(new Error('failed')), never),
			/failed/,
		);
		assert.equal(await asking.wait(async () => 'after', never), 'after');
	});
});
