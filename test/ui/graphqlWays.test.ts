import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { chainedSuite } from '../support/chain.ts';
import type { SampleForge } from '../support/sampleForge.ts';
import { eventually } from '../support/eventually.ts';
import { fillBox, pressInBox } from './support/boxKeys.ts';
import { isWatched } from './support/keptInbox.ts';
import { lookAtList } from './support/listLook.ts';
import { borrowForge, giveBackForge } from './support/sharedForge.ts';
import { ticketState } from './support/ticketChanges.ts';
import {
	chooseFromMenu,
	clickRow,
	editorTab,
	expand,
	openContainer,
	openedPage,
	openOnly,
	pick,
	quickInput,
	runCommand,
	treeItem,
	useTitleAction,
	viewsAreAtRest,
	viewSection,
	webview,
} from './support/user.ts';
import { inRest } from '../support/parts.ts';
import { useWorkbench } from './support/workbench.ts';

/** A short version of everyday use over GraphQL; `npm run prove` also runs the long ones (`waysIn`). */
chainedSuite('graphql: from a token to tickets, patches, code and news', function () {
	inRest(this);
	let forge: SampleForge;
	let token = '';

	suiteSetup(async () => {
		forge = await borrowForge('graphql');
		await forge.act('/todo/tracker', { name: 'workshop' });
		await forge.act('/todo/ticket', { tracker: '~alice/workshop', title: 'The lamp smokes' });
	});

	// The settings don't name its protocol.
	const workbench = useWorkbench(() => ({
		name: 'graphql-ways',
		// Only rows in view are in the DOM.
		viewport: { width: 1400, height: 1500 },
		settings: { 'forge.forges': [{ name: 'sr.ht', areas: forge.areas, hub: forge.hub }] },
	}));

	suiteTeardown(async () => {
		await giveBackForge(forge);
	});

	const whatTheySpeak = ['git', 'lists', 'todo'].map((area) => `${area} /query/api-meta.json false`);

	/** Requests to the areas; the token page belongs to the browser. */
	async function askedOfAreas(): Promise<readonly string[]> {
		return (await forge.requests())
			.filter(({ area }) => area !== 'meta')
			.map(({ area, path, hasToken }) => `${area} ${path} ${String(hasToken)}`)
			.toSorted();
	}

	/** Creates a token on the forge's page with the default choices. */
	async function makeToken(browser: Page): Promise<string> {
		await browser.getByRole('button', { name: '(~alice)' }).click();
		const grants = await browser.getByLabel('Grants, nothing for everything').inputValue();
		assert.match(grants, /^git\.sr\.ht\/.*lists\.sr\.ht\/PATCHES:RW.*todo\.sr\.ht\/TICKETS:RW/);
		await browser.getByRole('button', { name: 'Make a token' }).click();
		return (await browser.locator('#token').textContent()) ?? '';
	}

	test('sends no request before the user signs in, then detects each area’s protocol', async () => {
		const { page } = workbench();
		await openContainer(page, 'Forge');
		await viewSection(page, 'Tickets').getByRole('button', { name: 'Sign In', exact: true }).waitFor();
		await runCommand(page, 'Forge: Sign In…');
		await pick(page, 'SourceHut (sr.ht)');
		await quickInput(page).getByPlaceholder('Token').waitFor();
		assert.deepEqual(await askedOfAreas(), whatTheySpeak);
	});

	test('the token page opens with the required fields filled in', async () => {
		const { page } = workbench();
		const browser = await openedPage(page, () =>
			quickInput(page)
				.getByRole('link', { name: /^Create a token on sr\.ht/ })
				.click(),
		);
		await browser.waitForURL(({ href }) => href.startsWith(forge.areas.meta));
		assert.deepEqual(
			await askedOfAreas(),
			whatTheySpeak,
			'nothing more was asked for until the next thing that a person did',
		);
		token = await makeToken(browser);
		await browser.close();
	});

	test('rejects a token of the older kind immediately, and names the owner of the right one before it sends it', async () => {
		const { page } = workbench();
		const box = quickInput(page);
		await forge.forgetRequests();
		await fillBox(box, 'f'.repeat(32));
		await pressInBox(box, 'Enter');
		await box.getByText('sr.ht does not accept this kind of token any more.').waitFor();
		await fillBox(box, token);
		await box.getByText('This token of ~alice is valid until').waitFor();
		assert.deepEqual(await forge.requests(), []);
	});

	test('then shows the account’s trackers with ticket counts', async () => {
		const { page } = workbench();
		await pressInBox(quickInput(page), 'Enter');
		await quickInput(page).waitFor({ state: 'hidden' });
		await treeItem(page, /lantern.*103 open of 209/).waitFor();
	});

	test('triage: resolves a ticket by key and assigns it', async () => {
		const { page } = workbench();
		await openOnly(page, 'Tickets');
		await expand(page, /^Tracker workshop of ~alice/);
		await clickRow(page, /The lamp smokes/);
		await webview(page).getByRole('heading', { name: 'The lamp smokes' }).waitFor();
		await viewsAreAtRest(page);
		await page.keyboard.press('Alt+j');
		await page.keyboard.press('r');
		await pick(page, 'fixed');
		await treeItem(page, /The lamp smokes.*resolved/i).waitFor();
		await eventually(async () => (await ticketState(forge, '~alice/workshop#1')).status, 'resolved');
		await chooseFromMenu(page, /The lamp smokes/, 'Assign Ticket…');
		await fillBox(quickInput(page), 'alice');
		await page.keyboard.press('ArrowDown');
		await page.keyboard.press('Space');
		await quickInput(page).getByText('1 Selected').waitFor();
		await pressInBox(quickInput(page), 'Enter');
		await webview(page)
			.getByText(/^alice assigned/)
			.waitFor();
		await workbench().screenshot('assigned');
	});

	test('review: answers a question in a draft below its line, and sets the patchset’s status', async () => {
		const { page } = workbench();
		await openOnly(page, 'Lists');
		await expand(page, /^Mailing list lantern-devel/);
		await expand(page, /^fold: nest as deep as you like, .*version 2/);
		await expand(page, /^Comments, \d+ comments/);
		await clickRow(page, /^Unanswered question, The redraw is still missing/);
		await editorTab(page, /^fold_tree\.c \(3\/4/).waitFor();
		const thread = page.locator('.review-widget').filter({ hasText: 'The redraw is still missing' });
		await thread.locator('.review-thread-reply-button').click();
		await thread.locator('.comment-form .inputarea, .comment-form .native-edit-context').first().focus();
		await page.keyboard.type('It is drawn in the next patch.');
		// By key: suggestions of the editor may cover the button.
		await page.keyboard.press('Control+Enter');
		await thread.getByText('Draft', { exact: true }).waitFor();
		await chooseFromMenu(page, /^fold: nest as deep as you like, .*version 2/, 'Set Status…');
		await pick(page, 'Needs revision');
		await treeItem(page, /^fold: nest as deep as you like, Needs revision, version 2/).waitFor();
		const { patchsets } = await lookAtList(forge, '~alice/lantern-devel');
		assert.equal(patchsets.find(({ id }) => id === 34)?.status, 'needs_revision');
	});

	test('search: finds a word of any mail in the list’s archive, and opens the thread', async () => {
		const { page } = workbench();
		const box = quickInput(page);
		await chooseFromMenu(page, /^Mailing list lantern-devel/, 'Search All Messages of the List…');
		await pick(page, 'All messages');
		await box.getByText(/^Messages: \d+, updated/).waitFor();
		await fillBox(box, 'redraw is still missing');
		await box.getByText(/^messages: [1-9]\d* of \d+/).waitFor();
		await workbench().screenshot('archive-search');
		await pressInBox(box, 'Enter');
		await box.getByPlaceholder(/^Messages that match: /).waitFor();
		await workbench().screenshot('archive-found');
		await pressInBox(box, 'Enter');
		await webview(page).getByText('The redraw is still missing').first().waitFor();
	});

	test('code: a file opens from the tree of a branch', async () => {
		const { page } = workbench();
		await openOnly(page, 'Repositories');
		await expand(page, /^Repository lantern of ~alice/);
		await expand(page, /^Branch master, 5f2ca10, default/);
		await clickRow(page, /^README\.md, file/);
		await editorTab(page, 'README.md').waitFor();
		await page.locator('[id="status.editor.mode"]').getByText('Markdown').waitFor();
	});

	test('projects: opens the project’s list from a repository, with the requested permissions', async () => {
		const { page } = workbench();
		const box = quickInput(page);
		await chooseFromMenu(page, /^Repository lantern of ~alice/, 'Open Related…');
		await box
			.getByRole('option', { name: /lantern-plugins/ })
			.first()
			.waitFor();
		await workbench().screenshot('project');
		await pick(page, 'Mailing list ~alice/lantern-devel');
		const list = treeItem(page, /^Mailing list lantern-devel of ~alice/);
		await list.and(page.locator('[aria-expanded=true]')).waitFor();
	});

	test('news: another person’s comment on a ticket appears in the inbox, and opens the ticket', async () => {
		const { page } = workbench();
		await eventually(async () => isWatched(workbench().dataFolder, 'tracker ~alice/workshop'), true);
		await forge.act('/todo/comment', { ticket: '~alice/workshop#1', by: 'bob', text: 'It smokes here too.' });
		await openOnly(page, 'Inbox');
		await useTitleAction(page, 'Inbox', 'Refresh Inbox');
		await clickRow(page, /^Commented · The lamp smokes/);
		await webview(page).getByText('It smokes here too.').first().waitFor();
	});
});
