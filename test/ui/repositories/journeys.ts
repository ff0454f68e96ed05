import assert from 'node:assert/strict';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { chainedSuite } from '../../support/chain.ts';
import type { SampleForge } from '../../support/sampleForge.ts';
import { eventually } from '../../support/eventually.ts';
import { limitMs } from '../../support/pace.ts';
import { testInProve } from '../../support/testInProve.ts';
import { fillBox, pressInBox } from '../support/boxKeys.ts';
import { knowing } from '../support/sampleWindow.ts';
import {
	answer,
	chooseFromMenu,
	clickRow,
	clipboardText,
	collapse,
	editorHasKeyboard,
	editorTab,
	expand,
	holdNotification,
	notification,
	openContainer,
	openOnly,
	pick,
	pressButton,
	quickInput,
	runCommand,
	treeItem,
	viewsAreAtRest,
	viewSection,
	webview,
	useTitleAction,
} from '../support/user.ts';
import { borrowForge, giveBackForge } from '../support/sharedForge.ts';
import { useWorkbench } from '../support/workbench.ts';

/** The parts of the editor's multi-file comparison, one per file. */
function changedFiles(page: Page): Locator {
	return page.locator('.editor-group-container.active .multiDiffEntry:visible');
}

/** The status bar's cursor position and selection size. */
function selected(page: Page): Locator {
	return page.locator('[id="status.editor.selection"]');
}

/**
 * Selects whole lines of the active editor by keyboard, and returns the status bar's text. The last line must have
 * text, so that its end differs from its start.
 */
async function selectLines(page: Page, first: number, last: number): Promise<string> {
	// A tab exists before its text, and has no lines to go to yet.
	await selected(page)
		.getByText(/^Ln \d/)
		.waitFor();
	await runCommand(page, 'Go to Line/Column');
	await answer(page, `:${first}`);
	await editorHasKeyboard(page);
	await selected(page).getByText(`Ln ${first}, Col 1`).waitFor();
	for (let line = first; line < last; line += 1) {
		await page.keyboard.press('Shift+ArrowDown');
	}
	await page.keyboard.press('Shift+End');
	// The status bar lags: column 1 is its state from before the last key.
	await selected(page)
		.getByText(new RegExp(`^Ln ${last}, Col (?!1 )\\d+ \\(\\d+ selected\\)$`))
		.waitFor();
	return selected(page).innerText();
}

/** Empties the clipboard, so that its next content is new. */
async function forgetClipboard(page: Page): Promise<void> {
	await page.evaluate(() => navigator.clipboard.writeText(''));
}

/** The text copied since then. The confirmation may still be an earlier one. */
async function copied(page: Page): Promise<string> {
	await eventually(async () => (await clipboardText(page)) !== '', true);
	return clipboardText(page);
}

/** The items in a row's menu, one text per group. */
async function menuOf(page: Page, label: string | RegExp): Promise<readonly string[]> {
	const row = treeItem(page, label);
	await row.waitFor();
	await quickInput(page).waitFor({ state: 'hidden' });
	await viewsAreAtRest(page);
	await row.click({ button: 'right' });
	// The accessible name of an item ends with its key.
	await page.locator('.monaco-menu .action-label').getByText('Open on the Web', { exact: true }).waitFor();
	const names = await page
		.locator('.monaco-menu .action-item')
		.evaluateAll((all) => all.map((each) => each.querySelector('.action-label:not(.separator)')?.textContent ?? '-'));
	await page.keyboard.press('Escape');
	await page.locator('.monaco-menu').first().waitFor({ state: 'hidden' });
	return names.join(', ').split(', -, ');
}

