import '../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { pageHtml } from '../../../../src/editor/pages/pageHtml.ts';
import { echoPages, type Echo } from '../support/echoPages.ts';
import { standFor } from '../../../support/standFor.ts';
import { focusWindow, resetStub, stubbed, StubbedPanel } from '../../../support/vscodeValues.ts';

const { openBySelection } = await import('../../../../src/editor/documents/showDocument.ts');

function settled(): Promise<void> {
	return new Promise((resolve) => setImmediate(resolve));
}

suite('page host', () => {
	setup(resetStub);

	test('the policy allows the page’s own scripts and nothing else', () => {
		const html = pageHtml({
			nonce: 'n',
			styleSource: 'https://s.test',
			script: { kind: 'address', address: 'a.js' },
			styles: [{ kind: 'address', address: 'a.css' }],
			language: 'en',
			title: 't',
			subject: {},
			life: 1,
			start: undefined,
		});
		const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1]?.replaceAll('&#39;', "'");
		assert.equal(
			policy,
			"default-src 'none'; script-src 'nonce-n'; style-src https://s.test; font-src https://s.test; img-src https://s.test data:; form-action 'none'; base-uri 'none'; require-trusted-types-for 'script'",
		);
	});

	test('the HTML contains the page’s subject as text', async () => {
		const { host, content } = await echoPages();
		host.open(content);
		const html = stubbed.panels[0]?.webview.html ?? '';
		assert.ok(html.includes('&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;'));
		assert.equal(html.match(/<script/g)?.length, 1);
	});

	test('the HTML contains the known data as inert text', async () => {
		const { host, content } = await echoPages('</script><script>alert(1)</script>');
		host.open(content);
		const html = stubbed.panels[0]?.webview.html ?? '';
		const [, data = ''] = /<script type="application\/json" id="start">([^<]*)<\/script>/.exec(html) ?? [];
		assert.deepEqual(JSON.parse(data), { kind: 'news', name: 'start', value: '</script><script>alert(1)</script>' });
		assert.equal(html.match(/<script/g)?.length, 2);
	});

	test('the first page of a window loads its files', async () => {
		const { host, content } = await echoPages();
		host.open(content);
		const html = stubbed.panels[0]?.webview.html ?? '';
		assert.deepEqual(html.match(/<(?:script|style|link).*/g), [
			'<link rel="stylesheet" href="https://extension.test/x/media/page.css">',
			'<script nonce="abc" src="https://extension.test/x/dist/pages/ticket.js"></script>',
		]);
		assert.match(html, /style-src https:\/\/source\.test;/);
	});

	test('a page of another kind inlines the styles that it shares with an earlier one', async () => {
		const { host, content } = await echoPages();
		host.open(content);
		await settled();
		host.open({ ...content, type: 'forge.commit', script: 'commit.js', styles: ['page.css', 'commit.css'] });
		const html = stubbed.panels[1]?.webview.html ?? '';
		assert.deepEqual(html.match(/<(?:script|style|link).*/g), [
			'<style nonce="abc">text of page.css</style>',
			'<link rel="stylesheet" href="https://extension.test/x/media/commit.css">',
			'<script nonce="abc" src="https://extension.test/x/dist/pages/commit.js"></script>',
		]);
		assert.match(html, /style-src &#39;nonce-abc&#39; https:\/\/source\.test;/);
	});

	test('a page loads an unreadable file, and the next one inlines it when it is readable', async () => {
		const { host, content, settings } = await echoPages(undefined, false);
		const scripts = (): readonly string[] | null | undefined => stubbed.panels.at(-1)?.webview.html.match(/<script.*/g);
		host.open(content);
		assert.deepEqual(scripts(), ['<script nonce="abc" src="https://extension.test/x/dist/pages/ticket.js"></script>']);
		await settled();
		settings.canRead = true;
		for (const _ of ['reads', 'carries']) {
			stubbed.panels.at(-1)?.dispose();
			host.open(content);
			await settled();
		}
		assert.deepEqual(scripts(), ['<script nonce="abc">text of ticket.js</script>']);
	});

	test('later pages of a kind inline script and styles without another read', async () => {
		const { host, content, read } = await echoPages();
		host.open(content);
		await settled();
		stubbed.panels[0]?.dispose();
		read.length = 0;
		host.open(content);
		const html = stubbed.panels[1]?.webview.html ?? '';
		assert.deepEqual(html.match(/<script.*/g), ['<script nonce="abc">text of ticket.js</script>']);
		assert.ok(html.includes('<style nonce="abc">text of page.css</style>'));
		assert.match(html, /style-src &#39;nonce-abc&#39;;/);
		assert.deepEqual(read, []);
	});

	test('a page is watched while it is in view', async () => {
		const { host, content, links } = await echoPages();
		host.open(content);
		const [link] = links;
		let changes = 0;
		link?.onDidChangeWatched(() => (changes += 1));
		assert.equal(link?.isWatched(), true);
		stubbed.panels[0]?.setVisible(false);
		assert.deepEqual([link?.isWatched(), changes], [false, 1]);
	});

	test('a visible page in an unfocused window is not watched', async () => {
		const { host, content, links } = await echoPages();
		host.open(content);
		const [link] = links;
		focusWindow(false);
		assert.deepEqual([link?.isVisible(), link?.isWatched()], [true, false]);
		focusWindow(true);
		stubbed.panels[0]?.setVisible(false);
		assert.deepEqual([link?.isVisible(), link?.isWatched()], [false, false]);
	});

	test('a page fires an event when it comes into view or opens again, but not on focus', async () => {
		const { host, content, links } = await echoPages();
		host.open(content);
		let shown = 0;
		links[0]?.onDidShow(() => (shown += 1));
		stubbed.panels[0]?.setVisible(true);
		assert.equal(shown, 0);
		stubbed.panels[0]?.setVisible(false);
		assert.equal(shown, 0);
		stubbed.panels[0]?.setVisible(true);
		assert.equal(shown, 1);
		host.open(content);
		assert.equal(shown, 2);
	});

	test('the editor knows whether a text box has the keyboard, also after its page closes', async () => {
		const { host, content } = await echoPages();
		host.open(content);
		host.open({ ...content, type: 'forge.thread' });
		const [ticket, thread] = stubbed.panels;
		const isTyping = (): unknown => stubbed.contexts.get('forge.page.typing');
		ticket?.say({ kind: 'typing', isTyping: true });
		assert.equal(isTyping(), true);
		ticket?.say({ kind: 'focus' });
		assert.equal(isTyping(), true);
		thread?.say({ kind: 'typing', isTyping: false });
		assert.equal(isTyping(), true, 'another page');
		ticket?.say({ kind: 'typing', isTyping: false });
		assert.equal(isTyping(), false);
		ticket?.say({ kind: 'typing', isTyping: true });
		ticket?.dispose();
		assert.equal(isTyping(), false);
	});

	test('scripts load from two folders only, and hidden pages keep no context', async () => {
		const { host, content } = await echoPages();
		host.open(content);
		const options: unknown = stubbed.panels[0]?.webview.options;
		assert.deepEqual(JSON.parse(JSON.stringify(options)), {
			enableScripts: true,
			enableForms: false,
			localResourceRoots: ['https://extension.test/x/dist/pages', 'https://extension.test/x/media'],
		});
	});

	test('a restored page keeps its title until the host sets another', async () => {
		const { host, content, links } = await echoPages();
		const kept = new StubbedPanel('forge.ticket', '#4 Lamps');
		host.restore(standFor(kept), content);
		assert.equal(kept.title, '#4 Lamps');
		links[0]?.setTitle('#4 Lanterns');
		assert.equal(kept.title, '#4 Lanterns');
	});

	test('the active page is known by its subject, and by its marked part', async () => {
		const { host, content, links } = await echoPages();
		host.open(content);
		assert.equal(host.inFront(), undefined);
		const [panel] = stubbed.panels;
		assert.ok(panel);
		panel.active = true;
		assert.equal(host.inFront(), content.subject);
		links[0]?.mark('a part of it');
		assert.equal(host.inFront(), 'a part of it');
		panel.dispose();
		assert.equal(host.inFront(), undefined);
	});

	test('an entry is part of a new page, and reaches an open one as a message', async () => {
		const { host, content, links } = await echoPages();
		host.open(content, 4);
		const wanted: number[] = [];
		links[0]?.onDidWant((entry) => wanted.push(entry));
		host.open(content, 5);
		host.open(content);
		assert.deepEqual([links.map(({ entry }) => entry), wanted], [[4], [5]]);
	});

	test('the host finds the active page by its type', async () => {
		const { host, content } = await echoPages();
		host.open(content);
		assert.equal(host.front<Echo>('forge.ticket'), undefined);
		const [panel] = stubbed.panels;
		assert.ok(panel);
		panel.active = true;
		assert.equal(host.front<Echo>('forge.thread'), undefined);
		host.front<Echo>('forge.ticket')?.tell('changed', 3);
		assert.deepEqual(panel.posted.at(-1), { kind: 'news', name: 'changed', value: 3 });
	});

	test('opening and revealing a page take the focus, or keep it, as requested', async () => {
		const { host, content } = await echoPages();
		const taken = [false, true, false].map((takes) => {
			void (takes ? host.open(content) : openBySelection('forge.lists', () => host.open(content)));
			return stubbed.panels[0]?.hasTakenFocus;
		});
		assert.deepEqual(taken, [false, true, false]);
	});

	test('opening a page twice brings it to the front', async () => {
		const { host, content } = await echoPages();
		host.open(content);
		host.open(content);
		assert.deepEqual([stubbed.panels.length, stubbed.panels[0]?.reveals], [1, 1]);
	});

	test('the host answers a valid question and rejects nonsense', async () => {
		const { host, content } = await echoPages();
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

	test('closing a page aborts its requests and ends the conversation', async () => {
		const { host, content, links } = await echoPages();
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

	test('a page changes its content in place, and the old one gets no answers', async () => {
		const { host, content, links } = await echoPages();
		host.open(content);
		const [panel] = stubbed.panels;
		assert.ok(panel);
		panel.active = true;
		const next = { ...content, key: 'two', title: 'Two', subject: { kind: 'x', text: 'two' } };
		links[0]?.become(next);
		assert.deepEqual([stubbed.panels.length, panel.reveals, panel.isDisposed, panel.title], [1, 0, false, 'Two']);
		assert.deepEqual([links[0]?.signal.aborted, links[1]?.signal.aborted], [true, false]);
		assert.equal(host.inFront(), next.subject);
		panel.say({ kind: 'ask', id: 1, name: 'echo', value: 'hello' });
		await settled();
		assert.equal(panel.posted.length, 1);
		host.open(next);
		assert.deepEqual([stubbed.panels.length, panel.reveals], [1, 1]);
		panel.dispose();
		assert.equal(links[1]?.signal.aborted, true);
		// A replaced page cannot change its content.
		links[0]?.become(next);
		assert.equal(links.length, 2);
	});

	test('the new content receives no answer to the old one’s question', async () => {
		const { host, content, links } = await echoPages();
		host.open(content);
		const [panel] = stubbed.panels;
		panel?.say({ kind: 'ask', id: 1, name: 'echo', value: 'hello' });
		links[0]?.become({ ...content, key: 'two' });
		await settled();
		assert.deepEqual(panel?.posted, []);
	});

	test('each subject has one tab: a restored one replaces the open one', async () => {
		const { host, content } = await echoPages();
		host.open(content);
		const [open] = stubbed.panels;
		const restored = new StubbedPanel('forge.ticket', 'Title');
		host.restore(standFor(restored), content);
		assert.deepEqual([open?.isDisposed, restored.isDisposed], [true, false]);
	});

	test('a kept panel is filled again, and then is the page', async () => {
		const { host, content } = await echoPages();
		const kept = new StubbedPanel('forge.ticket', 'Old');
		host.restore(standFor(kept), content);
		host.open(content);
		assert.equal(stubbed.panels.length, 0);
		assert.equal(kept.reveals, 1);
	});
});
