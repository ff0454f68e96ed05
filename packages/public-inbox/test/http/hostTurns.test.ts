import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { isAbort } from '@forge-desk/base/abort.ts';
import { HostTurns } from 'public-inbox/http/hostTurns.ts';
import { fakeClock } from '../../../../test/support/fakeClock.ts';

suite('turns of a host', () => {
	const never = new AbortController().signal;

	function open() {
		const clock = fakeClock();
		const startMs = clock.nowMs();
		const turns = new HostTurns(clock);
		/** The requests that were sent, and when. */
		const sent: (readonly [string, number])[] = [];
		const ends = new Map<string, () => void>();
		const running = new Set<string>();
		return {
			clock,
			turns,
			sent,
			/** Each runs until `end` says so. */
			ask: async (name: string, signal = never): Promise<void> => {
				await turns.run(async () => {
					running.add(name);
					sent.push([[...running].join(' with '), clock.nowMs() - startMs]);
					const { promise, resolve } = Promise.withResolvers<void>();
					ends.set(name, resolve);
					await promise.finally(() => running.delete(name));
				}, signal);
			},
			end: async (name: string): Promise<void> => {
				ends.get(name)?.();
				await setImmediate();
			},
			advance: async (byMs: number): Promise<void> => {
				clock.advance(byMs);
				await setImmediate();
			},
		};
	}

	test('leave 100 ms between the end of a request and the next one', async () => {
		const { ask, end, advance, sent } = open();
		const asked = [ask('a'), ask('b')];
		await advance(30);
		await end('a');
		await advance(99);
		assert.deepEqual(sent, [['a', 0]]);
		await advance(1);
		await end('b');
		await advance(100);
		asked.push(ask('at once'));
		await end('at once');
		await advance(5000);
		asked.push(ask('much later'));
		await end('much later');
		assert.deepEqual(sent, [
			['a', 0],
			['b', 130],
			['at once', 230],
			['much later', 5230],
		]);
		await Promise.all(asked);
	});

	test('come in the order of their requests, also of those that begin while a turn passes on', async () => {
		const { ask, end, advance, sent } = open();
		const names = ['a', 'b', ...Array.from({ length: 12 }, (_, at) => String(at))];
		const asked = [ask('a'), ask('b')];
		const ended = end('a');
		for (const name of names.slice(2)) {
			asked.push(ask(name));
			await Promise.resolve();
		}
		await ended;
		for (const name of names.slice(1)) {
			await advance(100);
			await end(name);
		}
		assert.deepEqual(
			sent,
			names.map((name, at) => [name, at * 100]),
		);
		await Promise.all(asked);
	});

	test('pass an aborted request over, and lose no other one', async () => {
		const { ask, end, advance, sent } = open();
		const [early, waiting, running, pausing] = Array.from({ length: 4 }, () => new AbortController());
		early?.abort();
		await assert.rejects(ask('early', early?.signal), isAbort);
		const asked = [ask('a'), ask('running', running?.signal)];
		const gone = assert.rejects(ask('waiting', waiting?.signal), isAbort);
		const left = assert.rejects(ask('pausing', pausing?.signal), isAbort);
		asked.push(ask('b'), ask('c'));
		await assert.rejects(ask('early', early?.signal), isAbort);
		waiting?.abort();
		await gone;
		await end('a');
		await advance(100);
		running?.abort();
		await end('running');
		pausing?.abort();
		await left;
		for (const name of ['b', 'c']) {
			await advance(100);
			await end(name);
		}
		await Promise.all(asked);
		assert.deepEqual(
			sent.map(([name]) => name),
			['a', 'running', 'b', 'c'],
		);
	});

	test('pass on after a failed request', async () => {
		const { turns, ask, end, advance, sent } = open();
		const failing = turns.run(async () => Promise.reject(new Error('No network')), never);
		const next = ask('next');
		await assert.rejects(failing, /No network/);
		await advance(100);
		await end('next');
		await next;
		assert.deepEqual(sent, [['next', 100]]);
	});

	test('wait through a rest of ten seconds, and name the end of a longer one', async () => {
		const { turns, clock, ask, end, advance, sent } = open();
		assert.equal(turns.rest(10_000), clock.nowMs() + 10_000);
		assert.equal(turns.restsUntilMs, undefined);
		const asked = [ask('patient')];
		await advance(9999);
		assert.deepEqual(sent, []);
		await advance(1);
		await end('patient');
		const untilMs = turns.rest(10_001);
		assert.equal(untilMs, clock.nowMs() + 10_001);
		assert.equal(turns.restsUntilMs, untilMs);
		// Its caller gives up by itself, without a wait.
		asked.push(ask('told'));
		await end('told');
		assert.deepEqual(sent, [
			['patient', 10_000],
			['told', 10_000],
		]);
		await advance(1);
		assert.equal(turns.restsUntilMs, undefined);
		await Promise.all(asked);
	});

	test('rest longer with each demand, up to ten minutes, until the host answers', () => {
		const { turns, clock } = open();
		const restsMs = (count: number): readonly number[] =>
			Array.from({ length: count }, () => turns.rest(undefined) - clock.nowMs());
		assert.deepEqual(
			restsMs(11),
			[2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600].map((seconds) => seconds * 1000),
		);
		assert.equal(turns.rest(0), clock.nowMs());
		turns.answered();
		assert.deepEqual(restsMs(2), [2000, 4000]);
	});
});
