import type { FrameLocator, Locator, Page } from 'playwright-core';
import { eventually } from '../../support/eventually.ts';
import { limitMs } from '../../support/pace.ts';
import { fillBox, isFrameInFront, pressInBox } from './boxKeys.ts';

/** Opens the command palette with the keyboard in it. */
export async function openPalette(page: Page): Promise<void> {
	// A closing box would take the text, and the palette would open over it and be empty again.
	await quickInput(page).waitFor({ state: 'hidden' });
	await keysAreHeard(page);
	await page.keyboard.press('F1');
}

/**
 * Runs a command through the command palette by its title, such as `Forge: Sign In`. `choice` picks a variant if the
 * command has several.
 */
export async function runCommand(page: Page, title: string, choice?: string): Promise<void> {
	await openPalette(page);
	await fillBox(quickInput(page), `>${title}`);
	// The palette opens with recent commands and finds the others later; only search results have marked letters. A
	// click on a row of the earlier list may run another command.
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

/** Waits until some element receives pressed keys. */
async function keysAreHeard(page: Page): Promise<void> {
	if (await isFrameInFront(page)) {
		await pageHasKeyboard(page);
	}
}

/**
 * Waits until the active page receives keys. The editor focuses the frame around a page first, and the page a moment
 * later; keys in between get lost. It skips the second step if it learns meanwhile that the frame had lost the focus,
 * for example when a box opened and closed quickly on a busy machine. A page can't see its frame and so can't fix
 * this; users click into the page, and this function passes the focus from the frame to the page.
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

/** The editor's quick input: the palette, a pick or an input box. */
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

/** Opens an object by typed or pasted text; takes the first row with the text. */
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

/** Waits for a notification and hovers over it, because the editor hides others after ten seconds. */
export async function holdNotification(notice: Locator): Promise<void> {
	await notice.hover();
}

/**
 * Presses a button of a notification. A progress notification closes a moment after its work and moves those above
 * it, and a button that moves between mouse down and up gets no click; so this waits until none is left.
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

/** The content of the visible webview: a frame within a frame. */
export function webview(page: Page): FrameLocator {
	return page.frameLocator('iframe.webview.ready:visible').frameLocator('#active-frame');
}

/** Performs an action that opens the system's browser, and returns the new page. Close it before the next step. */
export async function openedPage(page: Page, action: () => Promise<void>): Promise<Page> {
	const [opened] = await Promise.all([page.context().waitForEvent('page'), action()]);
	// The sample forge shows a warning to visitors from other sites, and the editor in the browser is one.
	const goOn = opened.getByText('The sample forge answers only its own pages.').getByRole('link', { name: 'Continue' });
	goOn.click({ timeout: 0 }).catch(() => undefined);
	await opened.waitForLoadState();
	return opened;
}

/**
 * Opens a container of the side bar by its title. By command, because a click closes an open one; the palette has the
 * command only when the container has its tab.
 */
export async function openContainer(page: Page, title: string): Promise<void> {
	await page
		.locator('.activitybar')
		.getByRole('tab', { name: new RegExp(`^${title}`) })
		.waitFor();
	await runCommand(page, `View: Show ${title}`);
	await page.locator('.sidebar .composite.title').getByText(title).waitFor();
	if (title === 'Forge') {
		// The inbox opens automatically and has rows named like those of other views. Its own tests open it alone.
		await setUnfolded(page, 'Inbox', false);
		await unfoldFirst(page);
	}
}

/** Windows whose views have been unfolded once. */
const unfolded = new WeakSet<Page>();

/** Lists and Repositories start folded and low, but only rows in view are in the DOM. */
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
	// By position, because its name changes after the first read.
	const head = viewSection(page, view).locator('.pane-header');
	// Without a pointer: headers move while others fold and views fill, and a press and release in different places
	// is no click.
	await head.evaluate((element, isWanted) => {
		if (element instanceof HTMLElement && element.ariaExpanded !== String(isWanted)) {
			element.click();
		}
	}, isUnfolded);
	await head.and(page.locator(`[aria-expanded="${isUnfolded}"]`)).waitFor();
}

/**
 * The section of the side bar with this title; its header may have more text, as in `Tickets - The forge failed
 * Section`.
 */
export function viewSection(page: Page, title: string): Locator {
	const head = page.getByRole('button', { name: new RegExp(`^${title}\\b.* Section$`) });
	return page.locator('.sidebar .pane').filter({ has: head });
}

/** Shows the side bar with only this section open, because only rows in view are in the DOM. */
export async function openOnly(page: Page, title: (typeof views)[number]): Promise<void> {
	await openContainer(page, 'Forge');
	for (const each of views) {
		await setUnfolded(page, each, each === title);
	}
	await leaveViews(page);
}

/** Opens a section of the side bar and keeps the others open. */
export async function openBeside(page: Page, title: (typeof views)[number]): Promise<void> {
	await setUnfolded(page, title, true);
	await leaveViews(page);
}

