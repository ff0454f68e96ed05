import assert from 'node:assert/strict';
import { isAbort } from '../src/abort.ts';
import { SharedReads } from '../src/sharedFlights.ts';

const never = new AbortController().signal;

/** A SharedReads and a record of the reads that it started. */
function rig() {
	const reads = new SharedReads<string>();
	const started: { readonly signal: AbortSignal; readonly answer: PromiseWithResolvers<string> }[] = [];
	const read = (signal = never, key = 'a'): Promise<string> =>
		reads.read(
			key,
			(shared) => {
				const answer = Promise.withResolvers<string>();
				started.push({ signal: shared, answer });
				shared.addEventListener('abort', () => answer.reject(shared.reason), { once: true });
				return answer.promise;
			},
			signal,
		);
	return { reads, started, read };
}

suite('shared reads', () => {
	test('concurrent readers of one key share a read; other keys and later readers start their own', async () => {
		const { started, read } = rig();
		const both = [read(), read()];
		const other = read(never, 'b');
		assert.equal(started.length, 2);
		started[0]?.answer.resolve('first');
		started[1]?.answer.resolve('other');
		assert.deepEqual(await Promise.all([...both, other]), ['first', 'first', 'other']);
		void read();
		assert.equal(started.length, 3);
	});

	test('a failed read rejects all its readers and is not cached', async () => {
		const { started, read } = rig();
		const both = [read(), read()].map((reading) => assert.rejects(reading, /lost/));
		started[0]?.answer.reject(new Error('lost'));
		await Promise.all(both);
		const again = read();
		started[1]?.answer.resolve('there');
		assert.equal(await again, 'there');
	});

	test('an aborted reader leaves the others waiting, and the last one aborts the read', async () => {
		const { started, read } = rig();
		const [one, two] = [new AbortController(), new AbortController()];
		const readings = [read(one.signal), read(two.signal)];
		one.abort();
		await assert.rejects(readings[0]!, isAbort);
		assert.equal(started[0]?.signal.aborted, false);
		two.abort();
		await assert.rejects(readings[1]!, isAbort);
		assert.equal(started[0]?.signal.aborted, true);
		const later = read();
		started[1]?.answer.resolve('anew');
		assert.equal(await later, 'anew');
	});

	test('an aborted reader gets its own reason, and the shared read gets an AbortError', async () => {
		const { started, read } = rig();
		const ending = new AbortController();
		const reading = read(ending.signal);
		ending.abort(new Error('closed'));
		await assert.rejects(reading, /closed/);
		assert.ok(isAbort(started[0]?.signal.reason));
	});

	test('an aborted signal starts no read, and an abort after the result has no effect', async () => {
		const { started, read } = rig();
		const ended = new AbortController();
		ended.abort();
		await assert.rejects(read(ended.signal), isAbort);
		assert.equal(started.length, 0);
		const ending = new AbortController();
		const reading = read(ending.signal);
		started[0]?.answer.resolve('there');
		assert.equal(await reading, 'there');
		ending.abort();
		assert.equal(started[0]?.signal.aborted, false);
	});

	test('abortAll() aborts all pending reads', async () => {
		const { reads, started, read } = rig();
		const readings = [read(), read(never, 'b')].map((reading) => assert.rejects(reading, isAbort));
		reads.abortAll();
		await Promise.all(readings);
		assert.ok(started.every(({ signal }) => signal.aborted));
	});
});
