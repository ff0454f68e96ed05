import type { FrameLocator } from 'playwright-core';
import { chainedSuite } from '../../support/chain.ts';
import type { Dialect, SampleForge } from '../../support/sampleForge.ts';
import { testInProve } from '../../support/testInProve.ts';
import { openFilesAreKept } from '../support/keptEditors.ts';
import { knowing } from '../support/sampleWindow.ts';
import {
	chooseFromMenu,
	editorTab,
	expand,
	gitIsThere,
	goTo,
	openBeside,
	openContainer,
	runCommand,
	treeItem,
	viewSection,
	webview,
} from '../support/user.ts';
import { borrowForge, giveBackForge } from '../support/sharedForge.ts';
import { useWorkbench } from '../support/workbench.ts';

/** Waits until a section of a person's page is fully loaded, because new rows move the others. */
async function isRead(person: FrameLocator, part: 'patchsets' | 'mails' | 'trackers'): Promise<void> {
	await person.locator(`.part-${part} .rows-holder[aria-busy="false"]`).waitFor();
}

/** People in the real editor, for both REST dialects. */
export function people(dialect: Dialect): Mocha.Suite {
	return chainedSuite(`${dialect}: people in the editor`, () => {
		let forge: SampleForge;
		suiteSetup(async () => {
			forge = await borrowForge(dialect);
		});
		const workbench = useWorkbench(() => ({
			name: `person-page-${dialect}`,
			env: knowing(forge, 'alice'),
			viewport: { width: 1280, height: 1000 },
		}));
		suiteSetup(async () => {
			const { page } = workbench();
			await openContainer(page, 'Forge');
			await treeItem(page, /lantern-devel/).waitFor();
		});
		suiteTeardown(() => giveBackForge(forge));

		testInProve('shows the user’s own patchsets with their status, and opens one on click', async () => {
			const { page } = workbench();
			await runCommand(page, 'Forge: Show My Patchsets and Messages…', 'Show Patchsets I Sent…');
			await editorTab(page, '~alice').waitFor();
			const person = webview(page);
			await person.getByRole('heading', { name: 'Patchsets you sent and their status' }).waitFor();
			await person.getByRole('heading', { name: /^Waiting for review/ }).waitFor();
			const sent = person.locator('.part-patchsets .row').filter({ hasText: 'scan: skip a byte order mark' });
			await sent.getByText(/repl/).waitFor();
			await isRead(person, 'patchsets');
			await workbench().screenshot('own');
			await sent.getByRole('button').click();
			await editorTab(page, /byte order mark/).waitFor();
			await webview(page)
				.getByRole('heading', { name: /scan: skip a byte order mark/ })
				.first()
				.waitFor();
		});

		testInProve('the user’s own mails are on the same page', async () => {
			const { page } = workbench();
			await runCommand(page, 'Forge: Show My Patchsets and Messages…', 'Show My Messages…');
			const person = webview(page);
			const mail = person.locator('.part-mails .row').filter({ hasText: '[GIT PULL] The manual in chapters' });
			await isRead(person, 'mails');
			// If the forge cannot list a person's mails, the page searches the lists page by page.
			while (!(await mail.isVisible())) {
				await person.locator('.part-mails').getByRole('button', { name: 'Show More' }).click();
				await isRead(person, 'mails');
			}
			await mail.waitFor();
			await mail.getByRole('button').click();
			await editorTab(page, /The manual in chapters/).waitFor();
			await webview(page).getByText('ready to move over').waitFor();
		});

		testInProve('finds a person by name, and follows their objects', async () => {
			const { page } = workbench();
			await goTo(page, 'bob', /Person ~bob/);
			await editorTab(page, '~bob').waitFor();
			const person = webview(page);
			await person.getByText('Syntax trees').waitFor();
			const follow = person.locator('.part-trackers').getByRole('button', { name: 'Follow wick' }).first();
			await follow.waitFor();
			await isRead(person, 'trackers');
			await follow.click();
			await person.locator('.part-trackers .mark').getByText('Followed').waitFor();
			await openBeside(page, 'Tickets');
			await viewSection(page, 'Tickets').getByRole('treeitem', { name: /wick/ }).waitFor();
			await workbench().screenshot('bob');
		});

		testInProve('shows a plain sentence for an unknown name', async () => {
			const { page } = workbench();
			await goTo(page, '~nobody-at-all', /Person ~nobody-at-all/);
			await webview(page)
				.getByText(/has no account named ~nobody-at-all/)
				.waitFor();
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
			await goTo(page, `${forge.areas.lists}/~carol`);
			await editorTab(page, '~carol').waitFor();
			await webview(page).getByText('Writes the docs').waitFor();
			await goTo(page, '~alice/lantern#121');
			await editorTab(page, /#121/).and(page.locator('[aria-selected="true"]')).waitFor();
			await webview(page).locator('.byline a.person').first().click();
			await editorTab(page, '~grace').waitFor();
			await webview(page).getByText('Accessibility first.').waitFor();
		});

		testInProve('restores the page after a window reload', async () => {
			const { page } = workbench();
			await openContainer(page, 'Forge');
			await treeItem(page, /lantern-devel/).waitFor();
			await runCommand(page, 'View: Close All Editors');
			await goTo(page, '~dave');
			await webview(page).getByText('Lagos').waitFor();
			await openFilesAreKept(page, '"title":"~dave"', 'connectionKey');
			await page.reload();
			await gitIsThere(page);
			await editorTab(page, '~dave').click();
			await webview(page).getByText('Lagos').waitFor();
			await workbench().screenshot('restored');
		});

		testInProve('opens the sender of a patchset from its row', async () => {
			const { page } = workbench();
			await openContainer(page, 'Forge');
			await expand(page, /lantern-devel/);
			await chooseFromMenu(page, /save: keep one backup/, 'Open Person…', 'More');
			await editorTab(page, /grace/).and(page.locator('[aria-selected="true"]')).waitFor();
			const person = webview(page);
			await person
				.getByRole('button', { name: /save: keep one backup/ })
				.first()
				.waitFor();
		});
	});
}
