import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { chainedSuite } from '../support/chain.ts';
import type { SampleForge } from '../support/sampleForge.ts';
import { fillBox, pressInBox } from './support/boxKeys.ts';
import { borrowForge, giveBackForge } from './support/sharedForge.ts';
import { openContainer, openedPage, quickInput, runCommand, treeItem, viewSection } from './support/user.ts';
import { useWorkbench } from './support/workbench.ts';

chainedSuite('graphql: signing in with a token that says what it is', () => {
	let forge: SampleForge;
	let token = '';

	suiteSetup(async () => {
		forge = await borrowForge('graphql');
	});

	// What it speaks is said nowhere.
	const workbench = useWorkbench(() => ({
		name: 'graphql-sign-in',
		settings: { 'forge.forges': [{ name: 'Lantern Forge', areas: forge.areas }] },
	}));

	suiteTeardown(async () => {
		await giveBackForge(forge);
	});

	/** Makes a token on the forge's page as a person does who changes nothing of what is filled in. */
	async function makeToken(browser: Page): Promise<string> {
		await browser.getByRole('button', { name: '(~alice)' }).click();
		const grants = await browser.getByLabel('Grants, nothing for everything').inputValue();
		assert.match(grants, /^git\.sr\.ht\/.*lists\.sr\.ht\/PATCHES:RW.*todo\.sr\.ht\/TICKETS:RW/);
		await browser.getByRole('button', { name: 'Make a token' }).click();
		return (await browser.locator('#token').textContent()) ?? '';
	}

	test('nothing is sent before somebody wants to sign in, and then each area is asked what it speaks', async () => {
		const { page } = workbench();
		await openContainer(page, 'Forge');
		await viewSection(page, 'Tickets').getByRole('button', { name: 'Sign In', exact: true }).waitFor();
		assert.deepEqual(await forge.requests(), []);
		await runCommand(page, 'Forge: Sign In…');
		await quickInput(page).getByPlaceholder('Token').waitFor();
		const requests = await forge.requests();
		assert.deepEqual(
			requests.map(({ area, path, hasToken }) => `${area} ${path} ${String(hasToken)}`).toSorted(),
			['git', 'lists', 'todo'].map((area) => `${area} /query/api-meta.json false`),
		);
	});

	test('the page that makes a token opens with what is needed filled in', async () => {
		const { page } = workbench();
		const browser = await openedPage(page, () =>
			quickInput(page).getByRole('button', { name: 'Open the token page of Lantern Forge' }).click(),
		);
		await browser.waitForURL(({ href }) => href.startsWith(forge.areas.meta));
		token = await makeToken(browser);
		await browser.close();
	});

	test('a token of the older kind is refused at once, and the right one says whose it is before it is tried', async () => {
		const { page } = workbench();
		const box = quickInput(page);
		await forge.forgetRequests();
		await fillBox(box, 'f'.repeat(32));
		await pressInBox(box, 'Enter');
		await box.getByText('Lantern Forge does not accept this kind of token any more.').waitFor();
		await fillBox(box, token);
		await box.getByText('This token of ~alice is valid until').waitFor();
		assert.deepEqual(await forge.requests(), []);
	});

	test('and leads to the account’s trackers, with their tickets counted', async () => {
		const { page } = workbench();
		await pressInBox(quickInput(page), 'Enter');
		await quickInput(page).waitFor({ state: 'hidden' });
		await treeItem(page, /lantern.*103 open of 209/).waitFor();
	});
});
