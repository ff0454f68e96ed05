import assert from 'node:assert/strict';
import { gatheredReads } from '../src/gatheredReads.ts';

const never = new AbortController().signal;

interface Question {
	readonly keys: readonly string[];
	readonly signal: AbortSignal;
	readonly answer: PromiseWithResolvers<ReadonlyMap<string, string>>;
}

suite('reads that are gathered', () => {
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

	test('what is wanted in one turn is one question, each thing once', async () => {
		const get = gatheredReads({ read, mostAtOnce: 10, mostUnderWay: 1 });
		const wanted = Promise.all(['a', 'b', 'a', 'gone'].map((key) => get(key, never)));
		const first = await question(0);
		assert.deepEqual(first.keys, ['a', 'b', 'gone']);
		answered(first);
		assert.deepEqual(await wanted, ['a!', 'b!', 'a!', undefined]);
	});

	test('what comes while enough are under way goes into the next, as much as fits', async () => {
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

	test('who gives up is told at once, and the question ends when nobody waits any longer', async () => {
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

	test('a question that fails fails for all of it, and the next one is asked', async () => {
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
