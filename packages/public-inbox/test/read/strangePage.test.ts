import assert from 'node:assert/strict';
import { isHtml, strangePage } from 'public-inbox/read/strangePage.ts';

suite('pages in place of an answer', () => {
	const bytes = (text: string): Uint8Array => Buffer.from(text);

	test('are challenges by the words of several proxies', () => {
		for (const sign of [
			"Making sure you're not a bot!",
			'Making sure you&#39;re not a bot!',
			'making sure you’re not a bot',
			'<script id="anubis_challenge">',
			'<script id="anubis-version">',
			'<script src="/.within.website/x/cmd/anubis">',
			'<title>Just a moment...</title>',
			'<script src="/cdn-cgi/challenge-platform/h/b">',
			'window.cf_chl.opt',
			'Checking your browser before',
			'Checking if the site connection is secure',
			'Enable JavaScript and cookies to continue',
			'DDoS-Guard',
			'src="/_Incapsula_Resource"',
			'<div id="px-captcha">',
			'<div class="g-recaptcha">',
			'<div class="h-captcha">',
		]) {
			const page = `<html>${sign}</html>`;
			assert.equal(strangePage(bytes(page)), 'challenge', sign);
			assert.equal(strangePage(bytes(`${' '.repeat(64 * 1024)}${page}`)), 'foreign', sign);
			assert.equal(strangePage(bytes(`<a\nhref="../_/text/help/">help</a>${page}`)), undefined, sign);
		}
	});

	test('have no links to the texts of an archive', () => {
		const cases: Readonly<Record<string, undefined | 'foreign'>> = {
			'<a\nhref="_/text/help/">': undefined,
			'<a href=https://x.example/a/_/text/mirror/>': undefined,
			'<a href="../_/text/color/">': undefined,
			'<a href="_/text/other/">': 'foreign',
			'<a href="a b_/text/help/">': 'foreign',
			'_/text/help/': 'foreign',
			'': 'foreign',
		};
		for (const [page, expected] of Object.entries(cases)) {
			assert.equal(strangePage(bytes(page)), expected, page);
		}
	});

	test('are HTML by their type or their start', () => {
		const cases: readonly (readonly [string, string, boolean])[] = [
			['text/html', '', true],
			[' Text/HTML; charset=UTF-8', 'x', true],
			['application/xhtml+xml', '', true],
			['text/plain', '<!DOCTYPE html>', true],
			['', '\n\t <HTML lang=en>', true],
			['', '\uFEFF<html>', true],
			['text/plain; not=text/html', '', false],
			['text/plain', 'x<html>', false],
			['text/plain', '<htmlx>', false],
			['application/atom+xml', '<?xml version="1.0"?>', false],
			['text/plain', `${' '.repeat(200)}<html>`, false],
		];
		for (const [type, start, expected] of cases) {
			assert.equal(isHtml(type, bytes(start)), expected, `${type} ${start}`);
		}
	});
});
