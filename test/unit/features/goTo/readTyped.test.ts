import assert from 'node:assert/strict';
import { readTyped } from '../../../../src/features/goTo/readTyped.ts';
import type { Destination } from 'sourcehut/port/destination.ts';
import { webDestination } from 'sourcehut/web/readAddress.ts';
import { sampleInstance } from '../../../support/fakeConnection.ts';

const { todo, lists, git, meta } = sampleInstance.areas;
const alpha = { owner: '~alice', name: 'alpha' };

/** A destination that the caller resolves with the references of `alpha`. */
function inRepository(way: string, written: string): Destination {
	const [page, ...steps] = way.split('/');
	assert.ok(page === 'tree' || page === 'blob');
	return {
		kind: 'inRepository',
		ref: alpha,
		way: { page, steps, lines: undefined },
		href: `${git}/~alice/alpha/${page}/${written}`,
	};
}

suite('Go to text', () => {
	for (const [text, typed] of [
		['  ', { kind: 'nothing' }],
		['12', { kind: 'number', id: 12 }],
		['#12', { kind: 'number', id: 12 }],
		['alpha#12', { kind: 'ticket', owner: undefined, name: 'alpha', id: 12 }],
		['~alice/alpha#12', { kind: 'ticket', owner: '~alice', name: 'alpha', id: 12 }],
		['~alice/alpha/12', { kind: 'ticket', owner: '~alice', name: 'alpha', id: 12 }],
		['~alice/alpha', { kind: 'named', owner: '~alice', name: 'alpha' }],
		['<m1@forge.test>', { kind: 'messageId', messageId: '<m1@forge.test>', address: undefined }],
		['m1.x=y@forge.test', { kind: 'messageId', messageId: '<m1.x=y@forge.test>', address: 'm1.x=y@forge.test' }],
		['Message-ID: <m1@forge.test>', { kind: 'messageId', messageId: '<m1@forge.test>', address: undefined }],
		['~alice', { kind: 'person', name: '~alice', hasWords: false }],
		['~alice/', { kind: 'person', name: '~alice', hasWords: false }],
		['~alice lan', { kind: 'person', name: '~alice', hasWords: true }],
		[
			'mailto:bob@forge.test?subject=Hi',
			{ kind: 'messageId', messageId: '<bob@forge.test>', address: 'bob@forge.test' },
		],
		['Bob B. <bob@forge.test>', { kind: 'messageId', messageId: '<bob@forge.test>', address: 'bob@forge.test' }],
		['crash at start', { kind: 'words', text: 'crash at start' }],
		['0', { kind: 'words', text: '0' }],
		['#crash', { kind: 'words', text: '#crash' }],
		['mail me @ home', { kind: 'words', text: 'mail me @ home' }],
	] as const) {
		test(`${JSON.stringify(text)} is ${typed.kind}`, () => {
			assert.deepEqual(readTyped(text), typed);
		});
	}

	for (const text of [
		'~alice/alpha-devel@lists.forge.test',
		'mailto:~alice/alpha-devel@lists.forge.test',
		'MAILTO:%7Ealice%2Falpha-devel@lists.forge.test',
		'mailto:~alice/alpha-devel@lists.forge.test?subject=%5BPATCH%5D&body=a',
		'<~alice/alpha-devel@lists.forge.test>',
		'Alpha <~alice/alpha-devel@lists.forge.test>',
		'<mailto:~alice/alpha-devel@lists.forge.test?subject=x>',
		'~alice/alpha-devel+subscribe@lists.forge.test',
		'mailto:~alice/alpha-devel%2Bunsubscribe@lists.forge.test',
		'u.alice.alpha-devel@lists.forge.test',
		'u.alice.alpha-devel+subscribe@lists.forge.test',
	]) {
		test(`${text} is the address of a list`, () => {
			const typed = readTyped(text);
			assert.ok(typed.kind === 'listAddress', typed.kind);
			assert.deepEqual([typed.owner, typed.name, typed.host], ['~alice', 'alpha-devel', 'lists.forge.test']);
		});
	}

	test('rejects a list address with a broken escape', () => {
		assert.notEqual(readTyped('mailto:%7alice/alpha-devel@lists.forge.test').kind, 'listAddress');
	});

	test('reads a URL with or without its scheme, and other text with a slash as words', () => {
		const typed = readTyped(` ${todo}/~alice/alpha/12 `);
		assert.equal(typed.kind === 'address' && typed.url.href, `${todo}/~alice/alpha/12`);
		const bare = readTyped('todo.forge.test/~alice/alpha/12');
		assert.equal(bare.kind === 'address' && bare.url.href, `${todo}/~alice/alpha/12`);
		assert.equal(readTyped('and/or').kind, 'words');
	});
});

