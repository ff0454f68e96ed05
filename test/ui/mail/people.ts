import type { Locator, Page } from 'playwright-core';
import { chainedSuite } from '../../support/chain.ts';
import type { Dialect, SampleForge } from '../../support/sampleForge.ts';
import { testInProve } from '../../support/testInProve.ts';
import { fillBox } from '../support/boxKeys.ts';
import { knowing } from '../support/sampleWindow.ts';
import {
	chooseFromMenu,
	editorTab,
	expand,
	goTo,
	openBeside,
	openContainer,
	pick,
	quickInput,
	runCommand,
	treeItem,
	viewSection,
	webview,
} from '../support/user.ts';
import { borrowForge, giveBackForge } from '../support/sharedForge.ts';
import { useWorkbench } from '../support/workbench.ts';

/** Types into *Go to…* and chooses the row of a person. */
async function goToPerson(page: Page, typed: string, row: string | RegExp): Promise<void> {
	await runCommand(page, 'Forge: Go to…');
	await fillBox(quickInput(page), typed);
	await pick(page, row);
}

/** The open list of a person, once everything in it was read. */
async function readList(page: Page, name: string): Promise<Locator> {
	const list = quickInput(page).filter({ has: page.locator('.quick-input-title').getByText(name, { exact: true }) });
	await list.waitFor();
	await list.locator('.monaco-progress-container.active').waitFor({ state: 'hidden' });
	return list;
}

/** People in the real editor, for both REST dialects. */
export function people(dialect: Dialect): Mocha.Suite {
	return chainedSuite(`${dialect}: people in the editor`, () => {
		let forge: SampleForge;
		suiteSetup(async () => {
			forge = await borrowForge(dialect);
		});
		const workbench = useWorkbench(() => ({
			name: `people-${dialect}`,
			env: knowing(forge, 'alice'),
			viewport: { width: 1280, height: 1000 },
		}));
		suiteSetup(async () => {
			const { page } = workbench();
			await openContainer(page, 'Forge');
			await treeItem(page, /lantern-devel/).waitFor();
		});
		suiteTeardown(() => giveBackForge(forge));

		testInProve('lists the user’s own patchsets with their status, and opens one', async () => {
			const { page } = workbench();
			await runCommand(page, 'Forge: Show My Patchsets and Messages…', 'Show Patchsets I Sent…');
			const list = await readList(page, '~alice');
			await list.getByRole('option', { name: /scan: skip a byte order mark.*Proposed.*repl/ }).waitFor();
			await workbench().screenshot('own');
			await pick(page, /scan: skip a byte order mark/);
			await editorTab(page, /byte order mark/).waitFor();
			await webview(page)
				.getByRole('heading', { name: /scan: skip a byte order mark/ })
				.first()
				.waitFor();
		});

		testInProve('lists the user’s own mails', async () => {
			const { page } = workbench();
			await runCommand(page, 'Forge: Show My Patchsets and Messages…', 'Show My Messages…');
			const mail = /\[GIT PULL\] The manual in chapters/;
			// The list draws only rows in view, so the user types a word of the mail.
			for (;;) {
				const list = await readList(page, '~alice');
				await fillBox(list, 'manual in chapters');
				if (await list.getByRole('option', { name: mail }).first().isVisible()) {
					break;
				}
				// If the forge cannot list a person's mails, the list reads on page by page.
				await fillBox(list, 'Show More');
				await pick(page, 'Show More');
			}
			await pick(page, mail);
			await editorTab(page, /The manual in chapters/).waitFor();
			await webview(page).getByText('ready to move over').waitFor();
		});

		testInProve('finds a person by name, and follows their objects', async () => {
			const { page } = workbench();
			await goToPerson(page, 'bob', /Person ~bob/);
			const list = await readList(page, '~bob');
			await list.getByText('Syntax trees').waitFor();
			await fillBox(list, 'wick');
			const row = list.getByRole('option', { name: /^wick/ }).first();
			await row.hover();
			await row.getByRole('button', { name: 'Follow' }).click();
			await list.getByRole('option', { name: /^wick.*Followed/ }).waitFor();
			await workbench().screenshot('bob');
			await page.keyboard.press('Escape');
			await openBeside(page, 'Tickets');
			await viewSection(page, 'Tickets').getByRole('treeitem', { name: /wick/ }).waitFor();
		});

		testInProve('shows a plain sentence for an unknown name', async () => {
			const { page } = workbench();
			await goToPerson(page, '~nobody-at-all', /Person ~nobody-at-all/);
			const list = await readList(page, '~nobody-at-all');
			await list.getByText(/has no account named ~nobody-at-all/).waitFor();
			await page.keyboard.press('Escape');
		});

		test('a ticket lists the patchsets that name it, and their references lead to it', async () => {
			const { page } = workbench();
			if (dialect === 'graphql') {
				// Its lists have no search, so only loaded mails can name anything.
				await goTo(page, 'fold: nest', /fold: nest as deep as you like/);
				await webview(page)
					.getByRole('link', { name: /lantern#121/ })
					.first()
					.waitFor();
			}
			await goTo(page, '~alice/lantern#121');
			await editorTab(page, /#121/).waitFor();
			const ticket = webview(page);
			await ticket.getByRole('button', { name: 'Find Mentions on Mailing Lists' }).click();
			const named = ticket.locator('.named-in li').filter({ hasText: 'fold: nest as deep as you like' }).first();
			await named.getByText('Closes').waitFor();
			// Each result rebuilds the list; a click on a button that moves away gets lost.
			await ticket.locator('.ticket-end .look:not([aria-disabled])').waitFor();
			await workbench().screenshot('named-in');
			await named.getByRole('button').click();
			await editorTab(page, /fold: nest as deep/).waitFor();
			// The tab exists before its page.
			await webview(page).locator('h1').getByText('fold: nest as deep').waitFor();
			await webview(page)
				.getByRole('link', { name: /lantern#121/ })
				.first()
				.click();
			await editorTab(page, /#121/).and(page.locator('[aria-selected="true"]')).waitFor();
			await webview(page).locator('.named-in').waitFor();
		});

		testInProve('a person’s name on a ticket, and an address typed into Go to, lead to the person', async () => {
			const { page } = workbench();
			await goToPerson(page, `${forge.areas.lists}/~carol`, /./);
			const carol = await readList(page, '~carol');
			await carol.getByText('Writes the docs').waitFor();
			await page.keyboard.press('Escape');
			await goTo(page, '~alice/lantern#121');
			await editorTab(page, /#121/).and(page.locator('[aria-selected="true"]')).waitFor();
			await webview(page).locator('.byline a.person').first().click();
			const grace = await readList(page, '~grace');
			await grace.getByText('Accessibility first.').waitFor();
			await page.keyboard.press('Escape');
		});

		testInProve('opens the sender of a patchset from its row', async () => {
			const { page } = workbench();
			await openContainer(page, 'Forge');
			await expand(page, /lantern-devel/);
			await chooseFromMenu(page, /save: keep one backup/, 'Open Person…', 'More');
			const list = quickInput(page);
			await list.getByText(/grace/).first().waitFor();
			await list
				.getByRole('option', { name: /save: keep one backup/ })
				.first()
				.waitFor();
			await page.keyboard.press('Escape');
		});
	});
}
