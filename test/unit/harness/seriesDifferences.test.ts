import assert from 'node:assert/strict';
import { differences, wrongPatchesIn, type B4Series, type MailFacts } from '../../foreign/b4/differences.ts';
import type { ProductSeries } from '../../foreign/b4/productSeries.ts';

function facts(change: Partial<MailFacts> = {}): MailFacts {
	return {
		from: 'ann@a.example',
		name: 'Ann',
		subject: '[PATCH] fold: one',
		revision: null,
		index: 1,
		count: 1,
		isNumbered: false,
		hasDiff: true,
		...change,
	};
}

const mails = {
	a1: facts({ index: 1, count: 2, isNumbered: true, subject: '[PATCH 1/2] fold: one' }),
	a2: facts({ index: 2, count: 2, isNumbered: true, subject: '[PATCH 2/2] fold: two' }),
	b2: facts({ index: 2, count: 2, isNumbered: true, subject: '[PATCH v2 2/2] fold: two', revision: 2 }),
	e2: facts({ index: 2, count: 2, isNumbered: true, subject: '[PATCH 2/2] hole', from: 'eve@e.example' }),
	note: facts({ subject: 'It fails with this diff' }),
} satisfies Record<string, MailFacts>;

type Name = keyof typeof mails;

function ofB4(patches: readonly (Name | null)[], change: Partial<B4Series> = {}): B4Series {
	const isComplete = !patches.includes(null);
	return { thread: 'a1', revision: 1, isComplete, isPartial: false, cover: null, patches, ...change };
}

function ofProduct(...patches: readonly Name[]): ProductSeries {
	return { version: 1, isFormed: false, cover: undefined, patches, problems: [] };
}

function compared(series: B4Series, ...product: readonly ProductSeries[]): readonly [string, string] {
	const [found] = differences({ series: [series], mails, unread: [], cpuMs: 0 }, product);
	return [found?.kind ?? '', found?.right ?? ''];
}

suite('differences to series of b4', () => {
	const rows: readonly (readonly [what: string, B4Series, readonly ProductSeries[], readonly [string, string]])[] = [
		['equal patches', ofB4(['a1', 'a2']), [ofProduct('a1', 'a2')], ['same', 'both']],
		['no patchset for a complete series', ofB4(['a1', 'a2']), [], ['missing', 'b4']],
		['a patchset with a part of the series', ofB4(['a1', 'a2']), [ofProduct('a1')], ['fragment', 'b4']],
		[
			'a fragment beside the version whose patch it keeps',
			ofB4(['a1', 'b2'], { revision: 2, isPartial: true }),
			[ofProduct('a1', 'a2'), ofProduct('b2')],
			['fragment', 'b4'],
		],
		["a stranger's patch in b4's series", ofB4(['a1', 'e2']), [ofProduct('a1', 'a2')], ['other patches', 'product']],
		['a note with a diff, which is no patch', ofB4(['note']), [], ['missing', 'product']],
		['a series that lacks a patch', ofB4(['a1', null]), [], ['incomplete, missing', 'unclear']],
		[
			'the whole series where b4 finds one part',
			ofB4(['a1', null]),
			[ofProduct('a1', 'a2')],
			['incomplete, other', 'product'],
		],
	];
	for (const [what, series, product, expected] of rows) {
		test(`judge ${what}`, () => assert.deepEqual(compared(series, ...product), expected));
	}

	test("name a stranger's patch, a number twice and a note as wrong patches", () => {
		const wrong = (...patches: readonly Name[]): readonly string[] => wrongPatchesIn(ofProduct(...patches), [], mails);
		assert.deepEqual(wrong('a1', 'a2'), []);
		assert.deepEqual(wrong('a1', 'e2'), ['several senders']);
		assert.deepEqual(wrong('a1', 'a2', 'e2'), ['several senders', 'a number twice']);
		assert.deepEqual(wrong('a1', 'note'), ['a patch without a number']);
		assert.deepEqual(wrong('a1', 'b2'), ['several versions']);
	});
});
