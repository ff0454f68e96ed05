import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SampleForge } from '../support/sampleForge.ts';
import { eventually } from '../support/eventually.ts';
import { testInProve } from '../support/testInProve.ts';
import { keptDrafts } from './support/keptDrafts.ts';
import { knowing } from './support/sampleWindow.ts';
import { borrowForge, giveBackForge } from './support/sharedForge.ts';
import { editorTab, openOnly, pick, runCommand, treeItem } from './support/user.ts';
import { useWorkbench, type Workbench } from './support/workbench.ts';

/** The copies of unsaved documents that the editor stores. */
function editorsCopies({ dataFolder }: Workbench): readonly string[] {
	return globSync('User/Backups/*/*/*', { cwd: dataFolder }).map((name) =>
		readFileSync(join(dataFolder, name), 'utf8'),
	);
}

suite('the editor’s own copy of a draft', function () {
	this.timeout(240_000);
	let forge: SampleForge;
	suiteSetup(async () => {
		forge = await borrowForge('field');
	});
	const workbench = useWorkbench(() => ({ name: 'restored-draft', env: knowing(forge, 'alice') }));
	suiteTeardown(() => giveBackForge(forge));

	testInProve('does not replace a newer draft after a reload', async () => {
		const desk = workbench();
		const { page } = desk;
		await openOnly(page, 'Tickets');
		await treeItem(page, /website/).waitFor();
		await runCommand(page, 'Forge: New Ticket…');
		await pick(page, /\/website/);
		await editorTab(page, 'New ticket in website').waitFor();
		const lines = page.locator('.editor-group-container.active .editor-instance .view-lines');
		await lines.click();
		await page.keyboard.press('ControlOrMeta+A');
		const goOn = desk.pauseExtensionHosts();
		await page.keyboard.press('t');
		// Without a save, the editor copies the current text.
		await eventually(async () => editorsCopies(desk).some((copy) => copy.endsWith('\nt')) || editorsCopies(desk), true);
		goOn();
		const rest = 'he wick smokes again and again';
		for (const key of rest) {
			await page.keyboard.press(key === ' ' ? 'Space' : key);
		}
		await eventually(
			() => Promise.resolve(keptDrafts(desk).some((draft) => draft.startsWith('the wick smokes'))),
			true,
		);
		desk.killExtensionHosts();
		const kept = keptDrafts(desk).find((draft) => draft.startsWith('the wick smokes'));
		assert.ok(kept !== undefined, keptDrafts(desk).join('\n'));
		await page.reload();
		await treeItem(page, /website/).waitFor();
		await runCommand(page, 'Forge: Show Drafts…');
		await pick(page, /New ticket in ~alice\/website/);
		await eventually(async () => (await lines.innerText()).replaceAll('\u00A0', ' ').startsWith(kept), true);
	});
});
