import type { Locator } from 'playwright-core';

/**
 * How far an element is below the top of the window once it stands still. Entries get their heights only when they come
 * near, and the page then takes some frames to move what is read back to its place.
 */
export function restingTop(element: Locator): Promise<number> {
	return element.evaluate(async (found) => {
		/** Twice as many as the page takes. */
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
