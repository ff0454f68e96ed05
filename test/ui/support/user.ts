import type { FrameLocator, Locator, Page } from 'playwright-core';
import { eventually } from '../../support/eventually.ts';
import { limitMs } from '../../support/pace.ts';
import { fillBox, isFrameInFront, pressInBox } from './boxKeys.ts';

/** Opens the command palette, which then takes the keyboard. */
export async function openPalette(page: Page): Promise<void> {
	// A box that is about to close would take the text, and the palette would open over it and be empty again.
	await quickInput(page).waitFor({ state: 'hidden' });
	await keysAreHeard(page);
	await page.keyboard.press('F1');
}

/**
 * Runs a command through the command palette, by the title that is shown there, as in `Forge: Sign In`. `choice` is what
 * is chosen of a command that asks which of several is meant.
 */
export async function runCommand(page: Page, title: string, choice?: string): Promise<void> {
	await openPalette(page);
	await fillBox(quickInput(page), `>${title}`);
	// The palette opens with the commands that were run before, and finds the others in a moment of its own; only what it
	// found for a text has marked letters. A row of the earlier list may stand for another command when it is clicked.
	const found = quickInput(page)
		.getByRole('option', { name: title })
		.filter({ has: page.locator('.highlight') });
	await found.first().click();
	if (choice !== undefined) {
		const row = quickInput(page).getByRole('option', { name: choice }).first();
		await row.click();
		await row.waitFor({ state: 'detached' });
	}
}

/** Waits until keys that are pressed are heard, whoever has the keyboard. */
async function keysAreHeard(page: Page): Promise<void> {
	if (await isFrameInFront(page)) {
		await pageHasKeyboard(page);
	}
}

/**
 * Waits until keys go to the page in front. The editor gives the keyboard to the frame around a page first, and to the page
 * a moment later, and keys are lost in between. It never does the second when it learns in that moment that the frame was
 * left before, as when a box was opened and closed at once on a busy machine. A page cannot see its frame and so cannot
 * mend that; whoever meets it clicks into the page, and here the page is handed what its frame has.
 */
export async function pageHasKeyboard(page: Page): Promise<void> {
	const content = webview(page).locator('body');
	const hasIt = (): Promise<boolean> => content.evaluate(({ ownerDocument }) => ownerDocument.hasFocus());
	await eventually(async () => {
		if (!(await hasIt()) && (await isFrameInFront(page))) {
			await content.evaluate(({ ownerDocument }) => ownerDocument.defaultView?.focus());
		}
		return hasIt();
	}, true);
}

/** Opens a file of the open folder by its name. */
export async function openFile(page: Page, name: string): Promise<void> {
	await quickInput(page).waitFor({ state: 'hidden' });
	await keysAreHeard(page);
	await page.keyboard.press('ControlOrMeta+P');
	await fillBox(quickInput(page), name);
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
	await fillBox(quickInput(page), text);
	await pressInBox(quickInput(page), 'Enter');
}

/** Goes to a thing by what a person types or pastes; takes the first row that has the text. */
export async function goTo(page: Page, typed: string, row: string | RegExp = /./): Promise<void> {
	await runCommand(page, 'Forge: Go to…');
	await fillBox(quickInput(page), typed);
	await pick(page, row);
	await quickInput(page).waitFor({ state: 'hidden' });
}

/** The notification with this text. Its buttons: `pressButton`. */
export function notification(page: Page, text: string | RegExp): Locator {
	return page.locator('.notification-toast').filter({ hasText: text });
}

/** Waits for a notification and points at it, because the editor hides one that nobody points at after ten seconds. */
export async function holdNotification(notice: Locator): Promise<void> {
	await notice.hover();
}

/**
 * Presses a button of a notification. One that tells of progress goes a moment after its work and moves those above it, and
 * a button that moves away between the mouse's down and up is not pressed; so it waits until none is left.
 */
export async function pressButton(notice: Locator, name: string): Promise<void> {
	await holdNotification(notice);
	const working = notice.page().locator('.notification-toast .monaco-progress-container.active');
	await working.first().waitFor({ state: 'hidden' });
	await notice.getByRole('button', { name, exact: true }).click();
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
	// The sample forge asks people whom another site sends; the editor in the browser is one.
	const goOn = opened.getByText('The sample forge answers only its own pages.').getByRole('link', { name: 'Continue' });
	goOn.click({ timeout: 0 }).catch(() => undefined);
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
	if (title === 'Forge') {
		// The inbox comes by itself, and names what other views have rows of. A test that is about it opens it alone.
		await setUnfolded(page, 'Inbox', false);
		await unfoldFirst(page);
	}
}

/** Windows whose views have been unfolded once. */
const unfolded = new WeakSet<Page>();

