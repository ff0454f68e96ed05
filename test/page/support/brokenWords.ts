import type { Page } from 'playwright-core';

/** Width of a page beside the side bar of a window of 320 px. */
export const besideSideBar = 95;

/** Words of buttons that break into several lines. */
export async function brokenWords(page: Page): Promise<readonly string[]> {
	return page.locator('button:visible:not(.reference, .files button)').evaluateAll((buttons) =>
		buttons.flatMap((button) => {
			const walker = document.createTreeWalker(button, NodeFilter.SHOW_TEXT);
			const broken: string[] = [];
			for (let node = walker.nextNode(); node; node = walker.nextNode()) {
				const text = node.textContent ?? '';
				// Addresses and paths break anywhere.
				for (const { index, 0: word } of /[@/.]/.test(text.trim()) ? [] : text.matchAll(/\p{L}+/gu)) {
					const range = document.createRange();
					range.setStart(node, index);
					range.setEnd(node, index + word.length);
					broken.push(...(range.getClientRects().length > 1 ? [word] : []));
				}
			}
			return broken;
		}),
	);
}
