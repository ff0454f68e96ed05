import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { chainedSuite } from '../../support/chain.ts';
import { eventually } from '../../support/eventually.ts';
import type { Dialect, SampleForge } from '../../support/sampleForge.ts';
import { testInProve } from '../../support/testInProve.ts';
import { openFilesAreKept } from '../support/keptEditors.ts';
import { lookAtList } from '../support/listLook.ts';
import { knowing } from '../support/sampleWindow.ts';
import { editorTab, gitIsThere, goTo, openContainer, pick, treeItem, webview } from '../support/user.ts';
import { borrowForge, giveBackForge } from '../support/sharedForge.ts';
import { toldNotices } from '../support/toldNotices.ts';
import { useWorkbench } from '../support/workbench.ts';

/** The visible text of a side of the active diff. */
function side(page: Page, which: 'original' | 'modified'): Locator {
	return page.locator(`.editor-instance .editor.${which} .view-lines`).first();
}

/** The lines of a text view, with the editor's spaces normalised. */
async function linesOf(lines: Locator): Promise<readonly string[]> {
	const rows = await lines.locator('.view-line').evaluateAll((all) =>
		all
			.map((row) => ({ top: row.getBoundingClientRect().top, text: row.textContent ?? '' }))
			.sort((a, b) => a.top - b.top)
			.map(({ text }) => text),
	);
	return rows.map((text) => text.replaceAll('\u00A0', ' '));
}

/** Opens a patchset of a list by Go to…. */
async function openPatchset(page: Page, title: string, version = 'v'): Promise<void> {
	await goTo(page, title, new RegExp(`${title}.*lantern-devel.*${version}`));
	await webview(page).locator('h1').getByText(title).waitFor();
}

