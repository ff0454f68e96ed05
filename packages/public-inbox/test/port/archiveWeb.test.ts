import assert from 'node:assert/strict';
import type { Destination } from 'sourcehut/port/destination.ts';
import type { WebPage } from 'sourcehut/port/webAddresses.ts';
import { archiveWeb, inboxAt, inboxUrlOf } from '../../src/port/archiveWeb.ts';

const site = 'https://archive.example/';
const devel = { owner: 'archive.example', name: 'devel' };

suite('pages of an archive', () => {
	const web = archiveWeb(site);

	test('have addresses for lists and mails, and for nothing else', () => {
		const cases: readonly (readonly [WebPage, string | undefined])[] = [
			[{ kind: 'list', ref: devel }, `${site}devel/`],
			[{ kind: 'list', ref: { ...devel, name: 'a/b c?' } }, `${site}a%2Fb%20c%3F/`],
			[{ kind: 'mail', list: devel, messageId: '<a/b%c@x>' }, `${site}devel/a%2Fb%25c%40x/`],
			[{ kind: 'patchset', ref: { list: devel, id: 1 } }, undefined],
			[{ kind: 'person', name: '~ann' }, undefined],
			[{ kind: 'list', ref: { ...devel, name: '..' } }, undefined],
			[{ kind: 'mail', list: { ...devel, name: '.' }, messageId: '<a@x>' }, undefined],
		];
		for (const [page, expected] of cases) {
			assert.equal(web.address(page), expected, page.kind);
		}
		assert.equal(web.mailbox(`${site}devel/a%40x/`), `${site}devel/a%40x/raw`);
		assert.equal(web.remotes({ owner: '~ann', name: 'x' }), undefined);
	});

	test('open in the program only for this site', () => {
		const mail = (name: string): Destination => ({ kind: 'mail', messageId: '<a@x>', list: { ...devel, name } });
		const cases: readonly (readonly [string, Destination | undefined])[] = [
			[`${site}devel/`, { kind: 'list', ref: devel }],
			[`${site}devel`, { kind: 'list', ref: devel }],
			[`${site}devel/?q=fold`, { kind: 'list', ref: devel }],
			[`${site}devel/a@x/T/#u`, mail('devel')],
			[`${site}a%2Fb/a@x/`, mail('a/b')],
			// A site finds mails in all its inboxes, and has pages without a list.
			[`${site}a@x/`, { kind: 'mail', messageId: '<a@x>', list: undefined }],
			[`${site}r/a@x`, { kind: 'mail', messageId: '<a@x>', list: undefined }],
			[`${site}all/a@x/`, mail('all')],
			['https://patch.msgid.link/a@x', undefined],
			[site, { kind: 'web', href: site }],
			[`${site}deep/devel/`, { kind: 'web', href: `${site}deep/devel/` }],
			[`${site}deep/devel/a@x/`, { kind: 'web', href: `${site}deep/devel/a@x/` }],
			['https://archive.example.evil.example/devel/', undefined],
			['http://archive.example/devel/', undefined],
			['https://user:word@archive.example/devel/', undefined],
		];
		for (const [href, expected] of cases) {
			assert.deepEqual(web.destination(new URL(href)), expected, href);
		}
	});

	test('are meant by links of hosts that know Message-IDs alone', () => {
		const lore = archiveWeb('https://lore.kernel.org/');
		for (const href of [
			'https://patch.msgid.link/a@x',
			'https://msgid.link/a@x/',
			'https://lkml.kernel.org/r/a@x',
			'http://lkml.kernel.org/r/a%40x',
			'https://lore.kernel.org/r/a@x',
			'https://lore.kernel.org/a@x/T/#u',
		]) {
			assert.deepEqual(lore.destination(new URL(href)), { kind: 'mail', messageId: '<a@x>', list: undefined }, href);
		}
		assert.equal(lore.destination(new URL('https://lkml.kernel.org/')), undefined);
	});

	test('have typed names and pasted addresses for their lists', () => {
		const cases: readonly (readonly [string, string | undefined])[] = [
			['archive.example/devel', 'devel'],
			['archive.example/devel \n', 'devel'],
			[`${site}devel/`, 'devel'],
			[`<${site}devel/a@x/>`, 'devel'],
			['https://archive.example/devel/new.html', 'devel'],
			[site, undefined],
			[`${site}deep/devel/`, undefined],
			['https://other.example/devel/', undefined],
			['other.example/devel', undefined],
			['archive.example/', undefined],
			['archive.example/a b', undefined],
			[' archive.example/devel/', 'devel'],
			['archive.example/devel?q=x', undefined],
			['archive.example/..', undefined],
			['archive.example/a#b', undefined],
			['x archive.example/devel', undefined],
			['<a@x>', undefined],
			['devel', undefined],
		];
		for (const [text, name] of cases) {
			assert.deepEqual(web.pastedList?.(text), name === undefined ? undefined : { ...devel, name }, text);
		}
	});

	test('of a site below a path have its path, and lists of the path above are others', () => {
		const below = archiveWeb(`${site}mail/`);
		assert.equal(below.address({ kind: 'list', ref: devel }), `${site}mail/devel/`);
		assert.deepEqual(below.destination(new URL(`${site}mail/devel/a@x/`)), {
			kind: 'mail',
			messageId: '<a@x>',
			list: devel,
		});
		assert.equal(below.destination(new URL(`${site}devel/`)), undefined);
	});

	test('of an inbox name its site', () => {
		const cases: readonly (readonly [string, readonly [string, string] | undefined])[] = [
			[`${site}devel/`, [site, 'devel']],
			['http://archive.example:81/mail/a/b/', ['http://archive.example:81/mail/a/', 'b']],
			[`${site}a%2Fb/`, [site, 'a/b']],
			[site, undefined],
			[`${site}devel`, undefined],
			[`${site}devel//`, undefined],
			[`${site}100%/`, undefined],
			[`${site}devel/?q=/`, undefined],
			[`${site}devel/#x/`, undefined],
			['ftp://archive.example/devel/', undefined],
			[`x${site}devel/`, undefined],
		];
		for (const [url, expected] of cases) {
			const found = inboxAt(url);
			assert.deepEqual(found && [found.siteUrl, found.name], expected, url);
			assert.ok(!found || inboxUrlOf(found.siteUrl, found.name) === url);
		}
	});
});
