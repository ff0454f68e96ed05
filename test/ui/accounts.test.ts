import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { chainedSuite } from '../support/chain.ts';
import { inRest } from '../support/parts.ts';
import type { SampleForge } from '../support/sampleForge.ts';
import { testInProve } from '../support/testInProve.ts';
import {
	answer,
	notification,
	openContainer,
	openedPage,
	pick,
	question,
	quickInput,
	runCommand,
	treeItem,
	useTitleAction,
	viewsAreAtRest,
	viewSection,
	webview,
} from './support/user.ts';
import { borrowForge, dialectsOf, giveBackForge } from './support/sharedForge.ts';
import { listedNotice, openNotices, toldNotices } from './support/toldNotices.ts';
import { chooseForge } from './support/sampleWindow.ts';
import { useWorkbench } from './support/workbench.ts';

/** The sample forge as a configured forge, so that its account survives a reload. */
function settingsFor(forge: SampleForge): Readonly<Record<string, unknown>> {
	const { id: clientId, redirectPort } = forge.client;
	const older = {
		signIn: { kind: 'exchange', clientId, redirectPort },
		scopePrefixes: { todo: 'todo.sr.ht/', git: 'git.sr.ht/', lists: 'lists.sr.ht/' },
	};
	const newer = { signIn: { kind: 'pkce', clientId }, scopeNames: { 'patches:write': 'patches:read' } };
	const way = forge.dialect === 'field' ? older : newer;
	return { 'forge.forges': [{ name: 'Lantern Forge', areas: forge.areas, protocols: 'rest', ...way }] };
}

/** The editor restores open views; a click on their tab during that would close them again. */
async function reload(page: Page): Promise<void> {
	await page.reload();
	await viewSection(page, 'Tickets').waitFor();
}

/** Opens the menu. Its entries are a snapshot: they say "loading" until the editor has requested the accounts. */
async function openAccountsMenu(page: Page): Promise<void> {
	const entries = page.locator('.monaco-menu').getByRole('menuitem');
	for (let isLoading = true; isLoading;) {
		await page.getByRole('button', { name: /^Accounts/ }).click();
		await entries.first().waitFor();
		isLoading = (await entries.filter({ hasText: /^Loading/ }).count()) > 0;
		if (isLoading) {
			await page.keyboard.press('Escape');
			await entries.first().waitFor({ state: 'detached' });
		}
	}
}

/** Opens the choice of sign-in methods, and closes it. */
async function offersWaysToSignIn(page: Page): Promise<void> {
	await chooseForge(page);
	await quickInput(page).getByRole('option', { name: 'In the browser' }).waitFor();
	await page.keyboard.press('Escape');
	await quickInput(page).waitFor({ state: 'hidden' });
}

/** Opens the token box, and closes it. */
async function offersTokenBox(page: Page): Promise<void> {
	await chooseForge(page);
	await pick(page, 'With a token');
	await quickInput(page).getByPlaceholder('Token').waitFor();
	await page.keyboard.press('Escape');
	await quickInput(page).waitFor({ state: 'hidden' });
}

/** A page that is still loading would swallow the keys of the next step. */
async function ticketIsThere(page: Page, title: string): Promise<void> {
	await webview(page).getByRole('heading', { name: title }).waitFor();
}

