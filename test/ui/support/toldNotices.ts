import type { Locator, Page } from 'playwright-core';
import { runCommand } from './user.ts';

/** Opens the editor's own list of notices that were told and not cleared, also of those that have gone by themselves. */
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
 * What notices say that were told and not cleared. That none is there says something only after what would have come
 * behind it in the same queue has come.
 */
export async function toldNotices(page: Page): Promise<readonly string[]> {
	const list = await openNotices(page);
	const texts = await list.locator('.notification-list-item-message').allInnerTexts();
	// Not by its button, which is gone when the last notice in it went meanwhile, and the list with it.
	await page.keyboard.press('Escape');
	await list.waitFor({ state: 'detached' });
	return texts;
}
