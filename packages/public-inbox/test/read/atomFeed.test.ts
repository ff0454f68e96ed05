import assert from 'node:assert/strict';
import { readFeed } from 'public-inbox/read/atomFeed.ts';

suite('feeds of archives', () => {
	const head = '<?xml version="1.0" encoding="us-ascii"?>\n<feed\nxmlns="x">';
	const link = '<link\nhref="https://x.example/a/1%2F2@x/"/>';
	const read = (entry: string, start = head) => readFeed(Buffer.from(`${start}<entry>${entry}</entry></feed>`));

	test('begin with their declaration', () => {
		for (const [start, isFeed] of [
			[head, true],
			[`\n ${head.replace('\n', '\n\n ')}`, true],
			[head.replace('\n', ''), true],
			[`x${head}`, false],
			[head.replace('<feed', 'x<feed'), false],
			['<feed xmlns="x">', false],
			['<?xml version="1.0"?><feeds>', false],
		] as const) {
			assert.equal(read(link, start)?.length, isFeed ? 1 : undefined, start);
		}
	});

	test('may lack any fact but the link', () => {
		const facts = {
			messageId: '<1/2@x>',
			subject: '',
			author: '',
			address: '',
			dateMs: undefined,
			parentId: undefined,
		};
		const cases: readonly (readonly [string, Partial<typeof facts> | { readonly [name: string]: unknown }])[] = [
			['', {}],
			['<title type="html">A &#38;lt; b</title>', { subject: 'A &lt; b' }],
			['<name>A</name><email>a@x</email>', { author: 'A', address: 'a@x' }],
			['<updated>yesterday</updated>', {}],
			['<updated>2026-01-02T03:04:05Z</updated>', { dateMs: Date.UTC(2026, 0, 2, 3, 4, 5) }],
			['<thr:in-reply-to\nref="urn:uuid:1"\nhref="https://x.example/a/0@x/"/>', { parentId: '<0@x>' }],
			['<thr:in-reply-to href=""/>', {}],
			['<thr:in-reply-to/> href="https://x.example/a/0@x/"', {}],
			['<content><title>no</title><name>no</name></content>', {}],
			[`${' '.repeat(16 * 1024)}<title>too late</title>`, {}],
		];
		for (const [rest, own] of cases) {
			assert.deepEqual(read(link + rest), [{ ...facts, ...own }], rest);
		}
	});

	test('leave out entries without a link of a mail, and what a cut left', () => {
		for (const other of [
			'',
			'<link href="/"/>',
			'<link href=""/>',
			'<link rel="x" href="1@x/"/>',
			'<link href="a/%ZZ@x/"/>',
		]) {
			assert.deepEqual(read(other), [], other);
		}
		assert.deepEqual(readFeed(Buffer.from(`${head}<link href="a/1@x/"/></entry><entry>${link}`)), []);
		assert.equal(read('<link   href="https://x.example/a/1@x"/>')?.[0]?.messageId, '<1@x>');
	});
});
