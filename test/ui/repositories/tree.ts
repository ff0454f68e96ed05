import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { chainedSuite } from '../../support/chain.ts';
import { eventually } from '../../support/eventually.ts';
import type { Dialect, SampleForge } from '../../support/sampleForge.ts';
import { testInProve } from '../../support/testInProve.ts';
import { fillBox } from '../support/boxKeys.ts';
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
	notification,
	openContainer,
	openOnly,
	pick,
	quickInput,
	runCommand,
	treeItem,
	webview,
} from '../support/user.ts';
import { openFilesAreKept } from '../support/keptEditors.ts';
import { signatureIn } from './signatureIn.ts';
import { borrowForge, giveBackForge } from '../support/sharedForge.ts';
import { useWorkbench } from '../support/workbench.ts';

/** The lines of the active editor. */
function shownText(page: Page): Locator {
	return page.locator('.editor-group-container.active .monaco-editor .view-lines').first();
}

function languageShown(page: Page): Locator {
	return page.locator('[id="status.editor.mode"]');
}

/** Waits until the active editor shows this text, with no-break spaces normalised. */
async function showsText(page: Page, text: string): Promise<void> {
	await page.waitForFunction(
		([selector, wanted]) =>
			(document.querySelector(selector ?? '')?.textContent ?? '').replaceAll('\u00A0', ' ').includes(wanted ?? ''),
		['.editor-group-container.active .monaco-editor .view-lines', text] as const,
	);
}

