import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { chainedSuite } from '../../support/chain.ts';
import type { SampleForge } from '../../support/sampleForge.ts';
import { eventually } from '../../support/eventually.ts';
import { testInProve } from '../../support/testInProve.ts';
import { fillBox, pressInBox } from '../support/boxKeys.ts';
import { knowing } from '../support/sampleWindow.ts';
import {
	answer,
	chooseFromMenu,
	clickRow,
	editorTab,
	expand,
	notification,
	openOnly,
	pick,
	question,
	quickInput,
	runCommand,
	treeItem,
} from '../support/user.ts';
import { borrowForge, giveBackForge } from '../support/sharedForge.ts';
import { toldNotices } from '../support/toldNotices.ts';
import { useWorkbench } from '../support/workbench.ts';

/** The status bar item of the current reference. */
function status(page: Page, text: string | RegExp): Locator {
	return page.locator('.statusbar-item[id*="forge.reference"]').filter({ hasText: text });
}

/** Accepts the suggested place for a file when the dialog has read its folder. */
async function saveThere(page: Page, path: string): Promise<void> {
	await quickInput(page).getByRole('option', { name: '.git' }).waitFor();
	await eventually(() => quickInput(page).locator('input').first().inputValue(), path);
	await quickInput(page).getByRole('button', { name: 'OK' }).click();
}

export function manageRepositories(): Mocha.Suite {
	return chainedSuite('own repositories, their references and files', () => {
		let forge: SampleForge;
		suiteSetup(async () => {
			forge = await borrowForge('field');
		});
		const workbench = useWorkbench(() => ({
			name: 'manage-repositories',
			env: knowing(forge, 'alice'),
			// Only rows in view are in the DOM.
			viewport: { width: 1280, height: 1500 },
		}));
		suiteSetup(async () => {
			const { page } = workbench();
			await openOnly(page, 'Repositories');
		});
		suiteTeardown(() => giveBackForge(forge));

		testInProve('creates a repository, checks its name during typing and explains the visibility', async () => {
			const desk = workbench();
			const { page } = desk;
			await treeItem(page, /^Repository diary of ~alice, private/).waitFor();
			await runCommand(page, 'Forge: Create…', 'Create Repository…');
			await answer(page, 'Lantern');
			await quickInput(page).getByText('You already have a repository with this name.').waitFor();
			await answer(page, '1st-try');
			await quickInput(page).getByText('Anyone with the link.').waitFor();
			await desk.screenshot('visibility');
			await pick(page, /^Unlisted/);
			await quickInput(page).getByText('Description in Markdown').waitFor();
			await answer(page, 'A *try*');
			// This server rejects a leading digit; its reason appears above the typed text.
			await quickInput(page).getByText('Only alphanumeric characters').waitFor();
			assert.equal(await quickInput(page).locator('input').first().inputValue(), '1st-try');
			await answer(page, 'first-try');
			await pick(page, /^Unlisted/);
			await quickInput(page).getByText('Description in Markdown').waitFor();
			await pressInBox(quickInput(page), 'Enter');
			await treeItem(page, /^Repository first-try of ~alice, unlisted/).waitFor();
			assert.equal((await forge.call('git', 'GET', '/api/repos/first-try')).at('description'), 'A *try*');
		});

		testInProve('edits its name and its description, the latter in a document', async () => {
			const desk = workbench();
			const { page } = desk;
			await chooseFromMenu(page, /^Repository first-try/, 'Edit Repository…', 'More');
			await pick(page, /^Name/);
			await answer(page, 'second-try');
			await treeItem(page, /^Repository second-try of ~alice, unlisted/).waitFor();
			await treeItem(page, /^Repository first-try/).waitFor({ state: 'detached' });
			await chooseFromMenu(page, /^Repository second-try/, 'Edit Repository…', 'More');
			await pick(page, /^Description/);
			const lines = page.locator('.editor-instance .view-lines');
			await lines.getByText('try').first().waitFor();
			await lines.click();
			await page.keyboard.press('ControlOrMeta+A');
			await page.keyboard.type('All of it is new');
			await desk.screenshot('description');
			await page.getByRole('button', { name: /Save Repository Description/ }).click();
			await editorTab(page, /second-try/).waitFor({ state: 'detached' });
			assert.equal((await forge.call('git', 'GET', '/api/repos/second-try')).at('description'), 'All of it is new');
		});

		testInProve('deleting it names the losses, requires its full name, and removes it', async () => {
			const desk = workbench();
			const { page } = desk;
			await chooseFromMenu(page, /^Repository second-try/, 'Delete Repository…', 'More');
			const asked = question(page, 'Deletes the repository with its whole history');
			await asked.waitFor();
			await desk.screenshot('delete');
			await asked.getByRole('button', { name: 'Continue…' }).click();
			await quickInput(page).getByText('to delete it with its whole history').waitFor();
			await answer(page, 'second-try');
			await quickInput(page).getByText('Type ~alice/second-try exactly as shown.').waitFor();
			await answer(page, '~alice/second-try');
			await treeItem(page, /^Repository second-try/).waitFor({ state: 'detached' });
			assert.equal((await forge.call('git', 'GET', '/api/repos/second-try')).status, 404);
		});

		test('the status bar shows the reference of the active file, and switches it to a tag', async () => {
			const desk = workbench();
			const { page } = desk;
			await expand(page, /^Repository lantern of ~alice/);
			await expand(page, /^Branch master/);
			await clickRow(page, /^README\.md, file/);
			await editorTab(page, 'README.md').waitFor();
			await status(page, 'master · 5f2ca10').click();
			await quickInput(page).getByText('default').first().waitFor();
			await desk.screenshot('references');
			await fillBox(quickInput(page), 'v0.9.0');
			await pick(page, /^v0\.9\.0/);
			await status(page, /v0\.9\.0 · [0-9a-f]{7}/).waitFor();
			await desk.screenshot('switched');
			// A failure behind it would appear before the list of references does.
			await status(page, /v0\.9\.0 · [0-9a-f]{7}/).click();
			await quickInput(page).getByText('default').first().waitFor();
			await page.keyboard.press('Escape');
			await quickInput(page).waitFor({ state: 'hidden' });
			const told = await toldNotices(page);
			assert.deepEqual(
				told.filter((text) => !text.startsWith('Created ')),
				[],
			);
			assert.equal(await editorTab(page, 'README.md').count(), 1);
		});

		testInProve('downloads a file of a tag, and keeps only the correct one', async () => {
			const desk = workbench();
			const { page } = desk;
			const path = join(desk.folder, 'lantern-0.10.0.tar.gz');
			await expand(page, /^Tags/);
			await expand(page, /^Tag v0\.10\.0/);
			await desk.screenshot('artifacts');
			const body = 'Stands out for lantern-0.10.0.tar.gz\n'.slice(0, 'Stands in for lantern-0.10.0.tar.gz\n'.length);
			await forge.fault({ area: 'git', path: '/refs/v0.10.0/' }, { kind: 'status', status: 200, body });
			await clickRow(page, /^Release file lantern-0\.10\.0\.tar\.gz/);
			await saveThere(page, path);
			await notification(page, 'has a wrong checksum and was removed').waitFor();
			await desk.screenshot('wrong-sum');
			await assert.rejects(readFile(path), { code: 'ENOENT' });
			await clickRow(page, /^Release file lantern-0\.10\.0\.tar\.gz/);
			await saveThere(page, path);
			await notification(page, 'Its checksum is correct').waitFor();
			await eventually(() => readFile(path, 'utf8'), 'Stands in for lantern-0.10.0.tar.gz\n');
		});
	});
}
