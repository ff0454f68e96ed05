import assert from 'node:assert/strict';
import { fieldsOf } from '../../../../src/base/lenientJson.ts';
import type { PageContent } from '../../../../src/editor/pages/pageHost.ts';
import { echoPages, type Echo } from '../support/echoPages.ts';
import { standFor } from '../../../support/standFor.ts';
import { resetStub, stubbed, stubbedTabs, StubbedPanel, TabInputWebview } from '../../../support/vscodeValues.ts';

const { openBySelection } = await import('../../../../src/editor/documents/showDocument.ts');

const longMs = 1000;

suite('preview page', () => {
	setup(resetStub);

	const other = (content: PageContent<Echo>, key: string): PageContent<Echo> => ({ ...content, key, title: key });
	const tabs = (): readonly string[] =>
		stubbed.panels.filter(({ isDisposed }) => !isDisposed).map(({ title }) => title);

	test('ten pages opened in turn share one tab, each immediately', async () => {
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

	test('takes the focus or leaves it, like a page of its own', async () => {
		const { host, content } = await echoPages();
		host.open(content);
		const taken = ['left', 'taken'].map((focus) => {
			const open = (): unknown => host.open(other(content, focus));
			void (focus === 'taken' ? open() : openBySelection('forge.lists', open));
			return stubbed.panels[0]?.hasTakenFocus;
		});
		assert.deepEqual([taken, tabs()], [[false, true], ['taken']]);
	});

	test('is one per kind of page', async () => {
		const { host, content } = await echoPages();
		host.open(content);
		host.open({ ...other(content, 'thread'), type: 'forge.thread' });
		host.open(other(content, 'two'));
		assert.deepEqual(tabs(), ['two', 'thread']);
	});

	test('stays after the user writes in it or continues from it', async () => {
		const { host, content } = await echoPages();
		host.open(content);
		stubbed.panels[0]?.say({ kind: 'ask', id: 1, name: 'echo', value: 'only read' });
		host.open(other(content, 'two'));
		stubbed.panels[0]?.say({ kind: 'ask', id: 1, name: 'write', value: 'x' });
		host.open(other(content, 'three'));
		assert.deepEqual(tabs(), ['two', 'three']);
	});

	test('stays after two opens in quick succession, like a double click, but not after a later open', async () => {
		const { host, content, clock } = await echoPages();
		host.open(content);
		clock.advance(longMs);
		host.open(content);
		host.open(other(content, 'two'));
		host.open(other(content, 'two'));
		host.open(other(content, 'three'));
		assert.deepEqual(tabs(), ['two', 'three']);
	});

	test('stays after a double click even if it has been open for long', async () => {
		const { host, content, clock } = await echoPages();
		host.open(other(content, 'one'));
		clock.advance(longMs);
		host.open(other(content, 'one'));
		host.open(other(content, 'one'));
		host.open(other(content, 'two'));
		assert.deepEqual(tabs(), ['one', 'two']);
	});

	test('stays by command, when pinned or moved to another group, and if the editor has no previews', async () => {
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

	test('is separate per editor group', async () => {
		const { host, content } = await echoPages();
		host.open(content);
		stubbed.viewColumn = 2;
		host.open(other(content, 'beside'));
		stubbed.viewColumn = 1;
		host.open(other(content, 'two'));
		assert.deepEqual(tabs(), ['two', 'beside']);
	});

	test('is never a restored page', async () => {
		const { host, content } = await echoPages();
		const restored = new StubbedPanel('forge.ticket', 'Old');
		host.restore(standFor(restored), content);
		host.open(other(content, 'two'));
		assert.deepEqual([restored.title, tabs()], ['Old', ['two']]);
	});

	test('ignores late messages of its previous content', async () => {
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

	suite('in a document whose script runs', () => {
		const lifeOf = (html: string): number => Number(/data-life="(\d+)"/.exec(html)?.[1]);

		const becomes = ({ posted }: StubbedPanel): readonly unknown[] =>
			posted.filter((message) => fieldsOf(message)['kind'] === 'become');

		/** Opens a page, whose script then asks for its data. */
		async function running() {
			const { host, content, links } = await echoPages('known');
			host.open(content);
			const panel = stubbed.panels[0] ?? assert.fail('no panel');
			const before = panel.webview.html;
			const first = lifeOf(before);
			const load = (life: number): void => panel.say({ kind: 'ask', id: 1, name: 'load', life });
			load(first);
			return { host, content, links, panel, first, load, before };
		}

		/** The same, and a step to another page. */
		async function stepped(): ReturnType<typeof running> {
			const opened = await running();
			opened.host.open(other(opened.content, 'two'));
			return opened;
		}

		test('the next page replaces it without another document', async () => {
			const { panel, before, first, content, links } = await stepped();
			assert.equal(panel.webview.html, before);
			assert.deepEqual(becomes(panel), [
				{
					kind: 'become',
					life: first + 1,
					title: 'two',
					subject: content.subject,
					start: { kind: 'news', name: 'start', value: 'known' },
				},
			]);
			assert.deepEqual([links[0]?.signal.aborted, links[1]?.signal.aborted], [true, false]);
		});

		test('gets a new document when its panel goes out of view, because the editor keeps only HTML', async () => {
			const { panel, first } = await stepped();
			panel.setVisible(false);
			assert.equal(lifeOf(panel.webview.html), first + 1);
			assert.match(panel.webview.html, /<title>two</);
		});

		test('gets a new document when the editor has loaded the earlier one again', async () => {
			const { panel, first, load } = await stepped();
			load(first);
			assert.equal(lifeOf(panel.webview.html), first + 1);
		});

		test('keeps its document when its own script asks again', async () => {
			const { panel, first, load, before } = await stepped();
			load(first + 1);
			load(first + 1);
			panel.setVisible(true);
			assert.equal(panel.webview.html, before);
		});

		test('keeps its own document out of view, and when the editor has loaded it again', async () => {
			const { panel, first, load, before } = await running();
			load(first);
			panel.setVisible(false);
			assert.equal(panel.webview.html, before);
		});

		test('a page with another script gets a new document', async () => {
			const { panel, host, content, first } = await running();
			host.open({ ...other(content, 'two'), script: 'other.js' });
			assert.equal(lifeOf(panel.webview.html), first + 1);
			assert.deepEqual(becomes(panel), []);
		});

		test('a page that follows while the panel is out of view gets a new document', async () => {
			const { panel, host, content, first } = await running();
			panel.setVisible(false);
			host.open(other(content, 'two'));
			assert.equal(lifeOf(panel.webview.html), first + 1);
			assert.deepEqual(becomes(panel), []);
		});
	});

	test('gets a new document while the script of the earlier one does not run yet', async () => {
		const { host, content } = await echoPages();
		host.open(content);
		host.open(other(content, 'two'));
		assert.deepEqual(stubbed.panels[0]?.posted, []);
		assert.match(stubbed.panels[0]?.webview.html ?? '', /<title>two</);
	});
});
