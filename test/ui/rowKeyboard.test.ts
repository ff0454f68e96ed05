import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { chainedSuite } from '../support/chain.ts';
import { inRest } from '../support/parts.ts';
import { eventually } from '../support/eventually.ts';
import { startSampleForge, type SampleForge } from '../support/sampleForge.ts';
import { isWatched } from './support/keptInbox.ts';
import { keysOnly } from './support/keysOnly.ts';
import { waysIn } from './support/sharedForge.ts';
import { signInWithToken } from './support/sampleWindow.ts';
import {
	editorTab,
	expand,
	openContainer,
	openOnly,
	pageHasKeyboard,
	quickInput,
	refreshInbox,
	treeItem,
	viewsAreAtRest,
	viewSection,
	webview,
} from './support/user.ts';
import { useWorkbench } from './support/workbench.ts';

const titles = ['The lamp smokes', 'The wick burns', 'The oil leaks', 'The glass cracks'] as const;

for (const dialect of waysIn('field')) {
	chainedSuite(`${dialect}: keyboard focus when rows open`, function () {
		inRest(this);
		let forge: SampleForge;
		suiteSetup(async () => {
			forge = await startSampleForge({ dialect });
			await forge.act('/todo/tracker', { name: 'workshop' });
			for (const title of titles) {
				await forge.act('/todo/ticket', { tracker: '~alice/workshop', title });
			}
		});
		const workbench = useWorkbench(() => ({
			name: `row-keyboard-${dialect}`,
			// A regular forge, because the extension stores nothing for the sample forge.
			settings: { 'forge.forges': [{ name: 'Lantern Forge', areas: forge.areas, signIn: { kind: 'tokenOnly' } }] },
		}));
		const keys = keysOnly(workbench);
		const { press, chord, chordOnPage } = keys;
		suiteTeardown(() => forge.stop());

		const rows = (view: string): Locator => viewSection(workbench().page, view);
		const hasKeyboard = (view: string): Promise<void> => rows(view).locator('.monaco-list:focus').waitFor();
		const pageOf = (title: string): Promise<void> =>
			webview(workbench().page).getByRole('heading', { name: title }).waitFor();

		test('Shift+Down extends the selection, and a chord applies to all rows', async () => {
			const { page } = workbench();
			await openContainer(page, 'Forge');
			await signInWithToken(page, forge.tokens.alice);
			await openOnly(page, 'Tickets');
			await treeItem(page, /^Tracker workshop/).waitFor();
			await expand(page, /^Tracker workshop/);
			await keys.goDownTo('Tickets', /^The glass cracks #4,/);
			await press('Shift+ArrowDown');
			await editorTab(page, /^#\d /).waitFor();
			await webview(page).getByRole('heading').first().waitFor();
			await hasKeyboard('Tickets');
			await press('Shift+ArrowDown', 'Shift+ArrowDown');
			const selected = rows('Tickets').locator('.monaco-list-row.selected');
			await eventually(async () => (await selected.count()) >= 3, true);
			await hasKeyboard('Tickets');
			await viewsAreAtRest(page);
			await chord('r');
			await keys.boxIsOpen();
			await quickInput(page)
				.getByText(`Resolve ${await selected.count()} tickets as`)
				.waitFor();
			await press('Escape');
			await quickInput(page).waitFor({ state: 'hidden' });
		});

		test('Enter moves the focus to the page', async () => {
			const { page } = workbench();
			await keys.goDownTo('Tickets', /^The lamp smokes #1,/);
			await press('Enter');
			await pageOf(titles[0]);
			await pageHasKeyboard(page);
			await rows('Tickets').locator('.monaco-list:not(:focus)').first().waitFor();
		});

		test('works through the Inbox on its pages', async () => {
			const { page } = workbench();
			await eventually(async () => isWatched(workbench().dataFolder, 'tracker ~alice/workshop'), true);
			for (const id of [2, 1]) {
				await forge.act('/todo/comment', { ticket: `~alice/workshop#${id}`, by: 'bob', text: `Comment on ${id}.` });
			}
			await refreshInbox(page);
			await openOnly(page, 'Inbox');
			await treeItem(page, / · The lamp smokes/).waitFor();
			await keys.goDownTo('Inbox', / · The lamp smokes/);
			await press('Enter');
			await pageOf(titles[0]);
			await chordOnPage('e');
			await pageOf(titles[1]);
			await rows('Inbox')
				.getByRole('treeitem', { name: / · The lamp smokes/ })
				.waitFor({ state: 'detached' });
			await chordOnPage('u');
			await pageOf(titles[0]);
			await treeItem(page, / · The lamp smokes/).waitFor();
			assert.equal(
				await rows('Inbox')
					.getByRole('treeitem', { name: / · The wick burns/ })
					.count(),
				1,
			);
		});

		test('the menu of a page offers Done, Snooze and Mute while the Inbox has its row', async () => {
			const { page } = workbench();
			const entries = ['Mark as Done', 'Snooze Until…', 'Mute'] as const;
			// The name includes the keys.
			const entry = (name: string): Locator => page.getByRole('menuitem', { name: new RegExp(`^${name}`) });
			const openMenu = async (): Promise<void> => {
				await page
					.locator('.editor-actions')
					.getByRole('button', { name: /^More Actions/ })
					.click();
				await entry('Watch…').waitFor();
			};
			await openMenu();
			for (const name of entries) {
				await entry(name).waitFor();
			}
			await workbench().screenshot('menu');
			// A menu ignores clicks during its opening.
			await entry('Mark as Done').hover();
			await press('Enter');
			await pageOf(titles[1]);
			await rows('Inbox')
				.getByRole('treeitem', { name: / · The lamp smokes/ })
				.waitFor({ state: 'detached' });
			await chordOnPage('e');
			await rows('Inbox')
				.getByRole('treeitem', { name: / · The wick burns/ })
				.waitFor({ state: 'detached' });
			await openMenu();
			assert.deepEqual(await Promise.all(entries.map((name) => entry(name).count())), [0, 0, 0]);
			await press('Escape');
		});
	});
}
