import assert from 'node:assert/strict';
import { idInHref, readSearchPage } from 'public-inbox/read/searchPage.ts';

suite('pages of search', () => {
	const by = '- by A @ 2026-01-02  3:04 UTC [99%]';
	const row = (place: number, id: string, behind = by): string =>
		`${place}. <b><a\nhref="${id}/">${id}</a></b>\n  ${behind}\n\n`;
	const read = (rows: string, count: string) =>
		readSearchPage(Buffer.from(`<pre>${rows}</pre><hr><pre id=t>${count}</pre>`));
	const ids = (page: ReturnType<typeof read>) => page?.rows.map(({ messageId }) => messageId.slice(1, -1));

	test('count their places from zero, and have a row or a gap for each', () => {
		const cases: readonly (readonly [string, readonly number[], readonly string[], unknown])[] = [
			['Results 1-3 of 3', [1, 2, 3], ['1@x', '2@x', '3@x'], [0, 3, 3, false, []]],
			['Results 201-203 of ~1000', [203, 201], ['201@x', '203@x'], [200, 203, 1000, true, [201]]],
			['Results 2-3 of 9', [1, 2, 3, 4], ['2@x', '3@x'], [1, 3, 9, false, []]],
			['Results\n 10-11 of 11', [10, 11, 12], ['10@x', '11@x'], [9, 11, 11, false, []]],
			['Results 5-3 of 9', [4, 5], [], [4, 3, 9, false, []]],
			['No more results, only 12', [], [], [12, 12, 12, false, []]],
		];
		for (const [count, places, expected, facts] of cases) {
			const page = read(places.map((place) => row(place, `${place}@x`)).join(''), count);
			assert.deepEqual(ids(page), expected, count);
			assert.deepEqual([page?.from, page?.to, page?.total, page?.isEstimate, page?.missing], facts, count);
		}
		assert.deepEqual(ids(read(row(1, 'first@x') + row(1, 'second@x'), 'Results 1-1 of 1')), ['first@x']);
		// A subject looks like a count, and reads as in an answer without hits.
		assert.deepEqual(ids(read(row(1, 'Results 1-1 of 1') + row(2, 'b@x'), 'Results 1-2 of 2')), [
			'Results 1-1 of 1',
			'b@x',
		]);
		assert.deepEqual(read('', 'Results 0-0 of 0')?.missing, []);
		const lying = read('', 'Results 11-999999999 of 999999999');
		assert.deepEqual([lying?.to, lying?.missing.length], [1010, 1000]);
		assert.equal(read(row(1, '1@x'), 'Some results'), undefined);
	});

	test('give author and minute of each row, whatever its author is called', () => {
		const atMs = Date.UTC(2026, 0, 2, 3, 4);
		const cases: readonly (readonly [string, string, number | undefined])[] = [
			[by, 'A', atMs],
			['- by  J&#246;rg &lt;x&gt;  @ 2026-01-02  3:04 UTC', 'Jörg <x>', atMs],
			[
				'- by A - by B @ 2020-01-01  1:00 UTC [99%] @ 2026-01-02  3:04 UTC [99%]',
				'A - by B @ 2020-01-01  1:00 UTC [99%]',
				atMs,
			],
			['- by A @ 10000-12-31 23:59 UTC [100%]', 'A', Date.UTC(10_000, 11, 31, 23, 59)],
			['- by A @ yesterday [9%] ', 'A @ yesterday', undefined],
			['- by A [9%] B [100%]', 'A [9%] B', undefined],
			['- by A @ 2026-1-2 3:04 UTC', 'A @ 2026-1-2 3:04 UTC', undefined],
			['written yesterday', '', undefined],
			['', '', undefined],
		];
		for (const [behind, author, dateMs] of cases) {
			const [first] =
				read(row(1, '1@x', behind) + row(2, '2@x', '- by B @ 2020-02-03 14:05 UTC'), 'Results 1-2 of 2')?.rows ?? [];
			assert.deepEqual([first?.author, first?.dateMs], [author, dateMs], behind);
		}
		const [long] =
			read(row(1, '1@x', `- by ${'x'.repeat(5000)} @ 2026-01-02  3:04 UTC`), 'Results 1-1 of 1')?.rows ?? [];
		assert.match(long?.author ?? '', /^x{1000,1024}$/);
	});

	test('begin rows with a place and a link, in any dress', () => {
		const cases: readonly (readonly [string, unknown])[] = [
			['1. <b><a\nhref="a@x/">A &amp; &#60;b&#62;</a></b>', ['<a@x>', 'A & <b>']],
			['1.<a href="a@x/">A</a>', ['<a@x>', 'A']],
			['1.  <b>\n <a class=x id="y" href="a@x/?t=1#u" title="z">A</a>', ['<a@x>', 'A']],
			['1. <a href="a%26amp%3Bb@x/"></a>', ['<a&amp;b@x>', '']],
			['1. <a href="a&amp;b@x/">A</a>', ['<a&b@x>', 'A']],
			['1. <b>no link</b> <a href="a@x/">A</a>', undefined],
			['1. <a name="a@x/">A</a>', undefined],
			['1. <a href="../a@x/">A</a>', undefined],
			['1. <a href="a@x/">A', undefined],
			['x. <a href="a@x/">A</a>', undefined],
		];
		for (const [text, expected] of cases) {
			const page = read(`\n${text}\n`, 'Results 1-1 of 1');
			const [first] = page?.rows ?? [];
			assert.deepEqual(first && [first.messageId, first.subject], expected, text);
			assert.deepEqual(page?.missing, expected === undefined ? [0] : []);
		}
	});

	test('link to mails by their Message-ID', () => {
		const cases: Readonly<Record<string, string | undefined>> = {
			'a@x/': '<a@x>',
			'a@x': '<a@x>',
			'a%2Fb%25c@x/': '<a/b%c@x>',
			'%3Ca@x%3E/': '<a@x>',
			'a@x/?x=t': '<a@x>',
			'a@x#u': '<a@x>',
			'%C3%A9@x/': '<\u00E9@x>',
			'%C3%A9%E2%82%AC@x/': '<\u00E9\u20AC@x>',
			'': undefined,
			'/': undefined,
			'?q=a@x': undefined,
			'a@x/raw': undefined,
			'a%ZZ@x/': undefined,
		};
		for (const [href, id] of Object.entries(cases)) {
			assert.equal(idInHref(href), id, href);
		}
	});
});
