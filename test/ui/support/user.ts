import type { FrameLocator, Locator, Page } from 'playwright-core';

/** Runs a command through the command palette, by the title that is shown there, as in `Forge: Sign In`. */
export async function runCommand(page: Page, title: string): Promise<void> {
	await page.keyboard.press('F1');
	await quickInput(page).locator('input').first().fill(`>${title}`);
	await quickInput(page).getByRole('option', { name: title }).first().click();
}

/** Opens a file of the open folder by its name. */
export async function openFile(page: Page, name: string): Promise<void> {
	await page.keyboard.press('ControlOrMeta+P');
	await quickInput(page).locator('input').first().fill(name);
	await pick(page, name);
	await editorTab(page, name).waitFor();
}

/** The box in which the editor asks: the palette, a pick or an input. */
export function quickInput(page: Page): Locator {
	return page.locator('.quick-input-widget:visible');
}

/** Picks an entry of the open quick pick. */
export async function pick(page: Page, name: string | RegExp): Promise<void> {
	await quickInput(page).getByRole('option', { name }).first().click();
}

/** Answers the open input box. */
export async function answer(page: Page, text: string): Promise<void> {
	await quickInput(page).locator('input').first().fill(text);
	await page.keyboard.press('Enter');
}

/** The notification with this text. Its buttons: `notification(…).getByRole('button', …)`. */
export function notification(page: Page, text: string | RegExp): Locator {
	return page.locator('.notification-toast').filter({ hasText: text });
}

/** The modal question with this text. */
export function question(page: Page, text: string | RegExp): Locator {
	return page.getByRole('dialog').filter({ hasText: text });
}

/** What is inside the visible webview: an editor's webview is a frame within a frame. */
export function webview(page: Page): FrameLocator {
	return page.frameLocator('iframe.webview.ready:visible').frameLocator('#active-frame');
}

/** Does something that opens the system's browser, and returns the page that opens. Close it before going on. */
export async function openedPage(page: Page, action: () => Promise<void>): Promise<Page> {
	const [opened] = await Promise.all([page.context().waitForEvent('page'), action()]);
	await opened.waitForLoadState();
	return opened;
}

/**
 * Opens a container of the side bar by its title. By command, because a click closes one that is open already; the
 * palette knows the command once the container has its tab.
 */
export async function openContainer(page: Page, title: string): Promise<void> {
	await page
		.locator('.activitybar')
		.getByRole('tab', { name: new RegExp(`^${title}`) })
		.waitFor();
	await runCommand(page, `View: Show ${title}`);
	await page.locator('.sidebar .composite.title').getByText(title).waitFor();
}

/** The section of the side bar with this title; its head may say more, as in `Tickets - The forge failed Section`. */
export function viewSection(page: Page, title: string): Locator {
	const head = page.getByRole('button', { name: new RegExp(`^${title}\\b.* Section$`) });
	return page.locator('.sidebar .pane').filter({ has: head });
}

/** A row of any tree by its label. */
export function treeItem(page: Page, label: string | RegExp): Locator {
	return page.getByRole('treeitem', { name: label }).first();
}

/** Opens a row of a tree that has children. At its arrow, because a click on some rows opens what they stand for. */
export async function expand(page: Page, label: string | RegExp): Promise<void> {
	const item = treeItem(page, label);
	await item.waitFor();
	if ((await item.getAttribute('aria-expanded')) === 'false') {
		await item.locator('.monaco-tl-twistie').first().click();
	}
}

/** Chooses from the menu of a tree's row. By key, because a menu takes no clicks while it is opening. */
export async function chooseFromMenu(page: Page, label: string | RegExp, entry: string | RegExp): Promise<void> {
	await treeItem(page, label).click({ button: 'right' });
	await page.getByRole('menuitem', { name: entry }).hover();
	await page.locator('.monaco-menu .action-item.focused').filter({ hasText: entry }).waitFor();
	await page.keyboard.press('Enter');
}

/**
 * Resolves once the open folder's branch stands in the status bar. By then a window that is loaded anew knows the
 * commands of its extensions; its side bar shows what it remembers long before.
 */
export async function gitIsThere(page: Page): Promise<void> {
	await page.locator('.statusbar-item').filter({ hasText: 'main' }).first().waitFor({ timeout: 60_000 });
}

/** The tab of an open editor. */
export function editorTab(page: Page, title: string | RegExp): Locator {
	return page.locator('.editor-group-container').getByRole('tab', { name: title });
}

/**
 * Waits until the editor has written a text to the browser's disk, among all that extensions keep. It does so a moment
 * after it was handed the text, and a window that is loaded anew within that moment forgets it.
 */
export async function isKept(page: Page, text: string): Promise<void> {
	await page.waitForFunction(async (wanted) => {
		const settled = <T>(request: IDBRequest<T>): Promise<T> =>
			new Promise((resolve, reject) => {
				request.addEventListener('success', () => resolve(request.result));
				request.addEventListener('error', () => reject(new Error('The storage cannot be read')));
			});
		for (const { name } of await indexedDB.databases()) {
			const database = await settled(indexedDB.open(name ?? ''));
			try {
				for (const store of database.objectStoreNames) {
					const values: readonly unknown[] = await settled(database.transaction(store).objectStore(store).getAll());
					if (values.some((value) => typeof value === 'string' && value.includes(wanted))) {
						return true;
					}
				}
			} finally {
				database.close();
			}
		}
		return false;
	}, text);
}
