import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { eventually } from '../../support/eventually.ts';
import { boxHasKeyboard, pressInBox, typeInBox } from './boxKeys.ts';
import { openPalette, pageHasKeyboard, quickInput, viewsAreAtRest, viewSection } from './user.ts';
import type { Workbench } from './workbench.ts';

declare global {
	interface Window {
		/** Added to the editor by `watchPointers`. */
		pointerUsed?: (what: string) => void;
	}
}

/** The actions of a user without a mouse. */
export interface KeysOnly {
	/** Counts pointer events from now on, in the window and in pages that open later. */
	readonly watchPointers: () => Promise<void>;
	/** Fails on any pointer event since, and if the counter would have missed one. */
	readonly assertNoPointer: () => Promise<void>;
	readonly press: (...keys: readonly string[]) => Promise<void>;
	/** The two keys of an extension chord. */
	readonly chord: (key: string) => Promise<void>;
	/** The same on the active page. */
	readonly chordOnPage: (key: string) => Promise<void>;
	/** Waits until a box has the focus; earlier keys go elsewhere. */
	readonly boxIsOpen: () => Promise<void>;
	/** Types into the open box, and accepts the first entry then. */
	readonly type: (text: string, first: string | RegExp) => Promise<void>;
	/** Runs a command by its title in the palette, and picks `choice` if the command has variants. */
	readonly run: (title: string, choice?: string) => Promise<void>;
	/** The entry of the open box that Enter takes. */
	readonly focusedOption: () => Locator;
	/** Chooses from the menu of the focused row, through submenus. */
	readonly chooseFromMenu: (...entries: readonly string[]) => Promise<void>;
	/** Moves down a view until a row with this label has the focus. */
	readonly goDownTo: (view: 'Inbox' | 'Lists' | 'Tickets', label: RegExp) => Promise<void>;
}

const mostRows = 60;
const mostCommands = 8;

/** Runs in the page. */
function reportPointers(): void {
	// Enter on a button triggers a click without a pointer, so such clicks don't count.
	for (const kind of ['mousedown', 'pointerdown', 'wheel', 'touchstart']) {
		addEventListener(kind, ({ isTrusted }) => isTrusted && window.pointerUsed?.(kind), { capture: true });
	}
}

/** The keyboard of a window. */
export function keysOnly(workbench: () => Workbench): KeysOnly {
	const used: string[] = [];

	async function press(...keys: readonly string[]): Promise<void> {
		for (const key of keys) {
			await workbench().page.keyboard.press(key);
		}
	}

	const chord = (key: string): Promise<void> => press('Alt+j', key);

	async function boxIsOpen(): Promise<void> {
		await boxHasKeyboard(quickInput(workbench().page));
	}

	const focusedOption = (): Locator => quickInput(workbench().page).locator('.monaco-list-row.focused');

	async function type(text: string, first: string | RegExp): Promise<void> {
		await boxIsOpen();
		await typeInBox(quickInput(workbench().page), text);
		await focusedOption().filter({ hasText: first }).waitFor();
		await pressInBox(quickInput(workbench().page), 'Enter');
	}

	async function run(title: string, choice?: string): Promise<void> {
		const { page } = workbench();
		await openPalette(page);
		await boxIsOpen();
		await typeInBox(quickInput(page), title);
		// Only search results have marked letters; the wanted command may not be the first match.
		const found = quickInput(page)
			.getByRole('option', { name: title })
			.filter({ has: page.locator('.highlight') });
		await found.first().waitFor();
		for (let step = 0; !(await focusedOption().innerText()).startsWith(title); step++) {
			assert.ok(step < mostCommands, `${title} is not among what was found`);
			await pressInBox(quickInput(page), 'ArrowDown');
		}
		await pressInBox(quickInput(page), 'Enter');
		if (choice !== undefined) {
			await quickInput(page).getByRole('option', { name: choice }).first().waitFor();
			await type(choice, choice);
		}
	}

	return {
		async watchPointers() {
			const { page } = workbench();
			await page.exposeFunction('pointerUsed', (what: string) => void used.push(what));
			await page.addInitScript(reportPointers);
			await page.evaluate(reportPointers);
		},
		async assertNoPointer() {
			assert.deepEqual([...used], []);
			await workbench().page.locator('.statusbar').click();
			await eventually(async () => used.includes('mousedown'), true);
		},
		press,
		chord,
		async chordOnPage(key) {
			await pageHasKeyboard(workbench().page);
			await chord(key);
		},
		boxIsOpen,
		type,
		run,
		focusedOption,
		async chooseFromMenu(...entries) {
			const { page } = workbench();
			// Redrawn rows close their menu.
			await viewsAreAtRest(page);
			await press('Shift+F10');
			await page.locator('.monaco-menu').first().waitFor();
			for (const [at, entry] of entries.entries()) {
				// An open submenu is part of its entry, and both have the focus.
				const focused = page.locator('.monaco-menu .action-item.focused').last();
				for (let step = 0; !(await focused.isVisible()) || !(await focused.innerText()).startsWith(entry); step += 1) {
					assert.ok(step < mostRows, `There is no entry ${entry}`);
					await press('ArrowDown');
				}
				await press(at < entries.length - 1 ? 'ArrowRight' : 'Enter');
			}
			await page.locator('.monaco-menu').first().waitFor({ state: 'hidden' });
		},
		async goDownTo(view, label) {
			const { page } = workbench();
			await run(`Forge: Focus on ${view} View`);
			const rows = viewSection(page, view);
			await rows.locator('.monaco-list:focus').waitFor();
			await rows.getByRole('treeitem').first().waitFor();
			// Redrawn rows lose keys pressed meanwhile.
			await viewsAreAtRest(page);
			await press('Home');
			const focused = rows.locator('.monaco-list-row.focused');
			for (let step = 0; step < mostRows; step++) {
				if (label.test((await focused.getAttribute('aria-label')) ?? '')) {
					return;
				}
				await press('ArrowDown');
			}
			assert.fail(`There is no row ${label}`);
		},
	};
}
