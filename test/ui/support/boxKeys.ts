import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { eventually } from '../../support/eventually.ts';

/*
 * The editor takes the keyboard from a box or a question that has just opened, and gives it to the page behind. When the
 * palette or another box closes over a page, the editor gives the keyboard back to the page in two steps: 50 ms later it
 * sends a message to the frame around the page, if nothing else has the keyboard by then, and the frame gives the keyboard
 * to the page when the message comes. On a busy machine a box or a question opens in between, and the frame does not look.
 * Keys and text then go to the page. An extension is not told who has the keyboard, so ours cannot mend that. A user clicks
 * into the box, which has stayed open; into a question the Tab key leads, too.
 */

/** How often it may happen to one key: once for each box that has closed in front of the page just before. */
const mostLost = 3;

function lineOf(box: Locator): Locator {
	return box.locator('.quick-input-box input');
}

/** Replaces what stands in a box, and knows that it stands there. */
export async function fillBox(box: Locator, text: string): Promise<void> {
	for (let lost = 0; ; lost++) {
		// It focuses the line as a click does, and then inserts where the keyboard is, which may be in the page by then.
		await lineOf(box).fill(text);
		if ((await lineOf(box).inputValue()) === text) {
			return;
		}
		assert.ok(lost < mostLost, `The box does not take "${text}"`);
	}
}

/** Presses a key in a box, and knows that the box has heard it. */
export async function pressInBox(box: Locator, key: string): Promise<void> {
	await isOpen(box);
	for (let lost = 0; ; lost++) {
		if (!(await hasKeyboard(box))) {
			await lineOf(box).focus();
		}
		if (await isHeard(box, key)) {
			return;
		}
		assert.ok(lost < mostLost, `The box does not hear ${key}`);
	}
}

/**
 * Waits until an open box has the keyboard. It is handed back from a page alone, and without a pointer, for tests that have
 * none: no key leads back into a box.
 */
export async function boxHasKeyboard(box: Locator): Promise<void> {
	await isOpen(box);
	const hasIt = async (): Promise<boolean> => {
		if (await isFrameInFront(box.page())) {
			await lineOf(box).focus();
		}
		return box.locator('input:focus').first().isVisible();
	};
	await eventually(hasIt, true);
}

/** Types into a box that has the keyboard, key by key, and knows that all letters stand there. */
export async function typeInBox(box: Locator, text: string): Promise<void> {
	const { keyboard } = box.page();
	const before = await lineOf(box).inputValue();
	await keyboard.type(text);
	for (let lost = 0; !(await lineOf(box).inputValue()).endsWith(text); lost++) {
		assert.ok(lost < mostLost, `The box does not take "${text}"`);
		await boxHasKeyboard(box);
		await keyboard.press('ControlOrMeta+A');
		await keyboard.type(`${before}${text}`);
	}
}

/**
 * Presses the button that a question proposes, with the keyboard alone. To a question that has lost the keyboard to the
 * page behind, the Tab key brings it back, at another button first.
 */
export async function agreeByKey(asked: Locator, button: string): Promise<void> {
	const { keyboard } = asked.page();
	const wanted = asked.getByRole('button', { name: button, exact: true });
	await wanted.waitFor();
	for (let lost = 0; lost < mostLost; lost++) {
		if (!(await hasKeyboard(asked))) {
			await keyboard.press('Tab');
			// The page tells the editor of its keys by a message.
			await asked.locator(':focus').waitFor();
			const buttons = await asked.getByRole('button').count();
			for (let at = 0; at < buttons && !(await hasKeyboard(wanted)); at++) {
				await keyboard.press('Tab');
			}
		}
		assert.ok((await hasKeyboard(wanted)) || !(await hasKeyboard(asked)), `The question does not propose ${button}`);
		if ((await hasKeyboard(wanted)) && (await isHeard(asked, 'Enter'))) {
			return;
		}
	}
	assert.fail('The question loses the keyboard again and again');
}

/** True while the window has given the keyboard to the frame of a page. */
export function isFrameInFront(page: Page): Promise<boolean> {
	return page.evaluate(() => document.activeElement?.matches('iframe.webview') === true);
}

/** Waits until a box is open; one that closes can be seen a moment longer. */
function isOpen(box: Locator): Promise<void> {
	return box.and(box.page().locator(':not([inert])')).waitFor();
}

function hasKeyboard(box: Locator): Promise<boolean> {
	return box.evaluate((element) => element.contains(element.ownerDocument.activeElement));
}

/** Presses a key, and tells whether it came to a box; it has come somewhere by then. */
async function isHeard(box: Locator, key: string): Promise<boolean> {
	const seen = await box.evaluateHandle((element) => {
		const noted = { isHeard: false };
		const note = (): void => {
			noted.isHeard = true;
		};
		element.addEventListener('keydown', note, { capture: true, once: true });
		return noted;
	});
	await box.page().keyboard.press(key);
	return seen
		.evaluate((noted) => noted.isHeard)
		.catch((error: unknown) => {
			// The window has gone elsewhere, to which nothing else leads than a key that was heard.
			if (!String(error).includes('Execution context was destroyed')) {
				throw error;
			}
			return true;
		});
}
