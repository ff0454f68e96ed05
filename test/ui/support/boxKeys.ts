import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { eventually } from '../../support/eventually.ts';

/*
 * The editor moves the keyboard from a box or question that has just opened to the page behind. When the palette or
 * another box closes over a page, the editor returns the keyboard to the page in two steps: 50 ms later it sends a
 * message to the frame around the page if nothing else has the keyboard by then, and the frame focuses the page when
 * the message arrives. On a busy machine, a box or question may open in between, and the frame doesn't check. Keys
 * and text then go to the page. Extensions can't see the keyboard focus, so ours can't fix this. Users click into the
 * box, which stays open; a question also accepts Tab.
 */

/** The number of times that one key may get lost: once for each box that has just closed over the page. */
const mostLost = 3;

function lineOf(box: Locator): Locator {
	return box.locator('.quick-input-box input');
}

/** Replaces a box's text, and verifies it. */
export async function fillBox(box: Locator, text: string): Promise<void> {
	for (let lost = 0; ; lost++) {
		// It focuses the line like a click, then inserts at the keyboard focus, which may be in the page by then.
		await lineOf(box).fill(text);
		if ((await lineOf(box).inputValue()) === text) {
			return;
		}
		assert.ok(lost < mostLost, `The box does not take "${text}"`);
	}
}

/** Presses a key in a box, and verifies that the box received it. */
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
 * Waits until an open box has the keyboard. Returns the keyboard from a page only, and without a pointer, for
 * keyboard-only tests: no key leads back into a box.
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

/** Types key by key into a box with the keyboard, and verifies that all letters arrived. */
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
 * Presses the default button of a question by keyboard. If the page has taken the keyboard, Tab returns it, to
 * another button first.
 */
export async function agreeByKey(asked: Locator, button: string): Promise<void> {
	const { keyboard } = asked.page();
	const wanted = asked.getByRole('button', { name: button, exact: true });
	await wanted.waitFor();
	for (let lost = 0; lost < mostLost; lost++) {
		if (!(await hasKeyboard(asked))) {
			await keyboard.press('Tab');
			// The page forwards its keys to the editor by message.
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

/** True while a page's frame has the keyboard. */
export function isFrameInFront(page: Page): Promise<boolean> {
	return page.evaluate(() => document.activeElement?.matches('iframe.webview') === true);
}

/** Waits until a box is open; a closing box stays visible a moment longer. */
function isOpen(box: Locator): Promise<void> {
	return box.and(box.page().locator(':not([inert])')).waitFor();
}

function hasKeyboard(box: Locator): Promise<boolean> {
	return box.evaluate((element) => element.contains(element.ownerDocument.activeElement));
}

/** Presses a key, and returns whether a box received it; some element has received it by then. */
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
			// The window has navigated away, and only a received key can cause that.
			if (!String(error).includes('Execution context was destroyed')) {
				throw error;
			}
			return true;
		});
}