export function repositoryTree(dialect: Dialect): Mocha.Suite {
	return chainedSuite(`${dialect}: repositories in the editor`, () => {
		let forge: SampleForge;
		suiteSetup(async () => {
			forge = await borrowForge(dialect);
		});
		const workbench = useWorkbench(() => ({
			name: `repositories-${dialect}`,
			env: knowing(forge, 'alice'),
			// Only rows in view are in the DOM.
			viewport: { width: 1280, height: 1500 },
		}));
		suiteTeardown(() => giveBackForge(forge));

		test('own repositories include private ones, and the default branch comes first', async () => {
			const { page } = workbench();
			await openOnly(page, 'Repositories');
			await treeItem(page, /^Repository diary of ~alice, private/).waitFor();
			await expand(page, /^Repository lantern of ~alice/);
			await treeItem(page, /^Branch master, 5f2ca10, default/).waitFor();
			await page
				.locator('[aria-posinset="1"]')
				.and(treeItem(page, /^Branch master/))
				.waitFor();
			await treeItem(page, /^Tags/).waitFor();
		});

		test('a file opens read-only with its language and exact text', async () => {
			const { page } = workbench();
			await expand(page, /^Branch master/);
			await clickRow(page, /^README\.md, file/);
			await editorTab(page, 'README.md').waitFor();
			await showsText(page, 'Lantern');
			await languageShown(page).getByText('Markdown').waitFor();
			await clickRow(page, /^configure, executable file/);
			await editorTab(page, 'configure').waitFor();
			await showsText(page, '#!/bin/sh');
			await shownText(page).click();
			await editorHasKeyboard(page);
			await page.keyboard.type('x');
			await page.getByText('Editor is read-only').first().waitFor();
		});

		testInProve('a link shows its target and is not followed, a submodule shows its commit', async () => {
			const { page } = workbench();
			await clickRow(page, /^README, symbolic link/);
			await editorTab(page, /^README(?!\.md)/).waitFor();
			await showsText(page, 'README.md');
			await expand(page, /^lib, folder/);
			const submodule = treeItem(page, /, submodule/);
			await submodule.waitFor();
			assert.equal(await submodule.getAttribute('aria-expanded'), null);
		});

		testInProve('pages the commits of a branch, and opens one without a claim about its signature', async () => {
			const { page } = workbench();
			await clickRow(page, /^Commits/);
			await clickRow(page, /^Merge branch 'topic\/fold', commit 5f2ca10/);
			await editorTab(page, 'Commit 5f2ca10').waitFor();
			await webview(page).getByText(signatureIn(dialect)).waitFor();
			await webview(page).getByText('<alice@forge.test>').first().waitFor();
		});

		testInProve('follows another user’s repository by its address, and opens odd names', async () => {
			const { page } = workbench();
			await runCommand(page, 'Forge: Follow…', 'Follow Repository…');
			await answer(page, `${forge.areas.git}/~bob/odd-names/tree/master`);
			await collapse(page, /^Repository lantern of ~alice/);
			await treeItem(page, /^Repository odd-names of ~bob/).waitFor();
			await runCommand(page, 'Forge: Open Remote File…');
			await pick(page, /~bob\/odd-names/);
			await pick(page, /^master/);
			// New results move the others until the list is complete.
			await quickInput(page)
				.getByText(/^\d+ files$/)
				.waitFor();
			await fillBox(quickInput(page), 'decomposed');
			await pick(page, /decomposed\.txt/);
			await editorTab(page, /decomposed\.txt/).waitFor();
			await showsText(page, 'nfd');
		});

		testInProve('spells out a hidden character in a name', async () => {
			const { page } = workbench();
			await expand(page, /^Repository odd-names of ~bob/);
			await expand(page, /^Branch master, \w+,.* default/);
			await treeItem(page, /right⟨U\+202E⟩gnp\.txt, file/).waitFor();
			await treeItem(page, /^new⟨U\+000A⟩line\.txt, file/).waitFor();
			const refused = treeItem(page, /back\\slash\.txt/);
			await refused.waitFor();
			assert.match((await refused.textContent()) ?? '', /cannot be opened/);
		});

		testInProve('copies the address of a file', async () => {
			const { page } = workbench();
			await chooseFromMenu(page, /^percent%20encoded%2Fslash\.txt, file/, 'Copy Link', 'Copy');
			await page.getByText('Copied', { exact: true }).first().waitFor();
			assert.equal(
				await page.evaluate(() => navigator.clipboard.readText()),
				`${forge.areas.git}/~bob/odd-names/tree/master/item/percent%2520encoded%252Fslash.txt`,
			);
		});

		testInProve('rejects a large file with a sentence, and opens it when it is small enough', async () => {
			const { page } = workbench();
			// Over GraphQL, a short text arrives with its size, without a request for its bytes.
			if (dialect !== 'graphql') {
				await forge.fault({ area: 'git', path: '/blob/' }, { kind: 'huge', megabytes: 30 }, 20);
				await clickRow(page, /^plus\+and&and=and;\.txt, file/);
				const notice = notification(page, 'is larger than 21 MB and was not loaded');
				await notice.getByRole('button', { name: 'Save to Disk…' }).waitFor();
				await notice.getByRole('button', { name: 'Open on the Web' }).waitFor();
				await forge.clearFaults();
				// Anything opened from the row would appear before its address is copied.
				await chooseFromMenu(page, /^plus\+and&and=and;\.txt, file/, 'Copy Link', 'Copy');
				await eventually(async () => (await clipboardText(page)).includes('/item/plus'), true);
				assert.equal(await editorTab(page, /^plus/).count(), 0);
				await page.keyboard.press('Escape');
			}
			await clickRow(page, /^plus\+and&and=and;\.txt, file/);
			await editorTab(page, /^plus/).waitFor();
			await showsText(page, '+&=;');
		});

		testInProve('restores an open file after a window reload', async () => {
			const { page } = workbench();
			await openFilesAreKept(page, 'plus+and');
			await page.reload();
			await editorTab(page, /^plus/).click();
			await showsText(page, '+&=;');
		});

		testInProve('a repository opens as a folder of the editor, and its files are in the Explorer', async () => {
			const { page } = workbench();
			await openContainer(page, 'Forge');
			await chooseFromMenu(page, /^Repository lantern of ~alice/, 'Open Remote Folder in Workspace…');
			await pick(page, 'Replace Current Folder');
			await page
				.getByRole('treeitem', { name: /^LICENSE/ })
				.first()
				.click();
			await editorTab(page, 'LICENSE').waitFor();
			await page.getByRole('treeitem', { name: /^doc/ }).first().click();
			await page
				.getByRole('treeitem', { name: /^manual/ })
				.first()
				.waitFor();
		});
	});
}