/** Lists and Repositories start folded and low; tests look for their rows, and rows outside of a view are not on the page. */
async function unfoldFirst(page: Page): Promise<void> {
	if (unfolded.has(page)) {
		return;
	}
	unfolded.add(page);
	await setUnfolded(page, 'Lists', true);
	await setUnfolded(page, 'Repositories', true);
	// A double click on the line between two views gives both the same height.
	const lines = page.locator('.sidebar .monaco-pane-view > .monaco-split-view2 > .sash-container > .monaco-sash');
	for (const line of [1, 2, 1]) {
		await lines.nth(line).dispatchEvent('dblclick');
	}
}

const views = ['Inbox', 'Tickets', 'Lists', 'Repositories'] as const;

async function setUnfolded(page: Page, view: (typeof views)[number], isUnfolded: boolean): Promise<void> {
	// By its place: its name says more as soon as something was read.
	const head = viewSection(page, view).locator('.pane-header');
	// Without a pointer: heads move while others fold and views fill, and one that is pressed in one place and let go in
	// another was not clicked.
	await head.evaluate((element, isWanted) => {
		if (element instanceof HTMLElement && element.ariaExpanded !== String(isWanted)) {
			element.click();
		}
	}, isUnfolded);
	await head.and(page.locator(`[aria-expanded="${isUnfolded}"]`)).waitFor();
}

/** The section of the side bar with this title; its head may say more, as in `Tickets - The forge failed Section`. */
export function viewSection(page: Page, title: string): Locator {
	const head = page.getByRole('button', { name: new RegExp(`^${title}\\b.* Section$`) });
	return page.locator('.sidebar .pane').filter({ has: head });
}

/** Shows the side bar with only this one of its sections open, because rows outside of the view are not on the page. */
export async function openOnly(page: Page, title: (typeof views)[number]): Promise<void> {
	await openContainer(page, 'Forge');
	for (const each of views) {
		await setUnfolded(page, each, each === title);
	}
	await leaveViews(page);
}

/** Opens a section of the side bar beside those that are open. */
export async function openBeside(page: Page, title: (typeof views)[number]): Promise<void> {
	await setUnfolded(page, title, true);
	await leaveViews(page);
}

/** Uses an action in the head of a view; they are there while the pointer is on the head. */
export async function useTitleAction(page: Page, view: string, action: string): Promise<void> {
	const section = viewSection(page, view);
	await section.locator('.pane-header').hover();
	await section.getByRole('button', { name: action, exact: true }).click();
	await leaveViews(page);
}

/** Reads everything for the inbox now, and leaves it folded. */
export async function refreshInbox(page: Page): Promise<void> {
	await setUnfolded(page, 'Inbox', true);
	await useTitleAction(page, 'Inbox', 'Refresh Inbox');
	await setUnfolded(page, 'Inbox', false);
}

/** Takes the pointer off the views: what is told of an action where it rests would lie over the row below. */
async function leaveViews(page: Page): Promise<void> {
	await page.mouse.move(1, 1);
}

/** A row of any tree by its label. */
export function treeItem(page: Page, label: string | RegExp): Locator {
	return page.getByRole('treeitem', { name: label }).first();
}

/**
 * Waits until no view of the side bar reads. While one does, the editor knows nothing of its rows: what is chosen from a
 * row's menu is told to the extension without the row. And when it has read, the rows are drawn anew: what is drawn for
 * one row is then used for another one, and a click that is on its way meets that one. Views read one level after the
 * other and come to rest in between for less than a picture, so rest means several pictures in a row.
 */
export async function viewsAreAtRest(page: Page): Promise<void> {
	const areAtRest = (): Promise<boolean> =>
		page.evaluate(async () => {
			for (let pictures = 0; pictures < 10; pictures += 1) {
				if (document.querySelector('.sidebar .monaco-progress-container.active')) {
					return false;
				}
				await new Promise((resolve) => requestAnimationFrame(resolve));
			}
			return true;
		});
	await eventually(areAtRest, true);
}

/** Clicks a row of a tree, which opens what it stands for. */
export async function clickRow(page: Page, label: string | RegExp): Promise<void> {
	await treeItem(page, label).waitFor();
	await viewsAreAtRest(page);
	await treeItem(page, label).click();
}

/** Opens a row of a tree that has children. At its arrow, because a click on some rows opens what they stand for. */
export async function expand(page: Page, label: string | RegExp): Promise<void> {
	await setExpanded(page, label, true);
}

/** Closes a row of a tree again, so that the ones below it come into sight: rows outside of the view are not on the page. */
export async function collapse(page: Page, label: string | RegExp): Promise<void> {
	await setExpanded(page, label, false);
}

