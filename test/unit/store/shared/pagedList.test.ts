import assert from 'node:assert/strict';
import { isAbort } from '@forge-desk/base/abort.ts';
import type { Pages } from 'sourcehut/port/page.ts';
import { PagedList } from '../../../../src/store/shared/pagedList.ts';

const never = new AbortController().signal;

interface Numbers {
	readonly list: PagedList<number>;
	/** The items of the server, newest first. */
	readonly world: { items: readonly number[] };
	/** First item of each requested page. */
	readonly pages: number[];
}

function down(from: number, to = 1): readonly number[] {
	return Array.from({ length: from - to + 1 }, (_, at) => from - at);
}

/** A list of numbers in pages of ten. `compared` runs on each comparison. */
function numbers(first: readonly number[], compared: () => void = () => undefined): Numbers {
	const world = { items: first };
	const pages: number[] = [];
	async function* open(signal: AbortSignal): Pages<number> {
		const { items } = world;
		for (let at = 0; at < items.length; at += 10) {
			signal.throwIfAborted();
			pages.push(items[at] ?? 0);
			const isLast = at + 10 >= items.length;
			yield {
				items: items.slice(at, at + 10),
				seen: Math.min(items.length, at + 10),
				completeness: isLast ? { kind: 'complete' } : { kind: 'more', total: items.length },
			};
		}
	}
	const compare = (a: number, b: number): number => {
		compared();
		return b - a;
	};
	return { list: new PagedList({ open, idOf: (item) => item, compare }), world, pages };
}

