import { chainedSuite } from '../../support/chain.ts';
import type { Dialect, SampleForge } from '../../support/sampleForge.ts';
import { eventually } from '../../support/eventually.ts';
import { testInProve } from '../../support/testInProve.ts';
import { isKeptAsDraft } from '../support/keptDrafts.ts';
import { knowing } from '../support/sampleWindow.ts';
import {
	clickRow,
	editorTab,
	expand,
	gitIsThere,
	openContainer,
	pick,
	question,
	quickInput,
	runCommand,
	treeItem,
	viewSection,
	webview,
} from '../support/user.ts';
import { borrowForge, giveBackForge } from '../support/sharedForge.ts';
import { useWorkbench, type Workbench } from '../support/workbench.ts';

const ticketTitle = 'The manual page contradicts';

async function writeTicket(desk: Workbench, title: string): Promise<void> {
	const { page } = desk;
	await runCommand(page, 'Forge: New Ticket…');
	await pick(page, /\/website/);
	const lines = page.locator('.editor-group-container.active .editor-instance .view-lines');
	await page.locator('.codelens-decoration a').filter({ hasText: 'Submit New Ticket' }).first().waitFor();
	await lines.click();
	await page.keyboard.press('ControlOrMeta+Home');
	await page.keyboard.type(title);
	await isKeptAsDraft(desk, title);
	// The editor saves it a moment after the draft is stored; before that, closing the tab would show a question.
	await page.locator('.tab.active:not(.dirty)').waitFor();
}

export function drafts(dialect: Dialect): Mocha.Suite {
	return chainedSuite(`${dialect}: drafts`, () => {
		let forge: SampleForge;
		suiteSetup(async () => {
			forge = await borrowForge(dialect);
		});
		const workbench = useWorkbench(() => ({
			name: `drafts-${dialect}`,
			viewport: { width: 1280, height: 1200 },
			env: knowing(forge, 'alice'),
		}));
		suiteTeardown(() => giveBackForge(forge));

		/** The test's texts in the open list. */
		async function draftsListed(): Promise<readonly string[]> {
			const rows = await quickInput(workbench().page).getByRole('option').allInnerTexts();
			return ['Half a comment', 'Half a ticket', 'Written in the other window'].filter((text) =>
				rows.some((row) => row.replaceAll('\u00A0', ' ').includes(text)),
			);
		}

		test('lists all unsent texts with content and subject', async () => {
			const desk = workbench();
			const { page } = desk;
			await openContainer(page, 'Forge');
			await expand(page, /website/);
			await clickRow(page, new RegExp(ticketTitle));
			await webview(page).getByRole('textbox', { name: 'Your comment' }).fill('Half a comment');
			await isKeptAsDraft(desk, 'Half a comment');
			await writeTicket(desk, 'Half a ticket');
			await runCommand(page, 'Forge: Show Drafts…');
			await quickInput(page)
				.getByRole('option', { name: /Half a ticket.*New ticket in ~alice\/website/ })
				.waitFor();
			await quickInput(page)
				.getByRole('option', { name: /Half a comment.*Comment on ~alice\/website#31/ })
				.waitFor();
			await desk.screenshot('list');
			await page.keyboard.press('Escape');
		});

		testInProve('choosing a draft continues it in its place', async () => {
			const { page } = workbench();
			await runCommand(page, 'Forge: Show Drafts…');
			await pick(page, /Half a comment/);
			const box = webview(page).getByRole('textbox', { name: 'Your comment' });
			await eventually(() => box.inputValue(), 'Half a comment');
		});

		testInProve('reopens a draft whose tab was closed', async () => {
			const { page } = workbench();
			await editorTab(page, 'New ticket in website').click();
			await page.keyboard.press('ControlOrMeta+F4');
			await runCommand(page, 'View: Close All Editors');
			await editorTab(page, 'New ticket in website').waitFor({ state: 'detached' });
			await runCommand(page, 'Forge: Show Drafts…');
			await pick(page, /Half a ticket/);
			await page.locator('.view-lines').getByText('Half').waitFor();
		});

		test('a second window has its own draft for the same ticket, and neither overwrites the other', async () => {
			const desk = workbench();
			const { page } = desk;
			const other = await desk.openWindow();
			await gitIsThere(other);
			await openContainer(other, 'Forge');
			await expand(other, /website/);
			await clickRow(other, new RegExp(ticketTitle));
			const box = webview(other).getByRole('textbox', { name: 'Your comment' });
			await box.fill('Written in the other window');
			// The list is a snapshot from when it opens. Checking the box first distinguishes a lost text from one
			// not yet handed over.
			await eventually(() => box.inputValue(), 'Written in the other window');
			await isKeptAsDraft(desk, 'Written in the other window');
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

		testInProve('deleting a draft shows a question and keeps the others', async () => {
			const { page } = workbench();
			await runCommand(page, 'Forge: Show Drafts…');
			const row = quickInput(page).getByRole('option', { name: /Half a ticket/ });
			await row.hover();
			await row.getByRole('button', { name: 'Discard Draft…' }).click();
			await question(page, 'Discard this draft?').getByRole('button', { name: 'Discard' }).click();
			await row.waitFor({ state: 'detached' });
			await quickInput(page)
				.getByRole('option', { name: /Written in the other window/ })
				.waitFor();
			await page.keyboard.press('Escape');
			await editorTab(page, 'New ticket in website').waitFor({ state: 'detached' });
		});

		testInProve('keeps drafts after signing out and in again', async () => {
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
			// The list has neither the discarded draft nor the one that the other window continued.
			await eventually(draftsListed, ['Written in the other window']);
			await page.keyboard.press('Escape');
		});
	});
}
