import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { chainedSuite } from '../support/chain.ts';
import { inRest } from '../support/parts.ts';
import { pushToForge } from '../support/pushToForge.ts';
import { startSampleForge, type SampleForge } from '../support/sampleForge.ts';
import { eventually } from '../support/eventually.ts';
import { testInProve } from '../support/testInProve.ts';
import { fillBox, pressInBox } from './support/boxKeys.ts';
import { openFilesAreKept, windowStateIsKept } from './support/keptEditors.ts';
import { signInWithToken } from './support/sampleWindow.ts';
import {
	chooseFromMenu,
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
} from './support/user.ts';
import { dialectsOf } from './support/sharedForge.ts';
import { useWorkbench } from './support/workbench.ts';

const why = 'Why is this empty?.md';

/** A regular forge, because an account of the sample forge lives in memory only and would not survive a reload. */
function settingsFor(forge: SampleForge): Readonly<Record<string, unknown>> {
	return { 'forge.forges': [{ name: 'Lantern Forge', areas: forge.areas, signIn: { kind: 'tokenOnly' } }] };
}

/** A row of the editor's own Explorer. */
function explorerRow(page: Page, name: string): Locator {
	return page.locator('.explorer-folders-view').getByRole('treeitem', { name }).first();
}

/** Waits until the active editor shows this text, with no-break spaces normalised. */
async function showsText(page: Page, text: string): Promise<void> {
	await page.waitForFunction(
		([selector, wanted]) =>
			(document.querySelector(selector ?? '')?.textContent ?? '').replaceAll('\u00A0', ' ').includes(wanted ?? ''),
		['.editor-group-container.active .monaco-editor .view-lines', text] as const,
	);
}

for (const dialect of dialectsOf('document')) {
	chainedSuite(`${dialect}: a remote folder as the workspace`, function () {
		inRest(this);
		let forge: SampleForge;
		/** Id of the pushed commit. */
		let pushed = '';
		suiteSetup(async () => {
			forge = await startSampleForge({ dialect });
		});
		const workbench = useWorkbench(() => ({
			name: `remote-folder-${dialect}`,
			settings: settingsFor(forge),
			viewport: { width: 1280, height: 1100 },
		}));
		suiteSetup(async () => {
			const { page } = workbench();
			await openContainer(page, 'Forge');
			await signInWithToken(page, forge.tokens.alice);
			await openOnly(page, 'Repositories');
		});
		suiteTeardown(() => forge.stop());

		testInProve('opens from a branch with a slash in its name', async () => {
			const { page } = workbench();
			await expand(page, /^Repository lantern of ~alice/);
			await chooseFromMenu(page, /^Branch release\/0\.9/, 'Open Remote Folder in Workspace…');
			await pick(page, 'Replace Current Folder');
			await explorerRow(page, 'README.md').waitFor();
			await page.locator('.sidebar').getByRole('button', { name: 'lantern@release∕0.9', exact: false }).waitFor();
			await page.locator('.statusbar-item[id*="forge.reference"]').filter({ hasText: 'release/0.9' }).waitFor();
		});

		testInProve('switches to a branch by a part of its name and Enter', async () => {
			const { page } = workbench();
			const shown = page.locator('.statusbar-item[id*="forge.reference"]');
			await shown.getByRole('button').click();
			await quickInput(page)
				.getByRole('option', { name: /^master/ })
				.waitFor();
			await fillBox(quickInput(page), 'wide');
			await quickInput(page)
				.getByRole('option', { name: /^master/ })
				.waitFor({ state: 'detached' });
			await pressInBox(quickInput(page), 'Enter');
			await shown.filter({ hasText: 'fix/wide-cells' }).waitFor();
		});

		test('opens from its branch, and its files open with their language', async () => {
			const { page } = workbench();
			// Each folder has its own layout of the views.
			await openOnly(page, 'Repositories');
			await expand(page, /^Repository lantern of ~alice/);
			await chooseFromMenu(page, /^Branch master/, 'Open Remote Folder in Workspace…');
			await pick(page, 'Replace Current Folder');
			await explorerRow(page, 'README.md').click();
			await editorTab(page, 'README.md').waitFor();
			await showsText(page, 'A small text editor');
			await page.locator('[id="status.editor.mode"]').getByText('Markdown').waitFor();
			await workbench().screenshot('explorer');
		});

		testInProve('the preview shows a picture next to the text', async () => {
			const { page } = workbench();
			await runCommand(page, 'Markdown: Open Preview');
			const preview = page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');
			await preview.getByRole('heading', { name: 'Lantern', exact: true }).waitFor();
			const picture = preview.getByRole('img', { name: 'A lantern' });
			await eventually(
				() => picture.evaluate((img) => (img instanceof HTMLImageElement ? img.naturalWidth > 0 : false)),
				true,
			);
			await workbench().screenshot('preview');
			await page.keyboard.press('ControlOrMeta+w');
		});

		test('a push changes nothing until the user goes to it', async () => {
			const { page } = workbench();
			await explorerRow(page, 'VERSION').click();
			await editorTab(page, 'VERSION').waitFor();
			pushed = pushToForge(forge, {
				repository: 'lantern',
				branch: 'master',
				message: 'Count on',
				files: { VERSION: '99.0\n', 'NEWS-99': 'Much is new.\n' },
			});
			await openContainer(page, 'Forge');
			await runCommand(page, 'Forge: Focus on Repositories View');
			await runCommand(page, 'Forge: Refresh');
			const moved = notification(page, /master of ~alice\/lantern has moved to \w+ "Count on"/);
			await holdNotification(moved);
			assert.ok(
				!(await page.locator('.editor-group-container.active .view-lines').first().textContent())?.includes('99.0'),
			);
			await workbench().screenshot('moved');
			await pressButton(moved, 'Switch to It');
			await showsText(page, '99.0');
			await runCommand(page, 'View: Show Explorer');
			await explorerRow(page, 'NEWS-99').waitFor();
		});

		testInProve('everything works after a reload, signed in and without the forge', async () => {
			const { page } = workbench();
			await openFilesAreKept(page, 'VERSION');
			// In a browser, the editor stores extension data a moment later.
			await windowStateIsKept(page, pushed);
			await page.reload();
			await showsText(page, '99.0');
			await runCommand(page, 'View: Show Explorer');
			await explorerRow(page, 'README.md').waitFor();
			await forge.stop();
			await page.reload();
			await showsText(page, '99.0');
			await explorerRow(page, 'README.md').click();
			await editorTab(page, 'README.md').waitFor();
			await showsText(page, 'A small text editor');
			await workbench().screenshot('offline');
		});

		testInProve('after signing out, the folder remains and names the missing account', async () => {
			const { page } = workbench();
			await runCommand(page, 'Forge: Sign Out…');
			await pick(page, /~alice/);
			await explorerRow(page, why).click();
			await showsText(page, 'You are not signed in to the account that this was opened with');
			await page.reload();
			await explorerRow(page, why).waitFor();
			await workbench().screenshot('signed-out');
			await explorerRow(page, why).click();
			await showsText(page, 'You are not signed in to the account that this was opened with');
			assert.equal(await treeItem(page, 'README.md').count(), 0);
		});
	});
}
