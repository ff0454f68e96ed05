import type { Page } from 'playwright-core';
import type { SampleForge, SampleUser } from '../../support/sampleForge.ts';
import { answer, openedPage, pick, quickInput, runCommand } from './user.ts';

/** Environment of an editor window that knows a running sample forge; signs in `account` at once. */
export function knowing(forge: SampleForge, account?: SampleUser): Readonly<Record<string, string>> {
	const { dialect, areas, client, tokens } = forge;
	return {
		FORGE_DESK_SAMPLE_FORGE: JSON.stringify({ ready: true, dialect, areas, client, tokens }),
		...(account === undefined ? {} : { FORGE_DESK_SAMPLE_ACCOUNT: account }),
	};
}

/** Chooses the sample forge in Sign In. */
export async function chooseForge(page: Page): Promise<void> {
	await runCommand(page, 'Forge: Sign In…');
	await pick(page, /127\.0\.0\.1/);
}

/** Signs in as a user does: the command, the forge's own login and consent pages, and back. */
export async function signInInBrowser(page: Page, user: SampleUser): Promise<void> {
	await chooseForge(page);
	const browser = await openedPage(page, () => pick(page, 'In the browser'));
	await consent(browser, user);
	await browser.close();
}

/** Signs in to the only configured forge. It accepts only tokens. */
export async function signInWithToken(page: Page, token: string): Promise<void> {
	await chooseForge(page);
	await quickInput(page).getByPlaceholder('Token').waitFor();
	await answer(page, token);
}

/** Clicks through the forge's pages: the user's login, and the editor's permissions. */
export async function consent(browser: Page, user: SampleUser): Promise<void> {
	const continueAs = browser.getByRole('button', { name: `(~${user})` });
	const allow = browser.getByRole('button', { name: 'Allow' });
	await continueAs.or(allow).first().waitFor();
	if (await continueAs.isVisible()) {
		await continueAs.click();
	}
	await allow.click();
	await browser.getByText('go back to the editor', { exact: false }).waitFor();
}
