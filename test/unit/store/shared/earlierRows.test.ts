import assert from 'node:assert/strict';
import { isAbort } from '@forge-desk/base/abort.ts';
import { ForgeError, type Problem } from 'sourcehut/port/forgeError.ts';
import type { Page } from 'sourcehut/port/page.ts';
import type { KeptListing, Listing } from '../../../../src/store/shared/listing.ts';
import { PagedList } from '../../../../src/store/shared/pagedList.ts';
import type { PageRead } from '../../../../src/store/shared/pageRead.ts';

const never = new AbortController().signal;
const yesterdayMs = 1000;

/** A list in a new window. */
interface Window {
	readonly list: PagedList<number>;
	/** Responds to the oldest pending request. */
	readonly answer: (items: readonly number[]) => Promise<void>;
	readonly fail: (problem: Problem) => Promise<void>;
	readonly waiting: { readonly length: number };
	/** Kind of each event, and whether the list changed. */
	readonly told: string[];
	readonly kept: { value: Listing<number> | undefined };
}

interface Request {
	readonly resolve: (page: Page<number>) => void;
	readonly reject: (error: unknown) => void;
}

/** `kept`: rows of an earlier window. `mayRead`: resolves when the disk is ready. */
function open(kept: readonly number[] | undefined, mayRead = Promise.resolve()): Window {
	const waiting: Request[] = [];
	const told: string[] = [];
	const on: Window['kept'] = { value: kept && { items: kept, completeness: { kind: 'complete' } } };
	const disk: KeptListing<number> = {
		read: () => mayRead.then(() => on.value && { value: on.value, readAtMs: yesterdayMs }),
		keep(listing) {
			on.value = listing;
			return yesterdayMs;
		},
		drop: () => void (on.value = undefined),
	};
	const list: PagedList<number> = new PagedList({
		async *open(signal) {
			yield await new Promise<Page<number>>((resolve, reject) => {
				waiting.push({ resolve, reject });
				signal.addEventListener('abort', () => reject(signal.reason));
			});
		},
		idOf: (item) => item,
		compare: (a, b) => b - a,
		disk,
		arrived: (read: PageRead<number>) =>
			void told.push(`${read.place} ${list.take(read).isOtherList ? 'other' : 'same'}`),
	});
	const settled = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
	return {
		list,
		waiting,
		told,
		kept: on,
		answer(items) {
			waiting.shift()?.resolve({ items, seen: items.length, completeness: { kind: 'complete' } });
			return settled();
		},
		fail(problem) {
			waiting.shift()?.reject(new ForgeError(problem));
			return settled();
		},
	};
}

