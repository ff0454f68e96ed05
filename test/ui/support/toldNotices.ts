import type { Locator, Page } from 'playwright-core';
import { runCommand } from './user.ts';

/** Opens the editor's own list of uncleared notices, including those that have closed. */
export async function openNotices(page: Page): Promise<Locator> {
	await runCommand(page, 'Notifications: Show Notifications');
	const list = page.locator('.notifications-center.visible');
	await list.waitFor();
	return list;
}

/** A notice of that list. */
export function listedNotice(list: Locator, text: string): Locator {
	return list.locator('.notification-list-item').filter({ hasText: text });
}

/**
 * The texts of all uncleared notices. An empty result proves something only after a later event of the same queue.
 */
export async function toldNotices(page: Page): Promise<readonly string[]> {
	const list = await openNotices(page);
	const texts = await list.locator('.notification-list-item-message').allInnerTexts();
	// Not by its button, which disappears with the list when its last notice closes.
	await page.keyboard.press('Escape');
	await list.waitFor({ state: 'detached' });
	return texts;
}
