import assert from 'node:assert/strict';
import { gatheredReads } from '../src/gatheredReads.ts';

const never = new AbortController().signal;

interface Question {
	readonly keys: readonly string[];
	readonly signal: AbortSignal;
	readonly answer: PromiseWithResolvers<ReadonlyMap<string, string>>;
}

suite('batched reads', () => {
	let questions: Question[];
	let arrived: () => void;
	setup(() => {
		questions = [];
		arrived = () => undefined;
	});

	const read = (keys: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, string>> => {
		const answer = Promise.withResolvers<ReadonlyMap<string, string>>();
		questions.push({ keys, signal, answer });
		arrived();
		return answer.promise;
	};

	async function question(place: number): Promise<Question> {
		for (;;) {
			const found = questions[place];
			if (found) {
				return found;
			}
			await new Promise<void>((resolve) => (arrived = resolve));
		}
	}

	function answered({ keys, answer }: Question): void {
		answer.resolve(new Map(keys.filter((key) => key !== 'gone').map((key) => [key, `${key}!`])));
	}

	test('put all keys of one turn into one request, without duplicates', async () => {
		const get = gatheredReads({ read, mostAtOnce: 10, mostUnderWay: 1 });
		const wanted = Promise.all(['a', 'b', 'a', 'gone'].map((key) => get(key, never)));
		const first = await question(0);
		assert.deepEqual(first.keys, ['a', 'b', 'gone']);
		answered(first);
		assert.deepEqual(await wanted, ['a!', 'b!', 'a!', undefined]);
	});

	test('queue keys while the limit of requests is reached and fill the next batches up to their limit', async () => {
		const get = gatheredReads({ read, mostAtOnce: 2, mostUnderWay: 1 });
		const a = get('a', never);
		const first = await question(0);
		const others = Promise.all(['b', 'c', 'd'].map((key) => get(key, never)));
		answered(first);
		await a;
		answered(await question(1));
		answered(await question(2));
		assert.deepEqual(await others, ['b!', 'c!', 'd!']);
		assert.deepEqual(
			questions.map(({ keys }) => keys),
			[['a'], ['b', 'c'], ['d']],
		);
	});

	test('reject a cancelled caller immediately and abort the request with its last caller', async () => {
		const get = gatheredReads({ read, mostAtOnce: 10, mostUnderWay: 1 });
		const [one, other] = [new AbortController(), new AbortController()];
		const [a, b] = [get('a', one.signal), get('b', other.signal)];
		const { signal } = await question(0);
		one.abort();
		await assert.rejects(a, { name: 'AbortError' });
		assert.equal(signal.aborted, false);
		other.abort();
		await assert.rejects(b, { name: 'AbortError' });
		assert.equal(signal.aborted, true);
		await assert.rejects(get('c', AbortSignal.abort()), { name: 'AbortError' });
	});

	test('reject all callers of a failed batch and send the next batch', async () => {
		const get = gatheredReads({ read, mostAtOnce: 10, mostUnderWay: 1 });
		const failing = Promise.allSettled([get('a', never), get('b', never)]);
		(await question(0)).answer.reject(new Error('no'));
		assert.deepEqual(
			(await failing).map(({ status }) => status),
			['rejected', 'rejected'],
		);
		const next = get('c', never);
		answered(await question(1));
		assert.equal(await next, 'c!');
	});
});
