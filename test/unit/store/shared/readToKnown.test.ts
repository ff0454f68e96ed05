import assert from 'node:assert/strict';
import type { Completeness, Page, Pages } from 'sourcehut/port/page.ts';
import { readToKnown } from '../../../../src/store/shared/pagedList.ts';

async function* pagesOf(...pages: readonly Page<number>[]): Pages<number> {
	yield* pages;
}

function page(kind: Completeness['kind'], ...items: readonly number[]): Page<number> {
	return { items, seen: items.length, completeness: kind === 'more' ? { kind, total: undefined } : { kind } };
}

suite('reading up to known items', () => {
	test('leaves the completeness unstated if the server does', async () => {
		for (const pages of [[page('unstated')], [page('unstated', 9)], [page('more', 9), page('unstated')]]) {
			const { completeness } = await readToKnown(pagesOf(...pages), (item) => item === 3);
			assert.deepEqual(completeness, { kind: 'unstated' });
		}
	});

	test('is incomplete if a promised page is missing', async () => {
		const read = await readToKnown(pagesOf(page('more', 9), page('more', 8)), () => false);
		const completeness = { kind: 'more', total: undefined, isLast: true };
		assert.deepEqual(read, { items: [9, 8], completeness, isApart: false });
	});

	test('stops after the first page with a known item', async () => {
		const pages = pagesOf(page('more', 9, 8), page('more', 7, 3), page('complete', 2));
		const { items, completeness, isApart } = await readToKnown(pages, (item) => item === 3);
		assert.deepEqual([items, completeness.kind, isApart], [[9, 8, 7, 3], 'more', false]);
	});

	test('reports a gap if the known items are too far away', async () => {
		const pages = pagesOf(...Array.from({ length: 30 }, (_, at) => page('more', 100 - at)));
		const { items, isApart } = await readToKnown(pages, (item) => item === 3);
		assert.deepEqual([items.length, isApart], [20, true]);
	});
});
