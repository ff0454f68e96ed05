import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';

/** Fails unless the status of a page is a filled pill whose text has enough contrast. `status`: for the message. */
export async function statusIsFilled(page: Page, status: string): Promise<void> {
	const [filled, text, around] = await page.locator('.status').evaluate((pill) => {
		const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })!;
		const luminance = (color: string): number => {
			canvas.fillStyle = color;
			canvas.fillRect(0, 0, 1, 1);
			const [red = 0, green = 0, blue = 0] = Array.from(canvas.getImageData(0, 0, 1, 1).data, (part) => {
				const share = part / 255;
				return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
			});
			return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
		};
		const { backgroundColor, color } = getComputedStyle(pill);
		return [backgroundColor, color, getComputedStyle(document.body).backgroundColor].map(luminance);
	});
	const ratio = (one = 0, other = 0): number => (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
	assert.ok(ratio(filled, text) >= 4.5, `${status} text ${ratio(filled, text)}`);
	assert.ok(ratio(filled, around) >= 1.5, `${status} beside the page ${ratio(filled, around)}`);
}