/** The patchset page and the native diffs in the real editor, for both REST dialects. */
export function patchsetPage(dialect: Dialect): Mocha.Suite {
	return chainedSuite(`${dialect}: patchset page in the editor`, () => {
		let forge: SampleForge;
		suiteSetup(async () => {
			forge = await borrowForge(dialect);
		});
		const workbench = useWorkbench(() => ({
			name: `patchset-page-${dialect}`,
			env: knowing(forge, 'alice'),
			viewport: { width: 1400, height: 1100 },
		}));
		suiteTeardown(() => giveBackForge(forge));

		test('a series opens as a page with its cover letter, its patches in order, and its status', async () => {
			const { page } = workbench();
			await gitIsThere(page);
			// The lists appear only after the sign-in.
			await openContainer(page, 'Forge');
			await treeItem(page, /lantern-devel/).waitFor();
			await openPatchset(page, 'fold: nest as deep as you like');
			const inside = webview(page);
			await inside.locator('.patch').nth(3).waitFor();
			assert.match(await inside.locator('.patch h3').first().innerText(), /^1\/4 /);
			await inside.getByText('Cover letter').waitFor();
			await inside.getByRole('button', { name: 'Proposed' }).waitFor();
			await editorTab(page, /v2 fold: nest/).waitFor();
			await workbench().screenshot('series');
		});

		test('a file opens as a native diff with all lines, on top of the earlier patches, and is verified', async () => {
			const { page } = workbench();
			await webview(page).locator('.patch').nth(2).getByRole('button', { name: 'fold_tree.c', exact: true }).click();
			await editorTab(page, /^fold_tree\.c \(3\/4\)/).waitFor();
			const [before, after] = [side(page, 'original'), side(page, 'modified')];
			// The two sides render one after the other. The first line is far above the patch's hunk.
			for (const lines of [before, after]) {
				await lines.getByText('#include "fold_tree.h"').first().waitFor();
			}
			await after.getByText('fold_toggle(').first().waitFor();
			// Rows reach their positions a moment after they render.
			await eventually(async () => (await linesOf(before))[0] === (await linesOf(after))[0], true);
			const [old, now] = [await linesOf(before), await linesOf(after)];
			assert.ok(![...old, ...now].some((line) => line.includes('⋯')), JSON.stringify([old, now]));
			// The editor's line numbers are those of the file.
			await page
				.locator('.editor-instance .editor.modified .line-numbers')
				.getByText('17', { exact: true })
				.first()
				.waitFor();
			assert.ok(
				now.some((line) => line.includes('fold_toggle(')) && !old.some((line) => line.includes('fold_toggle(')),
			);
			await page.locator('.statusbar-item').filter({ hasText: /^C$/ }).first().waitFor();
			await page.locator('.statusbar-item[aria-label*="verified" i]').first().waitFor();
			await workbench().screenshot('diff');
		});

		testInProve('restores page and diff after a window reload', async () => {
			const { page } = workbench();
			await openFilesAreKept(page, 'forge-patch');
			await openFilesAreKept(page, 'v2 fold: nest', 'connectionKey');
			await page.reload();
			await gitIsThere(page);
			await side(page, 'modified').getByText('fold_toggle(').first().waitFor();
			await editorTab(page, /v2 fold: nest/).click();
			await webview(page).locator('.patch').nth(3).waitFor();
		});

		testInProve('all files of the series open in one editor, each with its patch', async () => {
			const { page } = workbench();
			await webview(page).getByRole('button', { name: 'More Actions' }).click();
			await webview(page).getByRole('menuitem', { name: 'Open All Diffs' }).click();
			await editorTab(page, /v2 fold: nest as deep as you like \(diffs\)/).waitFor();
			const many = page.locator('.multiDiffEditor');
			await many.locator('.view-lines').first().waitFor();
			await many.getByText('src (1∕4)').first().waitFor();
			await workbench().screenshot('all diffs');
			// A file that the patch adds has no removed line.
			await many.getByText('#ifndef').first().waitFor();
			assert.equal(await many.locator('.original .line-delete').first().isVisible(), false);
			await editorTab(page, /v2 fold: nest as deep as you like$/).click();
			await webview(page).locator('.patch').first().getByRole('button', { name: 'src/fold_tree.h' }).click();
			await editorTab(page, /^fold_tree\.h \(1\/4, added\)/).waitFor();
			await page.locator('.editor-instance .view-lines').getByText('#endif').first().waitFor();
			await workbench().screenshot('added file');
		});

		testInProve('shows a rename, a mode change and a picture in the title or in words', async () => {
			const { page } = workbench();
			await openPatchset(page, 'packaging: tidy the scripts');
			const inside = webview(page);
			await inside.getByRole('button', { name: 'test/run.sh → tools/run tests.sh' }).click();
			await editorTab(page, /test\/run\.sh → tools\/run tests\.sh/).waitFor();
			await side(page, 'modified').getByText('Path: tools/run tests.sh').waitFor();
			await editorTab(page, /packaging: tidy/).click();
			await inside.getByRole('button', { name: 'configure', exact: true }).click();
			await editorTab(page, /configure \(.*executable file \(100755\) becomes ordinary file \(100644\)/).waitFor();
			await side(page, 'original').getByText('Mode: 100755, executable file').waitFor();
			await openPatchset(page, 'icons: a lamp for the high contrast theme');
			await inside.getByRole('button', { name: 'share/icons/lamp.png' }).click();
			await editorTab(page, /^lamp\.png/).waitFor();
			// A picture keeps the editor's keys to itself during opening.
			await inside.locator('img').first().waitFor();
			await workbench().screenshot('picture');
		});

		testInProve('a damaged patch opens raw, with the place and the reason of the damage', async () => {
			const { page } = workbench();
			await openPatchset(page, 'keys: mention the mouse', 'v1');
			const inside = webview(page);
			await inside.locator('.health').getByText('wrapped long lines').waitFor();
			await inside.getByRole('button', { name: 'doc/keys.md' }).click();
			await editorTab(page, /damaged keys\.md\.patch/).waitFor();
			await page
				.locator('.editor-instance .view-lines')
				.getByText('This patch is damaged. Line 14 of the text: an email program wrapped a long line.')
				.waitFor();
			await workbench().screenshot('damaged');
			await editorTab(page, /keys: mention the mouse/).click();
			await inside
				.getByRole('button', { name: /^View Raw Patch/ })
				.first()
				.click();
			await page.locator('.editor-instance .view-lines').getByText('diff --git a/doc/keys.md').waitFor();
		});

		testInProve('sets the status on the page, also by key, and the forge has it', async () => {
			const { page } = workbench();
			await openPatchset(page, 'icons: a lamp for the high contrast theme');
			const inside = webview(page);
			await inside.locator('button.status').click();
			await inside.getByRole('menuitemradio', { name: 'Approved' }).click();
			await inside.locator('.status-approved').waitFor();
			await inside.locator('h1').click();
			await page.keyboard.press('Alt+J');
			await page.keyboard.press('s');
			await pick(page, 'Applied');
			await inside.locator('.status-applied').waitFor();
			assert.deepEqual(
				(await lookAtList(forge, '~alice/lantern-devel')).patchsets
					.filter(({ subject }) => subject === 'icons: a lamp for the high contrast theme')
					.map(({ status }) => status),
				['applied'],
			);
			// A rejected status would show on the page, or in a notice if no page shows it.
			assert.deepEqual(await toldNotices(page), []);
			assert.equal(await inside.locator('.page-failure').innerText(), '');
		});
	});
}
