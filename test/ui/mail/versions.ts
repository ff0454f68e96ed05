import { chainedSuite } from '../../support/chain.ts';
import { eventually } from '../../support/eventually.ts';
import type { Dialect, SampleForge } from '../../support/sampleForge.ts';
import { testInProve } from '../../support/testInProve.ts';
import { borrowForge, giveBackForge } from '../support/sharedForge.ts';
import { knowing } from '../support/sampleWindow.ts';
import {
	chooseFromMenu,
	clickRow,
	editorHasKeyboard,
	editorTab,
	expand,
	openContainer,
	openOnly,
	treeItem,
	viewsAreAtRest,
	webview,
} from '../support/user.ts';
import { useWorkbench } from '../support/workbench.ts';

/** Two versions of a series of the sample forge. */
export function versionsOfSeries(dialect: Dialect): Mocha.Suite {
	return chainedSuite(`${dialect}: versions of a series in the editor`, () => {
		let forge: SampleForge;
		suiteSetup(async () => {
			forge = await borrowForge(dialect);
		});
		const workbench = useWorkbench(() => ({
			name: `versions-${dialect}`,
			env: knowing(forge, 'alice'),
			viewport: { width: 1400, height: 1500 },
		}));
		suiteTeardown(() => giveBackForge(forge));

		const second = /^fold: nest as deep as you like, .*version 2/;

		test('show the output of git range-diff, in colours', async () => {
			const { page } = workbench();
			await openContainer(page, 'Forge');
			await openOnly(page, 'Lists');
			await expand(page, /^Mailing list lantern-devel/);
			await chooseFromMenu(page, second, 'Compare Versions of Patchset…', 'Versions');
			await editorTab(page, /^v1\.\.v2 fold: nest as deep as you like\.range-diff/).waitFor();
			const line = page.locator('.editor-instance .view-line').filter({ hasText: 'break;' });
			await line.first().waitFor();
			await workbench().screenshot('range-diff');
		});

		test('open side by side, with the first version’s comments in the second one’s diff', async () => {
			const { page } = workbench();
			await chooseFromMenu(page, second, 'Open Changes Since My Last Review…', 'Versions');
			await editorTab(page, /^v1 → v2 fold: nest as deep as you like/).waitFor();
			const many = page.locator('.multiDiffEditor');
			await many.locator('.modified .view-line').filter({ hasText: 'break;' }).first().waitFor();
			await workbench().screenshot('changes between versions');
			await expand(page, second);
			await expand(page, /^Patch 2\/4 fold: find the innermost fold/);
			await clickRow(page, /^File fold_tree\.c/);
			await editorTab(page, /^fold_tree\.c \(2\/4/).waitFor();
			await page.locator('.editor-instance .comment-range-glyph').first().waitFor();
			await workbench().screenshot('earlier comments');
		});

		test('files have a viewed mark, by checkbox and by key, and a count', async () => {
			const { page } = workbench();
			const row = treeItem(page, /^File fold_tree\.c/);
			await viewsAreAtRest(page);
			await row.getByRole('checkbox').click();
			await treeItem(page, /^Patch 2\/4 fold: find the innermost fold.*1 of 1 viewed/).waitFor();
			await treeItem(page, /^fold: nest as deep as you like, .*version 2.*1 of \d+ viewed/).waitFor();
			await page.locator('.editor-instance .view-line').first().click();
			await editorHasKeyboard(page);
			await page.keyboard.press('Alt+j');
			await page.keyboard.press('ArrowRight');
			await page.getByText(/^File \d+ of \d+: fold_tree\.\w, patch 3\/4/).waitFor();
			await editorHasKeyboard(page);
			await page.keyboard.press('Alt+j');
			await page.keyboard.press('v');
			await page.getByText(/^Marked fold_tree\.\w as viewed · 2 of \d+ viewed/).waitFor();
			await workbench().screenshot('viewed files');
		});

		test('draft comments on the first version move to the second one by a button, and back', async () => {
			const { page } = workbench();
			await clickRow(page, second);
			const inside = webview(page);
			await inside.getByRole('heading', { name: /^Your comments on v1: / }).waitFor();
			await workbench().screenshot('what became of comments');
			await inside.getByRole('button', { name: /^v1 fold: nest/ }).click();
			await editorTab(page, /^v1 fold: nest as deep as you like/).waitFor();
			const box = inside.getByRole('textbox', { name: 'Your comment on the series' });
			await box.fill('Is there a limit?');
			await inside.getByRole('heading', { name: 'Your draft comments on v1: 1' }).waitFor();
			await workbench().screenshot('drafts on an earlier version');
			await inside.getByRole('button', { name: 'Move to v2' }).click();
			await inside.getByRole('heading', { name: 'Draft comments from v1: 1' }).waitFor();
			await eventually(() => box.inputValue(), 'Is there a limit?');
			await workbench().screenshot('moved drafts');
			await inside.getByRole('button', { name: 'Move Back to v1' }).click();
			await inside.getByRole('heading', { name: 'Your draft comments on v1: 1' }).waitFor();
			await eventually(() => box.inputValue(), '');
		});

		testInProve('the second version’s page shows the reviewed version and the viewed files', async () => {
			const { page } = workbench();
			await clickRow(page, second);
			await webview(page)
				.getByRole('button', { name: /^Open Changes Since Your Review v1/ })
				.waitFor();
			await webview(page)
				.getByText(/2 of \d+ viewed/)
				.waitFor();
			await webview(page)
				.getByRole('button', { name: /^Compare v1/ })
				.click();
			await editorTab(page, /^v1\.\.v2 fold/).waitFor();
			for (const theme of ['light', 'highContrast', 'dark'] as const) {
				await workbench().setTheme(theme);
				await workbench().screenshot(`range-diff-${theme}`);
			}
		});
	});
}
