import assert from 'node:assert/strict';
import * as v from 'valibot';
import { chainedSuite } from '../support/chain.ts';
import type { SampleForge } from '../support/sampleForge.ts';
import { consent, knowing, signInInBrowser } from './support/sampleWindow.ts';
import {
	answer,
	chooseFromMenu,
	clickRow,
	editorTab,
	expand,
	openContainer,
	openedPage,
	pick,
	question,
	quickInput,
	runCommand,
	treeItem,
	viewSection,
	webview,
} from './support/user.ts';
import { borrowForge, dialectsOf, giveBackForge } from './support/sharedForge.ts';
import { useWorkbench } from './support/workbench.ts';

const ticketPath = '/api/trackers/website/tickets/31';
const ticketTitle = 'The manual page contradicts the built-in help';

const patchset = 'build: a target for fuzzing';
const patchsets = v.array(v.object({ subject: v.string(), status: v.string() }));

/** One user's path from the first sign-in to the sign-out. */
for (const dialect of dialectsOf('document')) {
	chainedSuite(`${dialect}: main job`, () => {
		let forge: SampleForge;
		suiteSetup(async () => {
			forge = await borrowForge(dialect);
		});
		const workbench = useWorkbench(() => ({
			name: `main-job-${dialect}`,
			// The editor gives the space of a folded view to no other one.
			viewport: { width: 1280, height: 1200 },
			env: knowing(forge),
		}));
		suiteTeardown(() => giveBackForge(forge));

		test('signed out, every view names its content, and one offers to sign in', async () => {
			const { page } = workbench();
			await openContainer(page, 'Forge');
			for (const title of ['Lists', 'Repositories']) {
				await viewSection(page, title).getByText('appear here after you sign in').waitFor();
			}
			await viewSection(page, 'Tickets').getByRole('button', { name: 'Sign In', exact: true }).waitFor();
			assert.equal(await page.locator('.sidebar').getByRole('button', { name: 'Sign In', exact: true }).count(), 1);
			assert.deepEqual(await forge.requests(), [], 'nothing is asked of the forge before somebody signs in');
		});

		test('signs in on the forge’s own consent page with read permissions only', async () => {
			const { page } = workbench();
			await signInInBrowser(page, 'alice');
			await treeItem(page, /website/).waitFor();
			const asked = (await forge.requests()).find(({ path }) => /^\/oauth2?\/authorize\?/.test(path))?.path ?? '';
			assert.match(decodeURIComponent(asked), /tickets:read/);
			assert.doesNotMatch(decodeURIComponent(asked), /:write/);
		});

		test('a ticket opens as a page with its text, its people and its timeline', async () => {
			const { page } = workbench();
			await expand(page, /website/);
			await clickRow(page, new RegExp(ticketTitle));
			await editorTab(page, /website#31|manual page/).waitFor();
			await webview(page).getByRole('heading', { name: ticketTitle }).waitFor();
			await webview(page).getByText('~alice/website#31').first().waitFor();
		});

		test('a comment with a resolution requests the write permission, and the forge then has both', async () => {
			const { page } = workbench();
			const ticket = webview(page);
			await ticket.getByRole('textbox', { name: 'Your comment' }).fill('The built-in help is right. Fixed in 4f2a91c.');
			await ticket.getByRole('button', { name: 'Choose a resolution' }).click();
			await ticket.getByRole('menuitemradio', { name: 'fixed', exact: false }).click();
			await ticket.getByRole('button', { name: /^Comment and Resolve as/ }).click();
			const allow = question(page, 'Forge Desk needs permission').getByRole('button', {
				name: 'Grant in the Browser',
			});
			const browser = await openedPage(page, () => allow.click());
			await consent(browser, 'alice');
			await browser.close();
			await ticket.getByText('The built-in help is right. Fixed in 4f2a91c.').waitFor();
			const after = await forge.call('todo', 'GET', ticketPath);
			assert.deepEqual([after.at('status'), after.at('resolution')], ['resolved', 'fixed']);
			const events = await forge.call('todo', 'GET', `${ticketPath}/events`);
			const newest = events.at('results', 0, 'comment', 'text') ?? events.at(0, 'comment', 'text');
			assert.equal(newest, 'The built-in help is right. Fixed in 4f2a91c.');
			await treeItem(page, new RegExp(`${ticketTitle}.*resolved`, 'i')).waitFor();
		});

		test('sets a patchset’s status, with another permission if the forge requires it', async () => {
			const { page } = workbench();
			// The patchset moves to another group, and only rows in view are in the DOM.
			await page.setViewportSize({ width: 1280, height: 1800 });
			// A window closes its menus when it gets a new size.
			await page.waitForFunction(() => document.querySelector('.monaco-workbench')?.clientHeight === 1800);
			await expand(page, /Mailing list lantern-devel/);
			await chooseFromMenu(page, new RegExp(patchset), 'Set Status…');
			await pick(page, /needs revision/i);
			// By the contract, reading patchsets is enough to set their status.
			if (dialect === 'field') {
				const allow = question(page, 'Forge Desk needs permission').getByRole('button', {
					name: 'Grant in the Browser',
				});
				const browser = await openedPage(page, () => allow.click());
				await consent(browser, 'alice');
				await browser.close();
			}
			await treeItem(page, new RegExp(`${patchset}.*needs revision`, 'i')).waitFor();
			const answer = await forge.call('lists', 'GET', '/api/lists/lantern-devel/patchsets');
			assert.deepEqual(
				v.parse(patchsets, answer.at('results') ?? answer.json).find(({ subject }) => subject === patchset),
				{ subject: patchset, status: 'needs_revision' },
			);
		});

		test('a file of a remote repository opens read-only, in its language', async () => {
			const { page } = workbench();
			await runCommand(page, 'Forge: Open Remote File…');
			await pick(page, /lantern\b(?!-)/);
			await pick(page, /master/);
			// New results move the others until the list is complete.
			await quickInput(page)
				.getByText(/^\d+ files$/)
				.waitFor();
			await answer(page, 'Makefile');
			await editorTab(page, /Makefile/).waitFor();
			await page.locator('[id="status.editor.mode"]').getByText('Makefile').waitFor();
		});

		test('signing out removes the account and its data', async () => {
			const { page } = workbench();
			await runCommand(page, 'Forge: Sign Out…');
			await pick(page, '~alice');
			await viewSection(page, 'Tickets').getByRole('button', { name: 'Sign In', exact: true }).waitFor();
			await treeItem(page, /website/).waitFor({ state: 'detached' });
			// All data read with the account's token goes with it: the ticket's page and the remote file.
			await editorTab(page, /manual page/).waitFor({ state: 'detached' });
			await editorTab(page, /Makefile/).waitFor({ state: 'detached' });
		});
	});
}
