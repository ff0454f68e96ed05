import assert from 'node:assert/strict';
import { safeLink } from '../../../../src/engine/text/linkPolicy.ts';
import { markdownRenderer } from '../../../../src/engine/text/markdown.ts';
import { webOf } from '../../../../src/editor/links/webOf.ts';
import { sampleInstance } from '../../../support/fakeConnection.ts';

const base = 'https://todo.forge.test/~alice/alpha/12';
const context = { base, web: webOf(sampleInstance), tracker: { owner: '~alice', name: 'alpha' } };
const renderer = markdownRenderer({ image: 'Picture', taskDone: 'Done', taskOpen: 'To do' });

/** Addresses that become links, with their targets. */
const allowed: readonly (readonly [string, string])[] = [
	['https://example.test/', 'https://example.test/'],
	['https://example.test', 'https://example.test/'],
	['HTTPS://Example.test/A?b=c&d#e', 'https://example.test/A?b=c&d#e'],
	['http://example.test/a', 'http://example.test/a'],
	['http://127.0.0.1:8080/x', 'http://127.0.0.1:8080/x'],
	['https://exämple.test/ü', 'https://xn--exmple-cua.test/%C3%BC'],
	['mailto:bob@example.test', 'mailto:bob@example.test'],
	['mailto:~alice/pebble-devel@lists.sr.ht', 'mailto:~alice/pebble-devel@lists.sr.ht'],
	['mailto:%7Ealice%2Fpebble-devel@lists.sr.ht', 'mailto:~alice/pebble-devel@lists.sr.ht'],
	['#event-5', `${base}#event-5`],
	['/~bob/beta', 'https://todo.forge.test/~bob/beta'],
	['13', 'https://todo.forge.test/~alice/alpha/13'],
	['../beta/1', 'https://todo.forge.test/~alice/beta/1'],
	['?page=2', `${base}?page=2`],
];

/** Addresses that stay plain text. */
const refused: readonly string[] = [
	'',
	'javascript:alert(1)',
	'mailto:~a/b@lists.sr.ht?subject=x',
	'mailto://a/b@lists.sr.ht',
	'mailto:%2fa@lists.sr.ht',
	'mailto:a//b@lists.sr.ht',
	'mailto:a%0Ab@lists.sr.ht',
	'https://name@evil.test/',
	'https://:secret@evil.test/',
	'JaVaScRiPt:alert(1)',
	'java\tscript:alert(1)',
	'java\nscript:alert(1)',
	'\u0000javascript:alert(1)',
	'\u0001javascript:alert(1)',
	' javascript:alert(1)',
	'javascript\u200B:alert(1)',
	'javascript\u034F:alert(1)',
	'https://evil.test/\u{E0101}',
	'https://evil.test/\u3164',
	'https://evil.test/\u2800',
	'https://evil.test/\u2003',
	'javascript&colon;alert(1)'.replace('&colon;', ':'),
	'vbscript:msgbox(1)',
	'data:text/html,<script>alert(1)</script>',
	'data:image/svg+xml,<svg/onload=alert(1)>',
	'data:image/png;base64,AAAA',
	'blob:https://todo.forge.test/1',
	'filesystem:https://todo.forge.test/1',
	'file:///etc/passwd',
	'file://server/share',
	'command:workbench.action.quit',
	'COMMAND:workbench.action.quit?%5B%5D',
	'vscode://publisher.extension/path',
	'vscode-insiders://publisher.extension/path',
	'vscode-resource://x',
	'code-oss://x/y',
	'ftp://example.test/',
	'ssh://-oProxyCommand=calc/x',
	'git://example.test/x',
	'tel:+123',
	'sms:+123',
	'ms-word:ofe|u|https://x.test',
	'search-ms:query=x',
	'ldap://example.test',
	'gopher://example.test',
	'ws://example.test',
	'//evil.test/x',
	'//todo.forge.test/x',
	'///evil.test/x',
	'\\\\server\\share',
	'/\\evil.test',
	'\\/evil.test',
	'https:\\\\evil.test',
	'https:evil.test',
	'https:/evil.test',
	'https:///evil.test',
	'https://',
	'https://user@evil.test/',
	'https://:pw@evil.test/',
	'https://user:pw@evil.test/',
	'https://todo.forge.test:pass@evil.test/',
	'https://todo.forge.test%00.evil.test/',
	'https://evil.test/%0d%0aSet-Cookie:x',
	'https://evil.test/a b',
	'https://evil.test/\u202Egpj.exe',
	'mailto:',
	'mailto:bob',
	'mailto:bob@example.test?attach=/etc/passwd',
	'mailto:bob@example.test?subject=x&body=y',
	'mailto:a@b.test,c@d.test',
	'mailto:bob@example.test#x',
	'mailto://bob@example.test',
	'about:blank',
	'view-source:https://example.test',
	'x:',
	`https://example.test/${'a'.repeat(5000)}`,
];

suite('link policy', () => {
	test('covers at least 60 addresses', () => {
		assert.ok(allowed.length + refused.length >= 60);
	});

	for (const [href, leadsTo] of allowed) {
		test(`accepts ${JSON.stringify(href)}`, () => {
			assert.equal(safeLink(href, base)?.href, leadsTo);
		});
	}

	for (const href of refused) {
		test(`rejects ${JSON.stringify(href.slice(0, 60))}`, () => {
			assert.equal(safeLink(href, base), undefined);
		});
	}

	test('lets no rejected address become a link in any Markdown syntax', () => {
		for (const href of refused.filter((each) => each !== '')) {
			const encoded = Array.from(href, (character) => `&#${character.codePointAt(0)};`).join('');
			const ways = [
				`[text](${href})`,
				`[text](<${href}>)`,
				`<${href}>`,
				`[text][ref]\n\n[ref]: ${href}`,
				`[text][ref]\n\n[ref]: <${href}> "title"`,
				`![text](${href})`,
				`![text](<${href}>)`,
				`[text](${encoded})`,
				`[text](${encodeURI(href)})`,
				href,
			];
			for (const way of ways) {
				const html = renderer.render(way, context);
				for (const [, found = ''] of html.matchAll(/href="([^"]*)"/g)) {
					const address = found.replaceAll('&amp;', '&');
					assert.ok(/^(?:https?:\/\/[^/@]+(?:\/|$)|mailto:[^?&,]+$)/.test(address), `${way} leads to ${address}`);
				}
			}
		}
	});

	test('keeps relative links on the ticket’s origin', () => {
		for (const href of ['/..//evil.test', './/evil.test', '..//..//evil.test/', '/%2F/evil.test', '?//evil.test']) {
			const link = safeLink(href, base);
			assert.equal(link && new URL(link.href).origin, 'https://todo.forge.test');
		}
	});
});