suite('paged list', () => {
	test('stops a renewal after twenty pages, and then continues below without a gap', async () => {
		const { list, world, pages } = numbers(down(30));
		await list.first(never);
		await list.more(never);
		world.items = down(1000);
		pages.length = 0;
		const renewed = await list.renew(never);
		assert.equal(pages.length, 20);
		assert.deepEqual(renewed, { items: down(1000, 801), completeness: { kind: 'more', total: 1000 } });
		assert.deepEqual((await list.more(never)).items, down(1000, 791));
		assert.deepEqual(pages.slice(20), [800], 'it reads on where it stood');
	});

	test('asks once for its first page, whoever begins', async () => {
		for (const begin of [
			(list: PagedList<number>) => [list.first(never), list.renew(never)],
			(list: PagedList<number>) => [list.renew(never), list.cached(never), list.first(never)],
		]) {
			const { list, pages } = numbers(down(30));
			const all = await Promise.all(begin(list));
			assert.ok(all.every(({ items }) => items.length === 10));
			assert.deepEqual(pages, [30]);
		}
		// News may be missing from a page that was asked for before.
		const { list, pages } = numbers(down(30));
		const first = list.first(never);
		list.tellNews();
		await Promise.all([first, list.renew(never)]);
		assert.deepEqual(pages, [30, 30]);
	});

	test('continues below its first page after it was empty', async () => {
		const { list, world } = numbers([]);
		await list.first(never);
		world.items = down(25);
		assert.deepEqual(await list.renew(never), { items: down(25, 16), completeness: { kind: 'more', total: 25 } });
		assert.deepEqual((await list.more(never)).items, down(25, 6));
	});

	test('is never complete if it ends before a promised page', async () => {
		const list = new PagedList<number>({
			async *open() {
				yield await Promise.resolve({ items: [2, 1], seen: 2, completeness: { kind: 'more', total: 5 } });
			},
			idOf: (item) => item,
			compare: (a, b) => b - a,
		});
		await list.first(never);
		const end = { items: [2, 1], completeness: { kind: 'more', total: 5, isLast: true } };
		assert.deepEqual([await list.more(never), await list.more(never)], [end, end]);
	});

	test('keeps an item added during a renewal that drops older ones', async () => {
		const { list, world } = numbers(down(30));
		await list.first(never);
		world.items = down(1000);
		const renewing = list.renew(never);
		list.put(1001);
		assert.deepEqual((await renewing).items, down(1001, 801));
	});

	test('loads its first page on a renewal without data, and continues from there', async () => {
		const { list, pages } = numbers(down(30));
		assert.deepEqual(await list.renew(never), { items: down(30, 21), completeness: { kind: 'more', total: 30 } });
		assert.deepEqual((await list.more(never)).items, down(30, 11));
		assert.deepEqual(pages, [30, 20]);
	});

	test('keeps older items if the renewal reaches them within twenty pages', async () => {
		const { list, world, pages } = numbers(down(30));
		await list.first(never);
		await list.more(never);
		world.items = down(225);
		pages.length = 0;
		assert.deepEqual((await list.renew(never)).items, down(225, 11));
		assert.equal(pages.length, 20);
	});

	test('drops missing items after a full renewal, but not those added meanwhile', async () => {
		const { list, world, pages } = numbers(down(25));
		await list.first(never);
		world.items = down(26).filter((item) => item !== 20 && item !== 2);
		pages.length = 0;
		const renewing = list.renewAll(() => undefined, never);
		list.put(30);
		assert.deepEqual(await renewing, { items: [30, ...world.items], completeness: { kind: 'complete' } });
		assert.deepEqual([list.item(20), list.item(2), pages.length], [undefined, undefined, 3]);
		assert.deepEqual((await list.more(never)).items, [30, ...world.items], 'there is nothing to be read on');
	});

	test('drops nothing when a full renewal exceeds the page limit', async () => {
		const { list, world, pages } = numbers(down(20));
		await list.first(never);
		await list.more(never);
		world.items = down(1000, 21);
		pages.length = 0;
		assert.deepEqual((await list.renewAll(() => undefined, never)).items, [...down(1000, 801), ...down(20)]);
		assert.equal(pages.length, 20);
	});

	test('ignores a removed item in earlier requests', async () => {
		const { list } = numbers(down(15));
		const asked = list.tick();
		const first = list.first(never);
		list.remove(15);
		list.remove(14);
		assert.deepEqual((await first).items, down(13, 6));
		const renewing = list.renew(never);
		list.remove(13);
		assert.deepEqual(
			(await renewing).items,
			down(15, 6).filter((item) => item !== 13),
			'asked for later',
		);
		assert.deepEqual([list.put(13, asked), list.item(13)], ['same', undefined]);
		list.reset();
		assert.deepEqual([list.put(13, asked), list.item(13)], ['same', undefined], 'it is still older');
		list.remember({ items: [13], completeness: { kind: 'complete' } });
		assert.deepEqual(list.known()?.items, []);
		list.put(13);
		assert.deepEqual(list.known()?.items, [13], 'it was made again');
	});

	test('compares each item only a few times during a renewal', async () => {
		let comparisons = 0;
		const { list } = numbers(down(1000), () => void (comparisons += 1));
		for (let page = 0; page < 100; page++) {
			await list.more(never);
		}
		comparisons = 0;
		for (const item of down(1000)) {
			list.put(item);
		}
		assert.ok(comparisons < 10_000, String(comparisons));
	});

	/** A list whose first page waits for `answer`; concurrent reads return immediately. */
	function waiting(): Numbers & { readonly answer: () => void } {
		const { world, pages } = numbers(down(30));
		const first = Promise.withResolvers<void>();
		let readings = 0;
		async function* open(signal: AbortSignal): Pages<number> {
			readings += 1;
			const isFirst = readings === 1;
			const gone = new Promise<never>((_, reject) => {
				signal.addEventListener('abort', () => reject(new DOMException('The operation was aborted', 'AbortError')));
			});
			gone.catch(() => undefined);
			await (isFirst ? Promise.race([first.promise, gone]) : undefined);
			pages.push(world.items[0] ?? 0);
			yield { items: world.items, seen: world.items.length, completeness: { kind: 'complete' } };
		}
		const list = new PagedList({ open, idOf: (item: number) => item, compare: (a, b) => b - a });
		return { list, world, pages, answer: () => first.resolve() };
	}

	test('resolves a pending first page when another reader loads everything', async () => {
		const { list } = waiting();
		const shown = list.first(never);
		await list.renewAll(() => undefined, never);
		assert.deepEqual(await shown, { items: down(30), completeness: { kind: 'complete' } });
	});

	test('resolves a pending first page with current data after a reset', async () => {
		const { list, world, pages } = waiting();
		const shown = list.first(never);
		await Promise.resolve();
		world.items = down(31);
		list.reset();
		assert.deepEqual((await shown).items, down(31));
		assert.deepEqual(pages, [31], 'one request for who waits and who comes');
	});

	test('resolves a pending renewal with current data after a reset', async () => {
		for (const renew of ['renew', 'renewAll'] as const) {
			const { list, world, answer } = waiting();
			const renewing = renew === 'renew' ? list.renew(never) : list.renewAll(() => undefined, never);
			list.reset();
			world.items = down(31);
			answer();
			assert.deepEqual(await renewing, { items: down(31), completeness: { kind: 'complete' } }, renew);
		}
	});

	test('rejects pending readers when closed or aborted', async () => {
		const { list } = waiting();
		const shown = list.first(never);
		list.close();
		await assert.rejects(shown, isAbort);
		const giving = new AbortController();
		const { list: other } = waiting();
		const left = other.first(giving.signal);
		giving.abort();
		await assert.rejects(left, isAbort);
	});
});
