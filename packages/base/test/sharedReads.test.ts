import assert from 'node:assert/strict';
import { isAbort } from '../src/abort.ts';
import { SharedReads } from '../src/sharedFlights.ts';

const never = new AbortController().signal;

/** Readers of one thing, and what became of the reads that were started for them. */
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

suite('reads that are shared', () => {
	test('readers of one thing at the same time are answered by one read, others and later ones by their own', async () => {
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

	test('a failure is that of all its readers, and is not kept', async () => {
		const { started, read } = rig();
		const both = [read(), read()].map((reading) => assert.rejects(reading, /lost/));
		started[0]?.answer.reject(new Error('lost'));
		await Promise.all(both);
		const again = read();
		started[1]?.answer.resolve('there');
		assert.equal(await again, 'there');
	});

	test('a reader that gives up leaves the others waiting, and the last one ends the read', async () => {
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

	test('a reader that gives up is told its own reason, and what it shared an abort', async () => {
		const { started, read } = rig();
		const ending = new AbortController();
		const reading = read(ending.signal);
		ending.abort(new Error('closed'));
		await assert.rejects(reading, /closed/);
		assert.ok(isAbort(started[0]?.signal.reason));
	});

	test('who has given up already starts nothing, and who gives up afterwards changes nothing', async () => {
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

	test('all that is under way can be given up at once', async () => {
		const { reads, started, read } = rig();
		const readings = [read(), read(never, 'b')].map((reading) => assert.rejects(reading, isAbort));
		reads.abortAll();
		await Promise.all(readings);
		assert.ok(started.every(({ signal }) => signal.aborted));
	});
});
