import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { dialects } from '../support/contractForge.ts';
import { startSampleForge, type SampleForge } from '../support/sampleForge.ts';
import { knowing } from './support/sampleWindow.ts';
import {
	editorTab,
	expand,
	gitIsThere,
	notification,
	openContainer,
	pick,
	question,
	quickInput,
	runCommand,
	treeItem,
	viewSection,
	webview,
} from './support/user.ts';
import { useWorkbench } from './support/workbench.ts';

const ticketTitle = 'The manual page contradicts';

async function writeTicket(page: Page, title: string): Promise<void> {
	await runCommand(page, 'Forge: New Ticket…');
	await pick(page, /\/website/);
	const lines = page.locator('.editor-group-container.active .editor-instance .view-lines');
	await page.locator('.codelens-decoration a').filter({ hasText: 'Submit New Ticket' }).first().waitFor();
	await lines.click();
	await page.keyboard.press('ControlOrMeta+Home');
	await page.keyboard.type(title);
	// The mark of a document that is not saved goes once its text is kept.
	await page.locator('.tab.active.dirty').waitFor({ state: 'detached' });
	await page.locator('.tab.active:not(.dirty)').waitFor();
}

/** Each test stands on the one before. */
for (const dialect of dialects) {
	suite(`${dialect}: drafts`, () => {
		let forge: SampleForge;
		suiteSetup(async () => {
			forge = await startSampleForge({ dialect, fromDist: true });
		});
		const workbench = useWorkbench(() => ({ name: `drafts-${dialect}`, env: knowing(forge, 'alice') }));
		suiteTeardown(() => forge.stop());

		test('everything that was written and not sent is listed: what it says and what it is for', async () => {
			const desk = workbench();
			const { page } = desk;
			await openContainer(page, 'Forge');
			await expand(page, /website/);
			await treeItem(page, new RegExp(ticketTitle)).click();
			await webview(page).getByRole('textbox', { name: 'Your comment' }).fill('Half a comment');
			await writeTicket(page, 'Half a ticket');
			await runCommand(page, 'Forge: Show Drafts…');
			await quickInput(page)
				.getByRole('option', { name: /Half a ticket.*New ticket in ~alice\/website/ })
				.waitFor();
			await quickInput(page)
				.getByRole('option', { name: /Half a comment.*Comment on ~alice\/website#31/ })
				.waitFor();
			await desk.screenshot('list');
		});

		test('choosing one goes on with it where it was begun', async () => {
			const { page } = workbench();
			await pick(page, /Half a comment/);
			const box = webview(page).getByRole('textbox', { name: 'Your comment' });
			await box.waitFor();
			assert.equal(await box.inputValue(), 'Half a comment');
		});

		test('a draft whose tab was closed opens again as it was', async () => {
			const { page } = workbench();
			await editorTab(page, 'New ticket in website').click();
			await page.keyboard.press('ControlOrMeta+F4');
			await runCommand(page, 'View: Close All Editors');
			await editorTab(page, 'New ticket in website').waitFor({ state: 'detached' });
			await runCommand(page, 'Forge: Show Drafts…');
			await pick(page, /Half a ticket/);
			await page.locator('.view-lines').getByText('Half').waitFor();
		});

		test('a window that writes about the same ticket has a draft of its own, and neither overwrites the other', async () => {
			const desk = workbench();
			const { page } = desk;
			const other = await desk.openWindow();
			await gitIsThere(other);
			await openContainer(other, 'Forge');
			await expand(other, /website/);
			await treeItem(other, new RegExp(ticketTitle)).click();
			const box = webview(other).getByRole('textbox', { name: 'Your comment' });
			await box.waitFor();
			await box.fill('Written in the other window');
			await runCommand(other, 'Forge: Show Drafts…');
			await quickInput(other)
				.getByRole('option', { name: /Written in the other window/ })
				.waitFor();
			await other.close();
			await runCommand(page, 'Forge: Show Drafts…');
			await quickInput(page)
				.getByRole('option', { name: /Written in the other window/ })
				.waitFor();
			await page.keyboard.press('Escape');
		});

		test('deleting one asks, and keeps the others', async () => {
			const { page } = workbench();
			await runCommand(page, 'Forge: Show Drafts…');
			const row = quickInput(page).getByRole('option', { name: /Half a ticket/ });
			await row.hover();
			await row.getByRole('button', { name: 'Delete this draft…' }).click();
			await question(page, 'Delete this draft?').getByRole('button', { name: 'Delete' }).click();
			await row.waitFor({ state: 'detached' });
			await quickInput(page)
				.getByRole('option', { name: /Written in the other window/ })
				.waitFor();
			await page.keyboard.press('Escape');
			await editorTab(page, 'New ticket in website').waitFor({ state: 'detached' });
		});

		test('signing out keeps drafts, and they are there after signing in again', async () => {
			const { page } = workbench();
			await runCommand(page, 'Forge: Sign Out…');
			await pick(page, '~alice');
			await viewSection(page, 'Tickets').getByRole('button', { name: 'Sign In', exact: true }).waitFor();
			await page.reload();
			await gitIsThere(page);
			await openContainer(page, 'Forge');
			await treeItem(page, /website/).waitFor();
			await runCommand(page, 'Forge: Show Drafts…');
			await quickInput(page)
				.getByRole('option', { name: /Written in the other window/ })
				.waitFor();
			await page.keyboard.press('Escape');
			assert.equal(await notification(page, 'There are no drafts').count(), 0);
		});
	});
}