async function setExpanded(page: Page, label: string | RegExp, isExpanded: boolean): Promise<void> {
	const item = treeItem(page, label);
	const wanted = item.and(page.locator(`[aria-expanded="${isExpanded}"]`));
	await item.waitFor();
	await viewsAreAtRest(page);
	if ((await item.getAttribute('aria-expanded')) === String(!isExpanded)) {
		await item.locator('.monaco-tl-twistie').first().click();
		await wanted.waitFor();
		await viewsAreAtRest(page);
	}
	await wanted.waitFor();
}

/** Chooses from the menu of a tree's row, or from a submenu. By key, because a menu takes no clicks while it is opening. */
export async function chooseFromMenu(
	page: Page,
	label: string | RegExp,
	entry: string | RegExp,
	submenu?: 'Copy' | 'More' | 'Review' | 'Versions',
): Promise<void> {
	const row = treeItem(page, label);
	await row.waitFor();
	// A box that closes gives the keyboard back to whatever had it before, and the menu closes when it loses it.
	await quickInput(page).waitFor({ state: 'hidden' });
	await keysAreHeard(page);
	let isOpen = false;
	for (let turns = 0; turns < mostMenus && !isOpen; turns += 1) {
		await openMenu(page, row);
		isOpen = (submenu === undefined || (await stays(page, submenu))) && (await stays(page, entry));
	}
	// A submenu is a part of its entry, which has the focus as well.
	await page.locator('.monaco-menu .action-item.focused').filter({ hasText: entry }).last().waitFor();
	await viewsAreAtRest(page);
	await page.keyboard.press('Enter');
	await page.locator('.monaco-menu').first().waitFor({ state: 'hidden' });
}

/** A page takes the keyboard once for each box that closed over it (boxKeys.ts), however late. */
const mostMenus = 3;
/** Far longer than a menu takes to open, or to close again. */
const menuMs = 5_000;

async function openMenu(page: Page, row: Locator): Promise<void> {
	await viewsAreAtRest(page);
	await row.click({ button: 'right' });
	// The row whose menu it is has the focus. Rows that come or go while the pointer is on its way move under it.
	while (!(await row.and(page.locator('.focused')).isVisible())) {
		await page.keyboard.press('Escape');
		await viewsAreAtRest(page);
		await row.click({ button: 'right' });
	}
}

/** Points at an entry of the menu; false where the menu has closed by then, because a page has taken the keyboard. */
async function stays(page: Page, entry: string | RegExp): Promise<boolean> {
	try {
		// Of entries that begin alike the shorter one stands first.
		await page
			.getByRole('menuitem', { name: entry, exact: ['Copy', 'More', 'Review', 'Versions'].includes(String(entry)) })
			.first()
			.hover({ timeout: limitMs(menuMs) });
		return true;
	} catch (error) {
		if (await page.locator('.monaco-menu').first().isVisible()) {
			throw error;
		}
		return false;
	}
}

/**
 * What is in the clipboard. A page in front that has the keyboard keeps it, and the clipboard, from everybody else, so the
 * side bar is clicked before.
 */
export async function clipboardText(page: Page): Promise<string> {
	await page.locator('.sidebar .composite.title').click();
	return page.evaluate(() => navigator.clipboard.readText());
}

/**
 * Waits until what is typed goes into the text editor in front. It shows its text a moment before. A view that loses the
 * keyboard stays the focused view until a timer of 0 ms ends, and until then the editor swallows chords whose condition
 * leaves that view out. After a click the browser holds such timers back until it has drawn, and a test is quicker.
 */
export async function editorHasKeyboard(page: Page): Promise<void> {
	await page.locator('.editor-group-container.active .monaco-editor.focused').first().waitFor();
	// Timers of the same time end in the order in which they began, and that of the view has begun.
	await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
}

/**
 * Resolves once the open folder's branch stands in the status bar. By then a window that is loaded anew knows the
 * commands of its extensions; its side bar shows what it remembers long before.
 */
export async function gitIsThere(page: Page): Promise<void> {
	await page
		.locator('.statusbar-item')
		.filter({ hasText: 'main' })
		.first()
		.waitFor({ timeout: limitMs(60_000) });
}

/** The tab of an open editor. */
export function editorTab(page: Page, title: string | RegExp): Locator {
	return page.locator('.editor-group-container').getByRole('tab', { name: title });
}

/**
 * Waits until the editor has written a text to the browser's disk, among all that extensions keep. It does so a moment
 * after it was handed the text, and a window that is loaded anew within that moment forgets it. A text that was kept
 * before already proves nothing.
 */
export async function isKept(page: Page, text: string): Promise<void> {
	const isThere = (): Promise<boolean> =>
		page.evaluate(async (wanted) => {
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
	await eventually(isThere, true);
}

/**
 * Waits until the editor in front has been told on which lines something can be said. It offers the command for a line
 * only where the cursor comes there after that.
 */
export async function linesAreCommentable(page: Page): Promise<void> {
	await page.locator('.editor-instance:visible .comment-diff-added').first().waitFor({ state: 'attached' });
}