/** Folds a section of the side bar, so that the others have its room. */
export async function foldView(page: Page, title: (typeof views)[number]): Promise<void> {
	await setUnfolded(page, title, false);
}

/** Uses an action in a view's header, after a hover that shows it. */
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

/** Moves the pointer off the views, because a tooltip would cover the row below. */
async function leaveViews(page: Page): Promise<void> {
	await page.mouse.move(1, 1);
}

/** A row of any tree by its label. */
export function treeItem(page: Page, label: string | RegExp): Locator {
	return page.getByRole('treeitem', { name: label }).first();
}

/**
 * Waits until no view of the side bar reads. During a read the editor doesn't know its rows: a command from a row's
 * menu arrives without the row. After a read it redraws the rows and reuses the elements of one row for another, so a
 * pending click may hit the wrong row. Views read level by level and rest in between for less than a frame, so this
 * requires several idle frames in a row.
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

/** Clicks a row of a tree to open its object. */
export async function clickRow(page: Page, label: string | RegExp): Promise<void> {
	await treeItem(page, label).waitFor();
	await viewsAreAtRest(page);
	await treeItem(page, label).click();
}

/** Expands a row of a tree. At its arrow, because a click on some rows opens their object. */
export async function expand(page: Page, label: string | RegExp): Promise<void> {
	await setExpanded(page, label, true);
}

/** Collapses a row of a tree, so that the ones below it come into view: only these are in the DOM. */
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

/**
 * Chooses from the menu of a tree's row, or from a submenu. By key, because a menu ignores clicks during its opening.
 */
export async function chooseFromMenu(
	page: Page,
	label: string | RegExp,
	entry: string | RegExp,
	submenu?: 'Copy' | 'More' | 'Review' | 'Versions',
): Promise<void> {
	const row = treeItem(page, label);
	await row.waitFor();
	// A closing box returns the keyboard to its previous owner, and the menu closes when it loses the focus.
	await quickInput(page).waitFor({ state: 'hidden' });
	await keysAreHeard(page);
	let isOpen = false;
	for (let turns = 0; turns < mostMenus && !isOpen; turns += 1) {
		await openMenu(page, row);
		isOpen = (submenu === undefined || (await stays(page, submenu))) && (await stays(page, entry));
	}
	// A submenu is part of its entry, and both have the focus.
	await page.locator('.monaco-menu .action-item.focused').filter({ hasText: entry }).last().waitFor();
	await viewsAreAtRest(page);
	await page.keyboard.press('Enter');
	await page.locator('.monaco-menu').first().waitFor({ state: 'hidden' });
}

/** A page takes the keyboard once for each box that closed over it (boxKeys.ts), at any later time. */
const mostMenus = 3;
/** Far longer than a menu takes to open or close. */
const menuMs = 5_000;

async function openMenu(page: Page, row: Locator): Promise<void> {
	await viewsAreAtRest(page);
	await row.click({ button: 'right' });
	// The menu's row has the focus. Rows that appear or disappear during the pointer's movement shift it.
	while (!(await row.and(page.locator('.focused')).isVisible())) {
		await page.keyboard.press('Escape');
		await viewsAreAtRest(page);
		await row.click({ button: 'right' });
	}
}

/** Hovers over an entry of the menu; false if the menu has closed by then, because a page has taken the keyboard. */
async function stays(page: Page, entry: string | RegExp): Promise<boolean> {
	try {
		// Of entries with the same beginning, the shorter one comes first.
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
 * The clipboard's text. An active page with the keyboard keeps the clipboard to itself, so this clicks the side bar
 * first.
 */
export async function clipboardText(page: Page): Promise<string> {
	await page.locator('.sidebar .composite.title').click();
	return page.evaluate(() => navigator.clipboard.readText());
}

/**
 * Waits until the active text editor receives typed text, which is a moment after it shows its own. A view that loses
 * the keyboard remains the focused view until a 0 ms timer ends, and until then the editor swallows chords whose
 * condition excludes that view. After a click, browsers delay such timers until they have rendered, and a test is
 * faster.
 */
export async function editorHasKeyboard(page: Page): Promise<void> {
	await page.locator('.editor-group-container.active .monaco-editor.focused').first().waitFor();
	// Timers of equal delay end in the order of their start, and the view's timer has started.
	await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
}

/**
 * Resolves when the status bar shows the open folder's branch. By then a reloaded window has the commands of its
 * extensions; its side bar shows the restored state long before.
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
 * Waits until the editor has stored a text of an extension on the browser's disk. It does so a moment after it
 * receives the text, and a window that reloads within that moment loses it. A text that was stored before proves
 * nothing.
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
 * Waits until the active editor knows its commentable lines. It offers the command for a line only if the cursor
 * moves there after that.
 */
export async function linesAreCommentable(page: Page): Promise<void> {
	await page.locator('.editor-instance:visible .comment-diff-added').first().waitFor({ state: 'attached' });
}