/** From row to row, from the forge to the disk and back; the last tests run in a clone made by an earlier one. */
export function repositoryJourneys(): Mocha.Suite {
	return chainedSuite('user journeys through repositories', () => {
		let forge: SampleForge;
		let parent = '';
		suiteSetup(async () => {
			forge = await borrowForge('field');
			parent = realpathSync(mkdtempSync(join(tmpdir(), 'forge-desk-clones-')));
		});
		const workbench = useWorkbench(() => ({
			name: 'repository-journeys',
			env: knowing(forge, 'alice'),
			// Only rows in view are in the DOM.
			viewport: { width: 1280, height: 1100 },
		}));
		suiteSetup(async () => {
			const { page } = workbench();
			await openOnly(page, 'Repositories');
			await expand(page, /^Repository lantern of ~alice/);
			await expand(page, /^Branch master/);
		});
		setup(async () => {
			// A box left open by a failed test would make the next ones fail too.
			await workbench().page.keyboard.press('Escape');
		});
		suiteTeardown(async () => {
			await giveBackForge(forge);
			rmSync(parent, { recursive: true, force: true, maxRetries: 5 });
		});

		testInProve('the menus of rows are short, with the most frequent actions first', async () => {
			const { page } = workbench();
			await expand(page, /^Commits/);
			assert.deepEqual(await menuOf(page, /^Repository lantern of ~alice/), [
				'Open Repository…, Open Remote Folder in Workspace…, Clone…, Switch Remote Reference…',
				'Search in Remote Files…',
				'Watch…',
				'Copy, Open on the Web, More',
			]);
			assert.deepEqual(await menuOf(page, /^Branch master/), [
				'Open Remote Folder in Workspace…, Clone…, Switch Remote Reference…',
				'Open Remote File…, Search in Remote Files…',
				'Compare References…, Select for Compare',
				'Copy, Open on the Web',
			]);
			assert.deepEqual(await menuOf(page, /^Merge branch 'topic\/fold', commit/), [
				'Open Changes of Commit…',
				'Compare References…, Select for Compare',
				'Copy, Open on the Web',
			]);
			await collapse(page, /^Commits/);
			assert.deepEqual(await menuOf(page, /^README\.md, file/), [
				'Open in Local Clone…, Save Remote File…',
				'Compare File with Remote…, Show File History',
				'Copy, Open on the Web',
			]);
		});

		test('two chosen references open as one comparison that names both', async () => {
			const desk = workbench();
			const { page } = desk;
			await runCommand(page, 'Forge: Compare References…');
			await pick(page, /~alice\/lantern/);
			await quickInput(page).getByText('Choose a branch, tag or commit to compare').waitFor();
			await desk.screenshot('compare-first');
			await pick(page, /^master/);
			await quickInput(page).getByText('Choose a branch, tag or commit to compare master with').waitFor();
			await fillBox(quickInput(page), 'v0.9.0');
			await pick(page, /^v0\.9\.0/);
			await quickInput(page).getByText('Choose what to compare').waitFor();
			await desk.screenshot('compare-what');
			await pick(page, /^v0\.9\.0 → master/);
			await editorTab(page, /^v0\.9\.0 → master/).waitFor();
			await changedFiles(page).first().waitFor();
			const version = changedFiles(page).filter({ hasText: 'VERSION' }).first();
			// The editor marks files that it considers renamed, and shows their folder.
			assert.equal(await version.locator('.status').innerText(), '');
			assert.doesNotMatch((await version.textContent()) ?? '', /[0-9a-f]{40}/);
			await desk.screenshot('compare');
		});

		testInProve('the changes of a commit open from its row', async () => {
			const desk = workbench();
			const { page } = desk;
			await expand(page, /^Commits/);
			const second = page.getByRole('treeitem', { name: /, commit [0-9a-f]{7}, / }).nth(1);
			await second.waitFor();
			const id = /, commit ([0-9a-f]{7})/.exec((await second.getAttribute('aria-label')) ?? '')?.[1] ?? '';
			await viewsAreAtRest(page);
			await second.hover();
			await desk.screenshot('commit-row');
			await second.getByRole('button', { name: /^Open Changes/ }).click();
			await editorTab(page, new RegExp(`^${id} `)).waitFor();
			await changedFiles(page).first().waitFor();
			await desk.screenshot('changes-of-commit');
		});

		testInProve('the page of a commit opens a file’s change, all its changes, and its parents', async () => {
			const desk = workbench();
			const { page } = desk;
			await clickRow(page, /^Merge branch 'topic\/fold', commit 5f2ca10/);
			await editorTab(page, 'Commit 5f2ca10').waitFor();
			const commit = webview(page);
			const file = commit.locator('.files li button').first();
			await file.waitFor();
			await desk.screenshot('commit-page');
			const name = ((await file.textContent()) ?? '').split('/').at(-1) ?? '';
			await file.click();
			await editorTab(page, new RegExp(`^${name}.* \\([0-9a-f]{7} → 5f2ca10\\)`)).waitFor();
			await page.locator('.editor-group-container.active .monaco-diff-editor').first().waitFor();
			await desk.screenshot('change-of-file');
			await editorTab(page, 'Commit 5f2ca10').click();
			await webview(page).getByRole('button', { name: 'Open Changes' }).click();
			await desk.screenshot('which-parent');
			await pick(page, /^Parent 1: /);
			await editorTab(page, /^5f2ca10 Merge branch 'topic\/fold' \(against [0-9a-f]{7}\)/).waitFor();
			await changedFiles(page).first().waitFor();
			await desk.screenshot('merge-changes');
			await editorTab(page, 'Commit 5f2ca10').click();
			const parentButton = webview(page).locator('.commit-facts button.id').nth(1);
			const parentId = ((await parentButton.textContent()) ?? '').slice(0, 7);
			await parentButton.click();
			await editorTab(page, `Commit ${parentId}`).waitFor();
			await webview(page).locator('.files li').first().waitFor();
			await desk.screenshot('parent');
		});

		testInProve('a view lists a file’s history, and opens a change', async () => {
			const desk = workbench();
			const { page } = desk;
			await collapse(page, /^Commits/);
			await expand(page, /^src, folder/);
			await chooseFromMenu(page, /^fold\.c, file/, 'Show File History');
			const history = viewSection(page, 'File History');
			await history.waitFor();
			await page
				.getByText(/^src\/fold\.c · \d+ commits? · ~alice\/lantern · master$/)
				.first()
				.waitFor();
			const change = /, modified, commit [0-9a-f]{7}, /;
			await desk.screenshot('history');
			await clickRow(page, change);
			await editorTab(page, /^fold\.c \([0-9a-f]{7} → [0-9a-f]{7}\)/).waitFor();
			await treeItem(page, change).waitFor();
			await desk.screenshot('history-change');
			await useTitleAction(page, 'File History', 'Close File History');
			await history.waitFor({ state: 'detached' });
			await collapse(page, /^src, folder/);
		});

		test('the permalink of selected lines leads back to the same lines of the same file', async () => {
			const desk = workbench();
			const { page } = desk;
			await runCommand(page, 'View: Close All Editors');
			await clickRow(page, /^README\.md, file/);
			await editorTab(page, 'README.md').waitFor();
			const selection = await selectLines(page, 3, 5);
			await forgetClipboard(page);
			await runCommand(page, 'Forge: Copy Permalink');
			await page.getByText('Copied', { exact: true }).first().waitFor();
			const address = await copied(page);
			assert.match(address, /\/~alice\/lantern\/tree\/5f2ca10[0-9a-f]{33}\/item\/README\.md#L3-5$/);
			await runCommand(page, 'View: Close All Editors');
			await editorTab(page, 'README.md').waitFor({ state: 'detached' });
			await runCommand(page, 'Forge: Go to…');
			await fillBox(quickInput(page), address);
			await quickInput(page)
				.getByRole('option', { name: /^README\.md in ~alice\/lantern at 5f2ca10[0-9a-f]{5}\b/ })
				.waitFor();
			await desk.screenshot('go-to');
			await pressInBox(quickInput(page), 'Enter');
			await editorTab(page, 'README.md').waitFor();
			await selected(page).getByText(selection).waitFor();
			await desk.screenshot('permalink-back');
		});

		test('a link from outside the editor opens these lines after two confirmations', async () => {
			const desk = workbench();
			const { page } = desk;
			const selection = await selectLines(page, 3, 5);
			await forgetClipboard(page);
			await runCommand(page, 'Forge: Copy Reference…', 'Copy VS Code Link');
			await page.getByText('Copied', { exact: true }).first().waitFor();
			const link = await copied(page);
			assert.match(link, /^[\w-]+:\/\/forge-desk\.forge-desk\/open\?url=http[^#]+README\.md%23L3-5$/);
			await runCommand(page, 'View: Close All Editors');
			const openLink = async (address: string): Promise<void> => {
				await runCommand(page, 'Developer: Open URL');
				await answer(page, address);
				// The editor's own question, as for any extension.
				const first = page.locator('.monaco-dialog-box').filter({ hasText: 'Allow' });
				await first.getByRole('button', { name: 'Open', exact: true }).click();
				await first.waitFor({ state: 'detached' });
			};
			await openLink(link);
			const question = page
				.locator('.monaco-dialog-box')
				.filter({ hasText: 'A link from outside the editor points to' });
			await question.getByText(/\/~alice\/lantern\/tree\/.*README\.md#L3-5$/).waitFor();
			await desk.screenshot('link-from-outside');
			assert.equal(await editorTab(page, 'README.md').count(), 0);
			await question.getByRole('button', { name: 'Open', exact: true }).click();
			await editorTab(page, 'README.md').waitFor();
			await selected(page).getByText(selection).waitFor();
			await openLink(link.replace(/url=.*/, 'url=https%3A%2F%2Felsewhere.example%2F~alice%2Flantern'));
			await notification(page, /belongs to no forge that is configured here/).waitFor();
		});

		test('clones a repository into a chosen folder, and opens it', async () => {
			const desk = workbench();
			const { page } = desk;
			await chooseFromMenu(page, /^Repository lantern of ~alice/, 'Clone…');
			const box = quickInput(page);
			await box.getByText('Folder to clone lantern into').waitFor();
			// The dialog overwrites text typed before it has read its first folder: the parent of the open clone.
			await box.getByRole('option', { name: basename(parent) }).waitFor();
			await desk.screenshot('clone-where');
			await fillBox(box, `${parent}/`);
			// It also ignores clicks until it has read the typed folder.
			await box.getByRole('option', { name: basename(parent) }).waitFor({ state: 'detached' });
			await box.locator('.monaco-progress-container.active').waitFor({ state: 'detached' });
			await box.getByRole('button', { name: 'Clone Here' }).click();
			const done = notification(page, `The clone is in ${join(parent, 'lantern')}.`);
			await holdNotification(done);
			await desk.screenshot('cloned');
			const loaded = page.waitForEvent('load');
			await pressButton(done, 'Open');
			await loaded;
			await page
				.locator('.statusbar-item')
				.filter({ hasText: /^\s*master/ })
				.first()
				.waitFor({ timeout: limitMs(60_000) });
		});

		test('a file of the clone opens on the forge at its line, and leads back', async () => {
			const desk = workbench();
			const { page } = desk;
			await openContainer(page, 'Explorer');
			await page.locator('.explorer-folders-view').getByRole('treeitem', { name: 'README.md' }).dblclick();
			await editorTab(page, 'README.md').waitFor();
			const selection = await selectLines(page, 3, 5);
			await forgetClipboard(page);
			await runCommand(page, 'Forge: Copy Permalink');
			await page.getByText('Copied', { exact: true }).first().waitFor();
			assert.match(await copied(page), /\/~alice\/lantern\/tree\/5f2ca10[0-9a-f]{33}\/item\/README\.md#L3-5$/);
			await runCommand(page, 'Forge: Open Remote Version');
			await page.locator('.statusbar-item[id*="forge.reference"]').filter({ hasText: 'master · 5f2ca10' }).waitFor();
			await eventually(() => editorTab(page, 'README.md').count(), 2);
			await selected(page).getByText(selection).waitFor();
			await desk.screenshot('twin');
			await runCommand(page, 'View: Close Other Editors in Group');
			await eventually(() => editorTab(page, 'README.md').count(), 1);
			await runCommand(page, 'Forge: Open in Local Clone…');
			await eventually(() => editorTab(page, 'README.md').count(), 2);
			await selected(page).getByText(selection).waitFor();
			await page.locator('.statusbar-item[id*="forge.reference"]').waitFor({ state: 'hidden' });
			// During the read no editor is active, and lines and menus still belong to the previous file.
			await page.locator('.editor-instance .monaco-editor[data-uri^="vscode-remote:"]').waitFor();
			await desk.screenshot('continued');
		});

		testInProve('a search of the forge’s version reads the clone if it has the commit, without requests', async () => {
			const desk = workbench();
			const { page } = desk;
			await runCommand(page, 'Forge: Open Remote Version');
			const standing = page.locator('.statusbar-item[id*="forge.reference"]').filter({ hasText: 'master · 5f2ca10' });
			await standing.waitFor();
			await forge.forgetRequests();
			await runCommand(page, 'Forge: Search in Remote Files…');
			const box = quickInput(page);
			await box.getByRole('option', { name: /^At master, from the clone lantern, Commit 5f2ca10/ }).click();
			await box.getByPlaceholder('Text to search for').waitFor();
			await fillBox(box, 'lantern');
			await desk.screenshot('search-clone');
			await pressInBox(quickInput(page), 'Enter');
			await viewSection(page, 'Search').waitFor();
			await page
				.getByText(/^"lantern" · \d+ lines in \d+ files · ~alice\/lantern · master · from the clone lantern$/)
				.first()
				.waitFor();
			const read = (await forge.requests()).filter(({ area, path }) => area === 'git' && /\/(blob|tree)\//.test(path));
			assert.deepEqual(read, []);
			await clickRow(page, /^Line \d+: .*lantern/);
			await standing.waitFor();
			await selected(page).getByText('(7 selected)').waitFor();
			await desk.screenshot('search-clone-found');
		});

		testInProve('the clone leads to its tracker', async () => {
			const desk = workbench();
			const { page } = desk;
			await runCommand(page, 'Forge: Open Tracker or List of This Folder…', 'Open Tracker of This Folder');
			const tracker = treeItem(page, /^Tracker lantern of ~alice/);
			await tracker.and(page.locator('[aria-expanded=true]')).waitFor();
			await desk.screenshot('tracker');
		});
	});
}
