import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { chainedSuite } from '../../support/chain.ts';
import type { SampleForge } from '../../support/sampleForge.ts';
import { testInProve } from '../../support/testInProve.ts';
import { fillBox, pressInBox } from '../support/boxKeys.ts';
import { knowing } from '../support/sampleWindow.ts';
import {
	chooseFromMenu,
	clickRow,
	editorTab,
	expand,
	openOnly,
	quickInput,
	treeItem,
	viewSection,
	useTitleAction,
} from '../support/user.ts';
import { borrowForge, giveBackForge } from '../support/sharedForge.ts';
import { useWorkbench } from '../support/workbench.ts';

/** Waits for the cursor position in the status bar. */
async function caretAt(page: Page, text: string): Promise<void> {
	await page.locator('[id="status.editor.selection"]').getByText(text).waitFor();
}

export function findInRepositories(): Mocha.Suite {
	return chainedSuite('finding in a remote repository', () => {
		let forge: SampleForge;
		suiteSetup(async () => {
			forge = await borrowForge('field');
		});
		const workbench = useWorkbench(() => ({
			name: 'find-in-repositories',
			env: knowing(forge, 'alice'),
			viewport: { width: 1280, height: 1200 },
		}));
		suiteTeardown(() => giveBackForge(forge));

		test('a file opens by part of its path, best match first, at the typed line', async () => {
			const { page } = workbench();
			await openOnly(page, 'Repositories');
			await expand(page, /^Repository lantern of ~alice/);
			await chooseFromMenu(page, /^Branch master/, 'Open Remote File…');
			const box = quickInput(page);
			await box.getByText(/^\d+ files$/).waitFor();
			// The editor's own sort would put prefix matches first; here the folder decides.
			await fillBox(box, 'src/ma:3');
			const rows = box.getByRole('option');
			await rows
				.first()
				.getByText(/^ma.*\.c · src$/)
				.waitFor();
			await pressInBox(quickInput(page), 'Enter');
			await editorTab(page, /^ma.*\.c/).waitFor();
			await caretAt(page, 'Ln 3, Col 1');
		});

		test('finds a text in all files, and opens the line of a match', async () => {
			const { page } = workbench();
			await chooseFromMenu(page, /^Branch master/, 'Search in Remote Files…');
			const box = quickInput(page);
			await box.getByPlaceholder('Text to search for').waitFor();
			await fillBox(box, 'lantern');
			await box.getByRole('checkbox', { name: /Match case/ }).click();
			// The clicked button has the keyboard, and would take this key as another click.
			await box.getByPlaceholder('Text to search for').focus();
			await pressInBox(box, 'Enter');
			await viewSection(page, 'Search').waitFor();
			await treeItem(page, /^README\.md, lines found/).waitFor();
			await page
				.getByText(/^"lantern" · \d+ lines in \d+ files · ~alice\/lantern · master$/)
				.first()
				.waitFor();
			await clickRow(page, /^Line \d+: .*lantern/);
			await page.locator('[id="status.editor.selection"]').getByText('(7 selected)').waitFor();
		});

		testInProve('a search shows its number of requests, and a repeat sends none', async () => {
			const { page } = workbench();
			await forge.forgetRequests();
			await useTitleAction(page, 'Search', 'Search Again…');
			const box = quickInput(page).getByPlaceholder('Text to search for');
			assert.equal(await box.inputValue(), 'lantern');
			await fillBox(quickInput(page), 'fold');
			await pressInBox(quickInput(page), 'Enter');
			await viewSection(page, 'Search').waitFor();
			await page
				.getByText(/^"fold" · \d+ lines in \d+ files · ~alice\/lantern · master$/)
				.first()
				.waitFor();
			const read = (await forge.requests()).filter(({ area, path }) => area === 'git' && /\/(blob|tree)\//.test(path));
			assert.deepEqual(read, []);
		});

		testInProve('the results open as a text, and closing the view clears them', async () => {
			const { page } = workbench();
			await useTitleAction(page, 'Search', 'Open Search Results as Text');
			await page
				.locator('.editor-group-container.active .view-lines')
				.getByText(/^Search.for."fold".in/)
				.first()
				.waitFor();
			await useTitleAction(page, 'Search', 'Clear Search Results');
			await viewSection(page, 'Search').waitFor({ state: 'detached' });
		});
	});
}
