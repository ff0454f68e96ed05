import '../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import * as v from 'valibot';
import type { PageContent, PageHost, PageHostParts, PageLink } from '../../../src/editor/pageHost.ts';
import { pageHtml } from '../../../src/editor/pageHtml.ts';
import { handler, type Protocol } from '../../../src/protocol/channel.ts';
import { quietProblems } from '../../support/fakeTicketsParts.ts';
import { standFor } from '../../support/standFor.ts';
import { resetStub, stubbed, StubbedPanel } from '../../support/vscodeValues.ts';

const { pageHost } = await import('../../../src/editor/pageHost.ts');

interface Echo extends Protocol {
	readonly requests: { readonly echo: { readonly in: string; readonly out: string } };
	readonly news: { readonly changed: number };
}

interface Opened {
	readonly host: PageHost;
	readonly links: PageLink<Echo>[];
	readonly content: PageContent<Echo>;
}

function opened(): Opened {
	const links: PageLink<Echo>[] = [];
	const content: PageContent<Echo> = {
		type: 'forge.ticket',
		key: 'one',
		title: 'Title',
		icon: 'issues',
		subject: { kind: 'x', text: '"><script>alert(1)</script>' },
		script: 'ticket.js',
		styles: ['page.css'],
		connect(page) {
			links.push(page);
			return { echo: handler(v.string(), async (text) => text) };
		},
	};
	const extensionUri = standFor<PageHostParts['extensionUri']>(new URL('https://extension.test/x'));
	return { host: pageHost({ extensionUri, problems: quietProblems, nonce: () => 'abc' }), links, content };
}

function settled(): Promise<void> {
	return new Promise((resolve) => setImmediate(resolve));
}

suite('page host', () => {
	setup(resetStub);

	test('the policy allows one script and nothing from elsewhere', () => {
		const html = pageHtml({
			nonce: 'n',
			styleSource: 'https://s.test',
			script: 'a.js',
			styles: [],
			language: 'en',
			title: 't',
			subject: {},
		});
		const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1]?.replaceAll('&#39;', "'");
		assert.equal(
			policy,
			"default-src 'none'; script-src 'nonce-n'; style-src https://s.test; font-src https://s.test; img-src https://s.test data:; form-action 'none'; base-uri 'none'; require-trusted-types-for 'script'",
		);
	});

	test('what the page is about is in its HTML, as text', () => {
		const { host, content } = opened();
		host.open(content);
		const html = stubbed.panels[0]?.webview.html ?? '';
		assert.ok(html.includes('&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;'));
		assert.equal(html.match(/<script/g)?.length, 1);
	});

	test('scripts come from two folders only, and nothing is kept when hidden', () => {
		const { host, content } = opened();
		host.open(content);
		const options: unknown = stubbed.panels[0]?.webview.options;
		assert.deepEqual(JSON.parse(JSON.stringify(options)), {
			enableScripts: true,
			enableForms: false,
			localResourceRoots: ['https://extension.test/x/dist', 'https://extension.test/x/media'],
		});
	});

	test('the page in front is known by what it is about', () => {
		const { host, content } = opened();
		host.open(content);
		assert.equal(host.inFront(), undefined);
		const [panel] = stubbed.panels;
		assert.ok(panel);
		panel.active = true;
		assert.equal(host.inFront(), content.subject);
		panel.dispose();
		assert.equal(host.inFront(), undefined);
	});

	test('opening a page twice brings it to the front', () => {
		const { host, content } = opened();
		host.open(content);
		host.open(content);
		assert.deepEqual([stubbed.panels.length, stubbed.panels[0]?.reveals], [1, 1]);
	});

	test('a question is answered, and nonsense is not', async () => {
		const { host, content } = opened();
		host.open(content);
		const [panel] = stubbed.panels;
		panel?.say({ kind: 'ask', id: 1, name: 'echo', value: 'hello' });
		panel?.say({ kind: 'ask', id: 2, name: 'echo', value: 3 });
		panel?.say('nonsense');
		await settled();
		assert.deepEqual(
			panel?.posted.map((message) => /"(?:answer|refusal)","id":\d/.exec(JSON.stringify(message))?.[0]).toSorted(),
			['"answer","id":1', '"refusal","id":2'],
		);
	});

	test('closing a page aborts what it waits for and ends the conversation', async () => {
		const { host, content, links } = opened();
		host.open(content);
		const [panel] = stubbed.panels;
		panel?.dispose();
		assert.equal(links[0]?.signal.aborted, true);
		panel?.say({ kind: 'ask', id: 1, name: 'echo', value: 'hello' });
		await settled();
		assert.deepEqual(panel?.posted, []);
		host.open(content);
		assert.equal(stubbed.panels.length, 2);
	});

	test('a kept panel is filled again, and is then the page', () => {
		const { host, content } = opened();
		const kept = new StubbedPanel('forge.ticket', 'Old');
		host.restore(standFor(kept), content);
		host.open(content);
		assert.equal(stubbed.panels.length, 0);
		assert.equal(kept.reveals, 1);
	});
});
