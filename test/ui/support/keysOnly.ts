import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { eventually } from '../../support/eventually.ts';
import { boxHasKeyboard, pressInBox, typeInBox } from './boxKeys.ts';
import { gitIsThere, openPalette, pageHasKeyboard, quickInput, viewsAreAtRest, viewSection } from './user.ts';
import type { Workbench } from './workbench.ts';

declare global {
	interface Window {
		/** Given to the editor by `watchPointers`. */
		pointerUsed?: (what: string) => void;
	}
}

/** What a user does who has no mouse. */
export interface KeysOnly {
	/** Counts from now on what a pointer does in the window, which is loaded anew. */
	readonly watchPointers: () => Promise<void>;
	/** Fails where a pointer has done anything since, and where one would not have been noticed. */
	readonly assertNoPointer: () => Promise<void>;
	readonly press: (...keys: readonly string[]) => Promise<void>;
	/** The two keys of a chord of ours. */
	readonly chord: (key: string) => Promise<void>;
	/** The same on the page in front. */
	readonly chordOnPage: (key: string) => Promise<void>;
	/** Waits until a box asks: keys that are pressed before it has the focus go elsewhere. */
	readonly boxIsOpen: () => Promise<void>;
	/** Types into the box that is open, and takes what then stands first. */
	readonly type: (text: string, first: string | RegExp) => Promise<void>;
	/** Runs a command by its title in the palette, and takes `choice` where it asks which of several is meant. */
	readonly run: (title: string, choice?: string) => Promise<void>;
	/** The entry of the open box that Enter takes. */
	readonly focusedOption: () => Locator;
	/** Goes down a view until a row with this label has the focus. */
	readonly goDownTo: (view: 'Inbox' | 'Lists' | 'Tickets', label: RegExp) => Promise<void>;
}

const mostRows = 60;
const mostCommands = 8;

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
		// Only what was found for a text has marked letters; of commands that have its words the wanted one may not be first.
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
			await page.addInitScript(() => {
				// A click of Enter on a button comes without a pointer, and is none.
				for (const kind of ['mousedown', 'pointerdown', 'wheel', 'touchstart']) {
					addEventListener(kind, ({ isTrusted }) => isTrusted && window.pointerUsed?.(kind), { capture: true });
				}
			});
			await page.reload();
			// The palette does not wait long for the commands of extensions, and lists no more of them once it is open.
			await gitIsThere(page);
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
		async goDownTo(view, label) {
			const { page } = workbench();
			await run(`Forge: Focus on ${view} View`);
			const rows = viewSection(page, view);
			await rows.locator('.monaco-list:focus').waitFor();
			await rows.getByRole('treeitem').first().waitFor();
			// Rows that are drawn anew do not keep the key that comes meanwhile.
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
