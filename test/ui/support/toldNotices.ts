import type { Page } from 'playwright-core';
import { runCommand } from './user.ts';

/**
 * What notices say that were told and not cleared, also those that have gone by themselves: read in the editor's own list
 * of them. That none is there says something only after what would have come behind it in the same queue has come.
 */
export async function toldNotices(page: Page): Promise<readonly string[]> {
	await runCommand(page, 'Notifications: Show Notifications');
	const list = page.locator('.notifications-center.visible');
	await list.waitFor();
	const texts = await list.locator('.notification-list-item-message').allInnerTexts();
	// Not by its button, which is gone when the last notice in it went meanwhile, and the list with it.
	await page.keyboard.press('Escape');
	await list.waitFor({ state: 'detached' });
	return texts;
}
