import assert from 'node:assert/strict';
import { readListing, readManifest } from 'public-inbox/read/siteListing.ts';

suite('lists of a site', () => {
	const site = 'https://x.example/';
	const manifestOf = (entries: unknown, siteUrl = site) => readManifest(Buffer.from(JSON.stringify(entries)), siteUrl);

	test('join the epochs of an inbox, and describe it by the newest', () => {
		const entries = {
			'/a/git/10.git': { modified: 1_600_000_000, description: 'All of A [epoch 10]' },
			'/a/git/9.git': { modified: 1_700_000_000, description: 'Old words [epoch 9]' },
			'/old': { description: 'Named [epoch 1] of two' },
			'below/b/git/0.git': { modified: 1, description: null },
		};
		assert.deepEqual(manifestOf(entries), [
			{
				url: `${site}a/`,
				name: 'a',
				description: 'All of A',
				modifiedMs: 1_700_000_000_000,
				epochs: [`${site}a/git/9.git`, `${site}a/git/10.git`],
			},
			{
				url: `${site}old/`,
				name: 'old',
				description: 'Named [epoch 1] of two',
				modifiedMs: undefined,
				epochs: [`${site}old`],
			},
			{
				url: `${site}below/b/`,
				name: 'below/b',
				description: '',
				modifiedMs: 1000,
				epochs: [`${site}below/b/git/0.git`],
			},
		]);
		// Paths begin at the host, also for a site below a path.
		assert.equal(manifestOf({ '/s/a/git/0.git': {} }, `${site}s/`)?.[0]?.url, `${site}s/a/`);
	});

	test('ignore odd entries of a manifest, and know what is none', () => {
		const odd = {
			'': {},
			'/': {},
			'//elsewhere.example/a/git/0.git': {},
			'/\\elsewhere.example/a': {},
			'/a\n/git/0.git': {},
			'../../x': {},
			'/a/../../x/git/0.git': {},
			'/./a': {},
			'/a/%2e%2e/b': {},
			'/a%2Fb': {},
			'/\u202egnitsil/git/0.git': {},
			'/nul\0/git/0.git': {},
			'/hidden\u200b': {},
			'/line\u2028': {},
			'/back\\slash': {},
			'/b/git/1234567.git': {},
			'/c/git/x.git': { modified: 'yesterday', description: 7, owner: 'me' },
		};
		assert.deepEqual(
			manifestOf(odd)?.map(({ url, name, description, modifiedMs }) => [url, name, description, modifiedMs]),
			['b/git/1234567.git', 'c/git/x.git'].map((name) => [`${site}${name}/`, name, '', undefined]),
		);
		assert.deepEqual(manifestOf({}), []);
		for (const text of ['', '[]x', 'null', '7', '{"/a":7}', '{"/a":null}']) {
			assert.equal(readManifest(Buffer.from(text), site), undefined, text);
		}
	});

	test('come from a start page with or without dates, and may be on any host by https', () => {
		const cases: readonly (readonly [string, unknown])[] = [
			[`* 2026-01-02  3:04 - <a\nhref="${site}a">a</a>\n  A &amp; B\n`, ['a', 'A & B', Date.UTC(2026, 0, 2, 3, 4)]],
			[`*  2026-11-12 13:14  -  <a class=x href="a/" id=y>a</a>`, ['a', '', Date.UTC(2026, 10, 12, 13, 14)]],
			['* <a href="/a&amp;b/c/">a</a> A <b>B</b>', ['a&b/c', 'A', undefined]],
			['* - <a href="https://y.example:81/a">a</a>', ['a', '', undefined]],
			// Plain http, names in a URL, and names that read as something else.
			['* - <a href="http://y.example:81/a">a</a>', undefined],
			['* - <a href="http://10.0.0.1/linux-kernel/">linux-kernel</a>', undefined],
			['* - <a href="http://x.example/a">a</a>', undefined],
			['* - <a href="https://x.example@y.example/a">a</a>', undefined],
			['* - <a href="/a%2f..%2fb/">a</a>', undefined],
			['* - <a href="/%E2%80%AEcba/">a</a>', undefined],
			['* - <a href="/a%00b/">a</a>', undefined],
			['* - <a href="/a%ff/">a</a>', undefined],
			['* - <a href="/a%5Cb/">a</a>', undefined],
			['* 2026-1-2 3:04 - <a href="/a">a</a>', undefined],
			['- <a href="/a">a</a>', undefined],
			['* <a href="/">a</a>', undefined],
			['* <a href="/a?o=200">next</a>', undefined],
			['* <a href="mailto:a@x">a</a>', undefined],
			['* <a href="xhttps:a">a</a>', undefined],
			['* <a href="httpsx:a">a</a>', undefined],
			['* <a href="http://[/">a</a>', undefined],
			['* <a name="/a">a</a>', undefined],
		];
		for (const [text, expected] of cases) {
			const [first, ...rest] = readListing(Buffer.from(`<pre>${text}</pre>`), site);
			assert.deepEqual(first && [first.name, first.description, first.modifiedMs], expected, text);
			assert.deepEqual(rest, []);
		}
		const pages = readListing(Buffer.from('* <a href="//y.example:81/a">a</a>\n* <a href="b">b</a>'), `${site}s/`);
		assert.deepEqual(
			pages.map(({ url, epochs }) => [url, epochs]),
			[
				['https://y.example:81/a/', []],
				[`${site}s/b/`, []],
			],
		);
	});
});
