import assert from 'node:assert/strict';
import { SharedFlights } from '../src/sharedFlights.ts';

const never = new AbortController().signal;

suite('shared calls', () => {
	test('start anew after forget(), while earlier callers still get their result or cancel their call', async () => {
		const ended: string[] = [];
		let count = 0;
		const flights = new SharedFlights<string, { readonly cancel: (reason: Error) => void }>(() => {
			count += 1;
			const name = `call ${count}`;
			return { cancel: ({ message }) => ended.push(`${name}: ${message}`) };
		});
		const answers = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
		const ending = new AbortController();
		const join = (signal: AbortSignal, at: number): Promise<string> =>
			flights.join('a', () => answers[at]?.promise ?? assert.fail('it was started'), signal);
		const before = join(ending.signal, 0);
		flights.forget();
		const after = join(never, 1);
		const beside = join(never, 2);
		ending.abort(new Error('moved on'));
		await assert.rejects(before, /moved on/);
		assert.deepEqual(ended, ['call 1: moved on']);
		answers[0]?.resolve('old');
		answers[1]?.resolve('new');
		assert.deepEqual(await Promise.all([after, beside]), ['new', 'new']);
	});

	test('a reader that aborts while its call starts leaves it', async () => {
		const ended: string[] = [];
		const flights = new SharedFlights<string, { readonly cancel: (reason: Error) => void }>(() => ({
			cancel: ({ message }) => ended.push(message),
		}));
		const ending = new AbortController();
		const start = (): Promise<string> => {
			ending.abort(new Error('moved on'));
			return new Promise(() => undefined);
		};
		await assert.rejects(flights.join('a', start, ending.signal), /moved on/);
		assert.deepEqual(ended, ['moved on']);
		assert.equal(await flights.join('a', async () => 'again', never), 'again');
	});

	test('cancelAll() cancels each running call with a reason of its own', async () => {
		const ended: string[] = [];
		const flights = new SharedFlights<string, { readonly cancel: (reason: Error) => void }>(() => ({
			cancel: ({ message }) => ended.push(message),
		}));
		let made = 0;
		const reason = (): Error => {
			made += 1;
			return new Error(`closed ${made}`);
		};
		flights.cancelAll(reason);
		assert.equal(made, 0);
		const answer = Promise.withResolvers<string>();
		const both = ['a', 'b'].map((key) => flights.join(key, () => answer.promise, never));
		flights.cancelAll(reason);
		assert.deepEqual(ended, ['closed 1', 'closed 2']);
		answer.resolve('late');
		assert.deepEqual(await Promise.all(both), ['late', 'late']);
	});
});
