import assert from 'node:assert/strict';
import { ForgeError, type Problem } from 'sourcehut/port/forgeError.ts';
import {
	itemsToTryAgain,
	runBulk,
	type BulkItem,
	type BulkOutcome,
	type BulkResult,
} from '../../../../src/editor/bulk/runBulk.ts';

interface Subject {
	readonly connectionKey: string;
	readonly id: number;
}
type Item = BulkItem<Subject, string>;
type Outcome = BulkOutcome<string, object>;
type ItemResult = BulkResult<Subject, string, object>;

const never = new AbortController().signal;

function items(count: number, connectionKey = 'sample-alice'): readonly Item[] {
	return Array.from({ length: count }, (_, at) => ({ subject: { connectionKey, id: at + 1 }, wish: 'open' }));
}

const done: Outcome = { kind: 'done', wasLost: false };
const settled = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

function kinds(results: readonly ItemResult[]): readonly string[] {
	return results.map(({ outcome }) => outcome.kind);
}

suite('bulk changes', () => {
	test('writes to four objects at a time, with one result for each', async () => {
		let running = 0;
		let most = 0;
		let steps = 0;
		const results = await runBulk(
			items(11),
			4,
			async () => {
				running += 1;
				most = Math.max(most, running);
				await settled();
				running -= 1;
				return done;
			},
			() => void (steps += 1),
			never,
		);
		assert.deepEqual([most, steps, results.length], [4, 11, 11]);
		assert.deepEqual(
			results.map(({ item }) => item.subject.id),
			items(11).map(({ subject }) => subject.id),
		);
	});

	test('cancelling midway starts no new write, and waits for the running ones', async () => {
		const cancelling = new AbortController();
		const gate = Promise.withResolvers<void>();
		const running = runBulk(
			items(10),
			4,
			async ({ subject }) => {
				await (subject.id === 1 ? settled() : gate.promise);
				return done;
			},
			() => undefined,
			cancelling.signal,
		);
		await settled();
		await settled();
		cancelling.abort();
		gate.resolve();
		assert.deepEqual(
			kinds(await running),
			items(10).map((_, at) => (at < 5 ? 'done' : 'notTried')),
		);
	});

	test('a rejection concerns its own ticket only', async () => {
		const results = await runBulk(
			items(6),
			4,
			async ({ subject }) => {
				if (subject.id % 2 === 0) {
					throw new ForgeError({ kind: 'notAllowed' });
				}
				return done;
			},
			() => undefined,
			never,
		);
		assert.deepEqual(kinds(results), ['done', 'refused', 'done', 'refused', 'done', 'refused']);
	});

	for (const problem of [
		{ kind: 'notSignedIn' },
		{ kind: 'tokenRejected', area: 'todo' },
		{ kind: 'missingScope', scope: undefined, asWritten: 'x' },
		{ kind: 'rateLimited', untilMs: undefined },
		{ kind: 'unreachable', reason: 'refused', host: 'x' },
	] satisfies readonly Problem[]) {
		test(`a failure that affects every ticket stops the run: ${problem.kind}`, async () => {
			let tries = 0;
			const results = await runBulk(
				items(20),
				4,
				async () => {
					tries += 1;
					await settled();
					throw new ForgeError(problem);
				},
				() => undefined,
				never,
			);
			assert.equal(tries, 1);
			assert.deepEqual(kinds(results).filter((kind) => kind === 'notTried').length, 19);
		});
	}

	test('a failure that stops one account does not stop another', async () => {
		const both = [...items(5), ...items(5, 'sample-carol')];
		const results = await runBulk(
			both,
			4,
			async ({ subject }) => {
				if (subject.connectionKey === 'sample-alice') {
					throw new ForgeError({ kind: 'tokenRejected', area: 'todo' });
				}
				return done;
			},
			() => undefined,
			never,
		);
		assert.deepEqual(
			kinds(results),
			both.map(({ subject: { connectionKey, id } }) =>
				connectionKey === 'sample-carol' ? 'done' : id === 1 ? 'refused' : 'notTried',
			),
		);
	});

	test('a declined question stops the run too, appears once, and rejects nothing', async () => {
		let questions = 0;
		const results = await runBulk(
			items(6),
			4,
			async () => {
				questions += 1;
				await settled();
				throw new DOMException('Cancelled by the user', 'AbortError');
			},
			() => undefined,
			never,
		);
		assert.deepEqual(new Set(kinds(results)), new Set(['notTried']));
		assert.equal(questions, 1);
	});

	test('an unreachable forge stops the run', async () => {
		let tries = 0;
		const lost = (problem: Problem): Promise<readonly ItemResult[]> => {
			tries = 0;
			return runBulk(
				items(20),
				4,
				async () => {
					tries += 1;
					await settled();
					return { kind: 'unclear', error: new ForgeError(problem) };
				},
				() => undefined,
				never,
			);
		};
		assert.equal(kinds(await lost({ kind: 'unreachable', reason: 'reset', host: 'x' })).at(-1), 'notTried');
		assert.equal(tries, 1);
		await lost({ kind: 'serverError', status: 500 });
		assert.equal(tries, 20, 'one ticket that makes the server fail says nothing of the others');
	});

	test('a whole change can be sent again after a transient rejection', () => {
		const [item] = items(1);
		assert.ok(item);
		for (const problem of [
			{ kind: 'rateLimited', untilMs: undefined },
			{ kind: 'tokenRejected', area: 'todo' },
			{ kind: 'unreachable', reason: 'refused', host: 'x' },
		] satisfies readonly Problem[]) {
			assert.deepEqual(itemsToTryAgain([{ item, outcome: { kind: 'refused', error: new ForgeError(problem) } }]), [
				item,
			]);
		}
		const notAllowed = new ForgeError({ kind: 'notAllowed' });
		assert.deepEqual(itemsToTryAgain([{ item, outcome: { kind: 'refused', error: notAllowed } }]), []);
		assert.deepEqual(itemsToTryAgain([{ item, outcome: { kind: 'refused', error: new Error('bug') } }]), []);
	});

	test('only changes known to be missing can be sent again, reduced to their missing part', () => {
		const [item] = items(1);
		assert.ok(item);
		const error = new ForgeError({ kind: 'serverError', status: 500 });
		const left = 'Hello';
		const again = itemsToTryAgain([
			{ item, outcome: { kind: 'missing', left, error } },
			{ item, outcome: { kind: 'notTried' } },
			{ item, outcome: { kind: 'unclear', error } },
			{ item, outcome: { kind: 'refused', error } },
			{ item, outcome: { kind: 'needless', reason: '' } },
			{ item, outcome: { kind: 'done', wasLost: false } },
		]);
		assert.deepEqual(again, [{ ...item, wish: left }, item]);
	});
});