suite('destination of a URL', () => {
	for (const [address, destination] of [
		[`${todo}/~alice/alpha`, { kind: 'tracker', ref: alpha }],
		[`${todo}/~alice/alpha/`, { kind: 'tracker', ref: alpha }],
		[`${todo}/~alice/alpha?search=x`, { kind: 'tracker', ref: alpha }],
		[`${todo}/~alice/alpha/12#event-3`, { kind: 'ticket', ref: { tracker: alpha, id: 12 }, event: 3 }],
		[`${todo}/~alice/alpha/12#event-x`, { kind: 'ticket', ref: { tracker: alpha, id: 12 } }],
		[`${todo}/%7Ealice/alpha/12`, { kind: 'ticket', ref: { tracker: alpha, id: 12 } }],
		[`${lists}/~alice/alpha`, { kind: 'list', ref: alpha }],
		[`${lists}/~alice/alpha/patches`, { kind: 'list', ref: alpha }],
		[`${lists}/~alice/alpha/patches/7`, { kind: 'patchset', ref: { list: alpha, id: 7 } }],
		[`${lists}/~alice/alpha/patches/7/mbox`, { kind: 'patchset', ref: { list: alpha, id: 7 } }],
		[`${lists}/bob@host.example/alpha`, { kind: 'list', ref: { owner: 'bob@host.example', name: 'alpha' } }],
		[`${lists}/~alice/alpha/%3Cm1%40forge.test%3E`, { kind: 'mail', messageId: '<m1@forge.test>', list: alpha }],
		[
			`${lists}/~alice/alpha/%3Cm1%40forge.test%3E#%3Cm2@forge.test%3E`,
			{ kind: 'mail', messageId: '<m2@forge.test>', list: alpha, thread: '<m1@forge.test>' },
		],
		[`${lists}/~alice/alpha/%3Ca/b@forge.test%3E`, { kind: 'mail', messageId: '<a/b@forge.test>', list: alpha }],
		[`${lists}/~alice/alpha/<a/b@forge.test>/raw`, { kind: 'mail', messageId: '<a/b@forge.test>', list: alpha }],
		[`${lists}/~alice/alpha/%3Ca%2Fb@forge.test%3E`, { kind: 'mail', messageId: '<a/b@forge.test>', list: alpha }],
		[`${lists}/~alice/alpha/raw/b@forge.test`, { kind: 'web', href: `${lists}/~alice/alpha/raw/b@forge.test` }],
		[
			`${lists}/~alice/alpha/patches/7#%3Cm2@forge.test%3E`,
			{ kind: 'patchset', ref: { list: alpha, id: 7 }, mail: '<m2@forge.test>' },
		],
		[
			`${lists}/~alice/alpha/patches/7#<m2@forge.test>+src/a.c`,
			{ kind: 'patchset', ref: { list: alpha, id: 7 }, mail: '<m2@forge.test>', file: 'src/a.c' },
		],
		[`${git}/~alice/alpha/log/master`, { kind: 'log', ref: alpha, revision: 'master', path: undefined }],
		[`${git}/~alice/alpha`, { kind: 'repository', ref: alpha }],
		[`${git}/~alice/alpha/tree`, { kind: 'repository', ref: alpha }],
		[`${git}/~alice/alpha/tree/master`, { kind: 'reference', ref: alpha, revision: 'master' }],
		[`${git}/~alice/alpha/tree/feature%2Fx`, inRepository('tree/feature/x', 'feature%2Fx')],
		[`${git}/~alice/alpha/tree/feature/x/item/`, inRepository('tree/feature/x/item', 'feature/x/item/')],
		[`${git}/~alice/alpha/refs/1.0`, { kind: 'reference', ref: alpha, revision: '1.0' }],
		[
			`${git}/~alice/alpha/tree/feature/x/item/src/main.c#L10-20`,
			{
				kind: 'inRepository',
				ref: alpha,
				way: { page: 'tree', steps: ['feature', 'x', 'item', 'src', 'main.c'], lines: { first: 10, last: 20 } },
				href: `${git}/~alice/alpha/tree/feature/x/item/src/main.c#L10-20`,
			},
		],
		[
			`${git}/~alice/alpha/tree/HEAD/item/src/main.c#L10-8,20`,
			{ kind: 'file', ref: alpha, at: { ref: 'HEAD', path: 'src/main.c' }, lines: { first: 10, last: 10 } },
		],
		[`${git}/~alice/alpha/blob/master/a%20b.txt`, inRepository('blob/master/a b.txt', 'master/a%20b.txt')],
		[`${git}/~alice/alpha/commit/4f2a91c.patch`, { kind: 'commit', ref: alpha, id: '4f2a91c' }],
		[`${todo}/~alice/alpha/labels`, { kind: 'web', href: `${todo}/~alice/alpha/labels` }],
		[`${todo}/~alice/alpha/12/edit`, { kind: 'web', href: `${todo}/~alice/alpha/12/edit` }],
		[`${git}/~alice/alpha/archive/1.0.tar.gz`, { kind: 'web', href: `${git}/~alice/alpha/archive/1.0.tar.gz` }],
		[`${git}/~alice/alpha/log/master/rss.xml`, { kind: 'web', href: `${git}/~alice/alpha/log/master/rss.xml` }],
		[`${todo}/~alice`, { kind: 'person', name: '~alice' }],
		[`${lists}/bob@host.example/`, { kind: 'person', name: 'bob@host.example' }],
		[`${meta}/~alice`, { kind: 'person', name: '~alice' }],
		[`${todo}/~alice//12`, { kind: 'web', href: `${todo}/~alice//12` }],
		[`${todo}/~`, { kind: 'web', href: `${todo}/~` }],
		[`${meta}/profile`, { kind: 'web', href: `${meta}/profile` }],
		[`${todo}/~alice/alpha/%E0%A4%A`, { kind: 'web', href: `${todo}/~alice/alpha/%E0%A4%A` }],
	] as const) {
		test(`${address.replace('https://', '')} leads to a ${destination.kind}`, () => {
			assert.deepEqual(webDestination(new URL(address), sampleInstance), destination);
		});
	}

	test('ignores URLs of other hosts and schemes', () => {
		assert.equal(
			webDestination(new URL('https://todo.forge.test.evil.example/~alice/alpha/12'), sampleInstance),
			undefined,
		);
		assert.equal(webDestination(new URL('http://todo.forge.test/~alice/alpha/12'), sampleInstance), undefined);
	});
});