suite('rows from an earlier window', () => {
	test('appear with their age before the forge responds, and then follow the response', async () => {
		const { list, answer, waiting, told, kept } = open([3, 2, 1]);
		assert.deepEqual((await list.cached(never)).items, [3, 2, 1]);
		assert.deepEqual(list.before(), { readAtMs: yesterdayMs, error: undefined });
		assert.equal(waiting.length, 1, 'the forge is asked once');
		assert.deepEqual((await list.cached(never)).items, [3, 2, 1]);
		await answer([4, 3]);
		assert.deepEqual([list.known()?.items, list.before(), waiting.length], [[4, 3], undefined, 0]);
		assert.deepEqual(told, ['before same', 'anew other']);
		assert.deepEqual(kept.value?.items, [4, 3]);
	});

	test('appear for all concurrent readers', async () => {
		const { list, waiting, told } = open([3, 2, 1]);
		const looks = await Promise.all([list.cached(never), list.cached(never), list.cached(never)]);
		assert.deepEqual(
			looks.map(({ items }) => items),
			Array.from({ length: 3 }, () => [3, 2, 1]),
		);
		assert.deepEqual([waiting.length, told], [1, ['before same']]);
	});

	test('are no substitute for a reader that wants current rows', async () => {
		const { list, answer } = open([3, 2, 1]);
		await list.cached(never);
		const asked = list.first(never);
		await answer([4]);
		assert.deepEqual((await asked).items, [4]);
	});

	test('appear while another reader waits for the forge, and then follow the response', async () => {
		const { list, answer, waiting, told } = open([3, 2, 1]);
		const asked = list.first(never);
		assert.deepEqual((await list.cached(never)).items, [3, 2, 1]);
		assert.deepEqual(list.before(), { readAtMs: yesterdayMs, error: undefined });
		assert.equal(waiting.length, 1, 'one request for both');
		await answer([4, 3]);
		assert.deepEqual([(await asked).items, list.known()?.items, list.before()], [[4, 3], [4, 3], undefined]);
		assert.deepEqual([told, waiting.length], [['before same', 'next other'], 0]);
	});

	test('stay with the error when an earlier request fails', async () => {
		const { list, fail, waiting } = open([3, 2, 1]);
		const asked = list.first(never);
		await list.cached(never);
		await fail({ kind: 'rateLimited', untilMs: 5000 });
		assert.deepEqual(
			[(await asked).items, list.known()?.items],
			[
				[3, 2, 1],
				[3, 2, 1],
			],
		);
		assert.ok(list.before()?.error instanceof ForgeError);
		assert.equal(waiting.length, 0);
	});

	test('never return after a response, even an empty one', async () => {
		const { list, answer, told } = open([3, 2, 1]);
		const asked = list.first(never);
		await list.recall();
		await answer([]);
		assert.deepEqual([(await asked).items, list.known()], [[], { items: [], completeness: { kind: 'complete' } }]);
		assert.deepEqual(told, ['before same', 'next other']);
	});

	test('stay while the forge is offline, with the error', async () => {
		const { list, fail, told, waiting } = open([3, 2, 1]);
		await list.cached(never);
		const asked = list.first(never);
		await fail({ kind: 'unreachable', reason: 'refused', host: 'forge.test' });
		assert.deepEqual((await asked).items, [3, 2, 1]);
		const before = list.before();
		assert.deepEqual([before?.readAtMs, before?.error instanceof ForgeError], [yesterdayMs, true]);
		assert.ok(list.itemBefore(3)?.error instanceof ForgeError);
		assert.deepEqual([told, waiting.length], [['before same', 'before other', 'before same'], 0]);
	});

	for (const [problem, isOfService] of [
		[{ kind: 'unreachable', reason: 'refused', host: 'forge.test' }, true],
		[{ kind: 'rateLimited', untilMs: undefined }, true],
		[{ kind: 'serverError', status: 500 }, false],
	] as const) {
		test(`reload on a retry only after an error of the service: ${problem.kind}`, async () => {
			const { list, fail, answer, waiting } = open([3, 2, 1]);
			await list.cached(never);
			await fail(problem);
			list.retry();
			list.retry();
			assert.deepEqual([list.known()?.items, waiting.length], [[3, 2, 1], isOfService ? 1 : 0]);
			await answer([4]);
			assert.deepEqual(list.known()?.items, isOfService ? [4] : [3, 2, 1]);
			list.retry();
			assert.equal(waiting.length, 0);
		});
	}

	for (const kind of ['notFound', 'missingScope'] as const) {
		test(`disappear after another error: ${kind}`, async () => {
			const { list, fail, answer, told, kept, waiting } = open([3, 2, 1]);
			await list.cached(never);
			await fail(kind === 'notFound' ? { kind } : { kind, scope: 'lists:read', asWritten: 'lists:read' });
			assert.deepEqual([list.known(), list.before(), told], [undefined, undefined, ['before same', 'failed other']]);
			assert.equal(kept.value === undefined, kind === 'notFound', 'what is refused is not kept');
			const again = list.cached(never);
			await answer([5]);
			assert.deepEqual([(await again).items, waiting.length], [[5], 0]);
		});
	}

	test('appear only for the first read of a window', async () => {
		const { list, answer, waiting } = open([3, 2, 1]);
		const first = list.first(never);
		await answer([4]);
		await first;
		list.reset();
		const anew = list.cached(never);
		assert.equal(list.known(), undefined);
		await new Promise((resolve) => void setImmediate(resolve));
		assert.equal(waiting.length, 1);
		await answer([6]);
		assert.deepEqual((await anew).items, [6]);
	});

	test('are absent if no window stored any', async () => {
		const { list, answer } = open(undefined);
		const look = list.cached(never);
		await new Promise((resolve) => void setImmediate(resolve));
		await answer([2]);
		assert.deepEqual([(await look).items, list.before()], [[2], undefined]);
	});

	test('never replace a response that arrived meanwhile', async () => {
		const disk = Promise.withResolvers<void>();
		const { list, answer } = open([3, 2, 1], disk.promise);
		const [look, now] = [list.cached(never), list.first(never)];
		await answer([9]);
		disk.resolve();
		assert.deepEqual([(await look).items, (await now).items, list.before()], [[9], [9], undefined]);
	});

	for (const look of ['cached', 'first'] as const) {
		test(`cause a request for the next reader after an aborted one (${look})`, async () => {
			const { list, answer, waiting, told } = open([3, 2, 1]);
			await list.recall();
			const leaving = new AbortController();
			const left = list[look](leaving.signal);
			leaving.abort();
			await left.catch((error: unknown) => assert.ok(isAbort(error)));
			assert.deepEqual((await list.cached(never)).items, [3, 2, 1]);
			assert.equal(waiting.length, 1, 'the forge is asked once');
			await answer([4]);
			assert.deepEqual([list.known()?.items, list.before(), told], [[4], undefined, ['before same', 'anew other']]);
		});
	}

	test('reload even if their first reader is gone', async () => {
		const { list, answer } = open([3, 2, 1]);
		await list.recall();
		await assert.rejects(list.first(AbortSignal.abort()), isAbort);
		await answer([4]);
		assert.deepEqual([list.known()?.items, list.before()], [[4], undefined]);
	});

	test('disappear with the list, without further events', async () => {
		const { list, told, answer } = open([3]);
		await list.cached(never);
		list.close();
		await answer([4]);
		assert.deepEqual(told, ['before same']);
	});
});
