import type { Locator } from 'playwright-core';

/**
 * Distance of an element from the top of the window after scrolling ends. Entries get their heights only near the
 * viewport, and the page then takes some frames to correct its position.
 */
export function restingTop(element: Locator): Promise<number> {
	return element.evaluate(async (found) => {
		/** Twice the page's own number. */
		const framesOfRest = 12;
		let { top } = found.getBoundingClientRect();
		for (let frames = 0; frames < framesOfRest;) {
			await new Promise((resolve) => requestAnimationFrame(resolve));
			const now = found.getBoundingClientRect().top;
			frames = now === top ? frames + 1 : 0;
			top = now;
		}
		if (!found.isConnected) {
			throw new Error('What was looked at is not on the page any more');
		}
		return top;
	});
}
