import assert from 'node:assert/strict';
import type { PageContent } from '../../../../src/editor/pages/pageHost.ts';
import { echoPages, type Echo } from '../../../support/echoPages.ts';
import { standFor } from '../../../support/standFor.ts';
import { resetStub, stubbed, stubbedTabs, StubbedPanel, TabInputWebview } from '../../../support/vscodeValues.ts';

const { openBySelection } = await import('../../../../src/editor/documents/showDocument.ts');

const longMs = 1000;

suite('the page that follows', () => {
	setup(resetStub);

	const other = (content: PageContent<Echo>, key: string): PageContent<Echo> => ({ ...content, key, title: key });
	const tabs = (): readonly string[] =>
		stubbed.panels.filter(({ isDisposed }) => !isDisposed).map(({ title }) => title);

	test('ten things that are looked at one after another stand in one tab, each at once', async () => {
		const { host, content, links, clock } = await echoPages();
		for (let at = 0; at < 10; at += 1) {
			host.open(other(content, `t${at}`));
			clock.advance(longMs);
		}
		assert.deepEqual(tabs(), ['t9']);
		assert.deepEqual(
			links.map(({ signal }) => signal.aborted),
			links.map((_, at) => at < 9),
		);
	});

	test('takes the focus or leaves it, as a page of its own would', async () => {
		const { host, content } = await echoPages();
		host.open(content);
		const taken = ['left', 'taken'].map((focus) => {
			const open = (): unknown => host.open(other(content, focus));
			void (focus === 'taken' ? open() : openBySelection('forge.lists', open));
			return stubbed.panels[0]?.hasTakenFocus;
		});
		assert.deepEqual([taken, tabs()], [[false, true], ['taken']]);
	});

	test('is one for each kind of page', async () => {
		const { host, content } = await echoPages();
		host.open(content);
		host.open({ ...other(content, 'thread'), type: 'forge.thread' });
		host.open(other(content, 'two'));
		assert.deepEqual(tabs(), ['two', 'thread']);
	});

	test('stays once somebody writes in it or goes on from it', async () => {
		const { host, content } = await echoPages();
		host.open(content);
		stubbed.panels[0]?.say({ kind: 'ask', id: 1, name: 'echo', value: 'only read' });
		host.open(other(content, 'two'));
		stubbed.panels[0]?.say({ kind: 'ask', id: 1, name: 'write', value: 'x' });
		host.open(other(content, 'three'));
		assert.deepEqual(tabs(), ['two', 'three']);
	});

	test('stays when it is opened twice at once, as with two clicks, and not when it is opened again later', async () => {
		const { host, content, clock } = await echoPages();
		host.open(content);
		clock.advance(longMs);
		host.open(content);
		host.open(other(content, 'two'));
		host.open(other(content, 'two'));
		host.open(other(content, 'three'));
		assert.deepEqual(tabs(), ['two', 'three']);
	});

	test('stays when it is opened by two clicks while it has been open for long', async () => {
		const { host, content, clock } = await echoPages();
		host.open(other(content, 'one'));
		clock.advance(longMs);
		host.open(other(content, 'one'));
		host.open(other(content, 'one'));
		host.open(other(content, 'two'));
		assert.deepEqual(tabs(), ['one', 'two']);
	});

	test('stays by command, when its tab is pinned, when it was moved to another group, and when the editor has no previews', async () => {
		const { host, content, settings } = await echoPages();
		host.open(other(content, 'by command'));
		const [byCommand] = stubbed.panels;
		assert.ok(byCommand);
		byCommand.active = true;
		assert.equal(host.keepInFront(), 'by command');
		byCommand.active = false;
		assert.equal(host.keepInFront(), undefined);
		host.open(other(content, 'pinned'));
		stubbedTabs.push({ label: 'pinned', isPinned: true, input: new TabInputWebview('mainThreadWebview-forge.ticket') });
		host.open(other(content, 'moved'));
		const [, , moved] = stubbed.panels;
		assert.ok(moved);
		moved.viewColumn = 2;
		host.open(other(content, 'fourth'));
		settings.hasPreviews = false;
		host.open(other(content, 'fifth'));
		assert.deepEqual(tabs(), ['by command', 'pinned', 'moved', 'fourth', 'fifth']);
	});

	test('is another one in a group beside', async () => {
		const { host, content } = await echoPages();
		host.open(content);
		stubbed.viewColumn = 2;
		host.open(other(content, 'beside'));
		stubbed.viewColumn = 1;
		host.open(other(content, 'two'));
		assert.deepEqual(tabs(), ['two', 'beside']);
	});

	test('is none that the editor brought back', async () => {
		const { host, content } = await echoPages();
		const restored = new StubbedPanel('forge.ticket', 'Old');
		host.restore(standFor(restored), content);
		host.open(other(content, 'two'));
		assert.deepEqual([restored.title, tabs()], ['Old', ['two']]);
	});

	test('hears nothing of what the page before it says at its end', async () => {
		const { host, content, links } = await echoPages();
		host.open(content);
		const [panel] = stubbed.panels;
		const life = /data-life="(\d+)"/.exec(panel?.webview.html ?? '')?.[1];
		host.open(other(content, 'two'));
		panel?.say({ kind: 'ask', id: 1, name: 'write', value: 'late', life: Number(life) });
		await new Promise((resolve) => setImmediate(resolve));
		assert.deepEqual([panel?.posted, links.length], [[], 2]);
		host.open(other(content, 'three'));
		assert.deepEqual(tabs(), ['three']);
	});
});