for (const dialect of dialectsOf('field')) {
	chainedSuite(`${dialect}: accounts in the editor`, function () {
		inRest(this);
		let forge: SampleForge;

		suiteSetup(async () => {
			forge = await borrowForge(dialect);
		});

		const workbench = useWorkbench(() => ({ name: `accounts-${dialect}`, settings: settingsFor(forge) }));

		suiteTeardown(async () => {
			await giveBackForge(forge);
		});

		/** Clicks through the forge's own pages up to the page that leads back. */
		async function consent(browser: Page, name: RegExp): Promise<void> {
			const login = browser.getByRole('button', { name });
			const allow = browser.getByRole('button', { name: 'Allow' });
			await login.or(allow).waitFor();
			if (await login.isVisible()) {
				await login.click();
			}
			await allow.click();
			await browser.getByText('You can close this page and go back to the editor.').waitFor();
			await browser.close();
		}

		async function signInInTheBrowser(page: Page): Promise<void> {
			await chooseForge(page);
			const browser = await openedPage(page, async () => {
				await pick(page, 'In the browser');
				if (dialect === 'field') {
					const box = quickInput(page).getByPlaceholder('Client secret');
					await box.waitFor();
					assert.equal(await box.getAttribute('type'), 'password');
					await answer(page, forge.client.secret ?? '');
				}
			});
			await consent(browser, /~alice/);
			await quickInput(page).waitFor({ state: 'hidden' });
		}

		async function signOut(page: Page): Promise<void> {
			await runCommand(page, 'Forge: Sign Out…');
			await pick(page, /~alice/);
			await viewSection(page, 'Tickets').getByText('Sign in to SourceHut (sr.ht)').waitFor();
			await viewSection(page, 'Tickets').getByRole('button', { name: 'Sign In', exact: true }).waitFor();
		}

		test('sends no request and shows no box before the user signs in', async () => {
			const { page } = workbench();
			await openContainer(page, 'Forge');
			await viewSection(page, 'Tickets').getByRole('button', { name: 'Sign In', exact: true }).waitFor();
			// An unrequested box would block the palette, so the steps below prove that there was none.
			await offersWaysToSignIn(page);
			assert.deepEqual(await toldNotices(page), []);
			assert.deepEqual(await forge.requests(), []);
		});

		testInProve('cancelling a box changes nothing', async () => {
			const { page } = workbench();
			await offersWaysToSignIn(page);
			await offersTokenBox(page);
			// Notices of either box appear before the box opens again.
			await offersWaysToSignIn(page);
			assert.deepEqual(await toldNotices(page), []);
			assert.deepEqual(await forge.requests(), []);
		});

		test('signs in on the forge’s own pages, lists the account in the Accounts menu and keeps it after a reload', async () => {
			const { page } = workbench();
			await signInInTheBrowser(page);
			await treeItem(page, /lantern/i).waitFor();
			// This editor stores secrets a moment after it receives them.
			await page.waitForFunction(() => localStorage.getItem('secrets.provider') !== null);
			await reload(page);
			await treeItem(page, /lantern/i).waitFor();
			await openAccountsMenu(page);
			await page.getByRole('menuitem', { name: /~alice \(Lantern Forge\)/ }).waitFor();
			await page.keyboard.press('Escape');
		});

		testInProve('requests the write permission once, and keeps the earlier ones', async () => {
			const { page } = workbench();
			const submit = async (title: string): Promise<void> => {
				await runCommand(page, 'Forge: New Ticket…');
				await pick(page, /website/);
				await page.locator('.codelens-decoration a').filter({ hasText: 'Submit New Ticket' }).first().waitFor();
				await page.locator('.editor-group-container.active .editor-instance .view-lines').click();
				await page.keyboard.press('ControlOrMeta+Home');
				await page.keyboard.type(title);
				await page.keyboard.press('ControlOrMeta+Enter');
			};
			await submit('This needs a permission');
			const asked = question(page, 'Forge Desk needs permission to change tickets and comments on Lantern Forge.');
			await asked.waitFor();
			const browser = await openedPage(page, () => asked.getByRole('button', { name: 'Grant in the Browser' }).click());
			await browser.getByText('read and change tickets').waitFor();
			await browser.getByText('read your subscriptions').waitFor();
			await consent(browser, /~alice/);
			await quickInput(page).waitFor({ state: 'hidden' });
			await ticketIsThere(page, 'This needs a permission');
			await submit('This needs no further permission');
			await ticketIsThere(page, 'This needs no further permission');
			// A question behind the page would appear before the palette.
			await toldNotices(page);
			assert.equal(await asked.count(), 0);
		});

		test('signing out empties the views', async () => {
			await signOut(workbench().page);
		});

		testInProve('deletes the token for the next window too', async () => {
			const { page } = workbench();
			await forge.forgetRequests();
			await reload(page);
			await viewSection(page, 'Tickets').getByRole('button', { name: 'Sign In', exact: true }).waitFor();
			await offersTokenBox(page);
			assert.deepEqual(await forge.requests(), []);
		});

		test('rejects a wrong token in its box, accepts a right one, and links the token page', async () => {
			const { page } = workbench();
			await chooseForge(page);
			await pick(page, 'With a token');
			const tokenPage = await openedPage(page, () =>
				quickInput(page).getByRole('button', { name: 'Create a token on Lantern Forge' }).click(),
			);
			// The editor opens an empty page first.
			await tokenPage.waitForURL(({ href }) => href.startsWith(forge.areas.meta));
			await tokenPage.close();
			await answer(page, 'f'.repeat(32));
			await quickInput(page).getByText('rejected this token').waitFor();
			await answer(page, forge.tokens.alice);
			await quickInput(page).waitFor({ state: 'hidden' });
			await treeItem(page, /lantern/i).waitFor();
		});

		test('reports a revoked token once, and continues after a new sign-in', async () => {
			const { page } = workbench();
			await forge.act('/meta/revoke', { token: forge.tokens.alice });
			await reload(page);
			const said = 'Lantern Forge no longer accepts the token of ~alice.';
			await notification(page, said).waitFor();
			// Each view learns it from its own request, as do reads by command.
			for (const view of ['Tickets', 'Lists', 'Repositories']) {
				await useTitleAction(page, view, 'Refresh');
			}
			await viewsAreAtRest(page);
			// The notice may have closed meanwhile.
			const told = listedNotice(await openNotices(page), said);
			await told.getByRole('button', { name: 'Sign In Again', exact: true }).click();
			await quickInput(page).getByPlaceholder('Token').waitFor();
			await page.keyboard.press('Escape');
			// Pressing the button removes that notice; another one would remain.
			assert.deepEqual(
				(await toldNotices(page)).filter((text) => text.includes(said)),
				[],
			);
			await signOut(page);
		});
	});
}

chainedSuite('the sample forge in the editor', function () {
	inRest(this);
	const workbench = useWorkbench(() => ({ name: 'sample' }));

	test('starts without a question, and signing out returns to the start', async () => {
		const { page } = workbench();
		await openContainer(page, 'Forge');
		await viewSection(page, 'Tickets').getByText('Try the sample forge', { exact: true }).click();
		await treeItem(page, /pebble/i).waitFor();
		// An unrequested box would block the palette or vanish with the typed text.
		const told = await toldNotices(page);
		// On a slow machine the list still has the start's progress notice.
		const asked = told.filter((text) => text !== 'Starting the sample forge…');
		assert.deepEqual(asked, []);
		await runCommand(page, 'Forge: Sign Out…');
		await pick(page, /~alice.*Sample Forge/);
		await viewSection(page, 'Tickets').getByText('Try the sample forge', { exact: true }).waitFor();
	});

	testInProve('signs in to another of its accounts on its own pages', async () => {
		const { page } = workbench();
		await chooseForge(page);
		const browser = await openedPage(page, () => pick(page, 'In the browser'));
		await browser.getByRole('button', { name: /~bob/ }).click();
		await browser.getByRole('button', { name: 'Allow' }).click();
		await browser.getByText('go back to the editor').waitFor();
		await browser.close();
		await treeItem(page, /.+/).waitFor();
		await runCommand(page, 'Forge: Sign Out…');
		await pick(page, /~bob/);
	});
});
