import assert from 'node:assert/strict';
import { statedIds } from 'public-inbox/lines/committedLine.ts';
import { readFeed } from 'public-inbox/read/atomFeed.ts';
import { readInboxConfig, readPrefixes } from 'public-inbox/read/inboxFacts.ts';
import { idInHref, readSearchPage } from 'public-inbox/read/searchPage.ts';
import { readListing, readManifest } from 'public-inbox/read/siteListing.ts';
import { strangePage } from 'public-inbox/read/strangePage.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

suite('pages of archives', () => {
	test('a configuration names addresses, mirrors and repositories', () => {
		const config = [
			'; Example public-inbox config snippet for a mirror of',
			'[publicinbox "de\\"vel"]',
			'\t; a comment = no value',
			'\taddress = devel@lists.example',
			'\taddress = "old@lists.example"',
			'\taddress = not an address',
			'\tlistid = devel.lists.example',
			'\tnewsgroup = example.devel',
			'\tnntpmirror = nntps://news.example/example.devel',
			'\timapmirror = imaps://mail.example/example.devel.0',
			'\tcoderepo = project.git',
			'[coderepo "project.git"]',
			'\tcgiturl = https://git.example/project.git',
		].join('\n');
		assert.deepEqual(readInboxConfig(bytes(config), { url: 'https://x.example/devel/', description: 'Devel' }), {
			url: 'https://x.example/devel/',
			name: 'de"vel',
			description: 'Devel',
			addresses: ['devel@lists.example', 'old@lists.example'],
			listId: 'devel.lists.example',
			newsgroups: ['example.devel'],
			mirrors: ['nntps://news.example/example.devel', 'imaps://mail.example/example.devel.0'],
			repositories: ['https://git.example/project.git'],
		});
		assert.equal(
			readInboxConfig(bytes('[core]\n\tbare = true\n'), { url: 'https://x.example/', description: '' }),
			undefined,
		);
	});

	test('a help page lists prefixes with their texts', () => {
		const help =
			'search\n\n  Prefixes supported in this installation include:\n\n    s:        match within Subject  e.g. s:"a b"\n    d:        match date-time range\n              Open-ended ranges\n\n  Most prefixes: are\n\n    x:        no prefix\n';
		assert.deepEqual(readPrefixes(bytes(help)), [
			{ name: 's', text: 'match within Subject  e.g. s:"a b"' },
			{ name: 'd', text: 'match date-time range Open-ended ranges' },
		]);
		assert.deepEqual(readPrefixes(bytes('no search here')), []);
	});

	test('a Message-ID of 8 bits in a link is read as UTF-8', () => {
		assert.equal(idInHref('umlaut-%C3%83%C2%BC@x/'), '<umlaut-\u00FC@x>');
		assert.equal(idInHref('umlaut-%C3%BC@x/'), '<umlaut-\u00FC@x>');
		assert.equal(idInHref('euro-%E2%82%AC@x/'), '<euro-\u20AC@x>');
		assert.equal(idInHref('a/b@x/'), undefined);
	});

	test('a page of search without a count is none', () => {
		assert.equal(readSearchPage(bytes('1. <b><a\nhref="a@x/">a</a></b>')), undefined);
		const end = readSearchPage(bytes('<pre id=t>No more results, only 7</pre>'));
		assert.deepEqual([end?.rows, end?.from, end?.total], [[], 7, 7]);
	});

	test('a feed has whole entries only', () => {
		const entry = (id: string): string =>
			`<entry><author><name>A &#38; B</name><email>a@x</email></author><title\ntype="html">x &lt;y</title><updated>2026-01-02T03:04:05Z</updated><link\nhref="http://x/devel/${id}/"/><content>&lt;entry&gt;<link href="no"/></content></entry>`;
		const feed = `<?xml version="1.0" encoding="us-ascii"?>\n<feed\nxmlns="http://www.w3.org/2005/Atom">${entry('a%2Fb@x')}${entry('c@x').slice(0, -3)}`;
		assert.deepEqual(readFeed(bytes(feed)), [
			{
				messageId: '<a/b@x>',
				subject: 'x <y',
				author: 'A & B',
				address: 'a@x',
				dateMs: Date.UTC(2026, 0, 2, 3, 4, 5),
				parentId: undefined,
			},
		]);
		assert.equal(readFeed(bytes('<html></html>')), undefined);
	});

	test('a start page lists inboxes without a manifest', () => {
		const listing =
			'<pre>* 2026-01-02  3:04 - <a\nhref="https://x.example/devel">https://x.example/devel</a>\n  Mails &amp; more\n* 1970-01-01  0:00 - <a\nhref="//y.example/old/">x</a>\n  Old\n* - <a\nhref="?o=200">next</a></pre>';
		assert.deepEqual(readListing(bytes(listing), 'https://x.example/'), [
			{
				url: 'https://x.example/devel/',
				name: 'devel',
				description: 'Mails & more',
				modifiedMs: Date.UTC(2026, 0, 2, 3, 4),
				epochs: [],
			},
			{ url: 'https://y.example/old/', name: 'old', description: 'Old', modifiedMs: 0, epochs: [] },
		]);
		assert.equal(readManifest(bytes('[]x'), 'https://x.example/'), undefined);
		assert.equal(readManifest(bytes('{"/a":7}'), 'https://x.example/'), undefined);
	});

	test('endless attributes, spaces, steps and keys take no longer than the page', () => {
		const bytes = (text: string): Buffer => Buffer.from(text);
		const attributes = `<a ${'href=""'.repeat(200_000)}`;
		assert.deepEqual(readSearchPage(bytes(`Results 1-2 of 2\n1. <b>${attributes}`))?.rows, []);
		assert.deepEqual(readListing(bytes(`* ${attributes}`), 'https://archive.example/'), []);
		const blank = ' '.repeat(100_000);
		const row = `Results 1-1 of 1\n1. <b><a\nhref="a@b/">x</a></b>\n- by ${blank}x${blank}`;
		assert.equal(readSearchPage(bytes(row))?.rows.length, 1);
		const entry = `<entry><id>x</id><thr:in-reply-to href="${'a'.repeat(16_000)}//"/><link href="https://a.example/l/a@b/"/></entry>`;
		assert.ok(readFeed(bytes(`<?xml version="1.0"?><feed xmlns="x">${entry.repeat(200)}</feed>`)));
		const names = `<entry><link href="https://a.example/l/a@b/"/>${'<email '.repeat(2300)}</entry>`;
		assert.equal(readFeed(bytes(`<?xml version="1.0"?><feed xmlns="x">${names.repeat(1000)}</feed>`))?.length, 1000);
		assert.deepEqual(statedIds(`x\n\nLink: ${'@'.repeat(1_000_000)}<`), []);
		const config = `[publicinbox "x"]\n${'address=a@b\n'.repeat(200_000)}`;
		const facts = readInboxConfig(bytes(config), { url: 'https://archive.example/x/', description: '' });
		assert.equal(facts?.addresses.length, 200_000);
	});

	test('a page of an archive may speak of challenges', () => {
		const own = '<a href="../_/text/help/">help</a> Making sure you\'re not a bot!';
		assert.equal(strangePage(bytes(own)), undefined);
		assert.equal(strangePage(bytes("Making sure you're not a bot!")), 'challenge');
		assert.equal(strangePage(bytes('<p>Hello</p>')), 'foreign');
	});
});
