import type { Page } from 'playwright-core';

/** A remark is a comment with its number in its text, as `Remark 17 of lamp-3`. */
export const remark = (at: number, file: string): string => `Remark ${at} of ${file}`;

/** The old side of a narrow diff keeps its comments, in a strip of line numbers. */
const leastWidth = 150;

/** The comments that the active editor shows now, with repetitions: within its frame, wide enough to be read. */
function inView(page: Page): Promise<readonly string[]> {
	return page.evaluate((least) => {
		const frame = document.querySelector('.editor-group-container.active')?.getBoundingClientRect();
		const bodies = [...document.querySelectorAll('.editor-group-container.active .review-widget .comment-body')];
		return bodies.flatMap((body) => {
			const { top, bottom, height, width } = body.getBoundingClientRect();
			const text = /Remark \d+ of \S+\d/.exec(body.textContent ?? '')?.[0];
			const isReadable = height > 0 && width >= least;
			return frame && text && isReadable && top < frame.bottom && bottom > frame.top ? [text] : [];
		});
	}, leastWidth);
}

/** Resolves when the editor has drawn. */
async function drawn(page: Page): Promise<void> {
	await page.evaluate(
		() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve)))),
	);
}

/** Position of the text in the active editor. */
function scrolled(page: Page): Promise<string> {
	return page.evaluate(() =>
		[
			...document.querySelectorAll<HTMLElement>(
				'.editor-group-container.active .monaco-scrollable-element > .lines-content',
			),
		]
			.map(({ style }) => `${style.top} ${style.transform}`)
			.join(),
	);
}

/**
 * Every remark that the active editor shows from its first to its last line, as often as it shows it at once. The
 * editor draws only what is in view, so this scrolls; the cursor stays.
 */
export async function shownRemarks(page: Page): Promise<readonly string[]> {
	const most = new Map<string, number>();
	// To the top, and down until nothing moves.
	for (let before = ''; before !== (before = await scrolled(page));) {
		await page.keyboard.press('Alt+PageUp');
		await drawn(page);
	}
	for (let before = ''; before !== (before = await scrolled(page));) {
		const now = Map.groupBy(await inView(page), (text) => text);
		for (const [text, { length }] of now) {
			most.set(text, Math.max(most.get(text) ?? 0, length));
		}
		await page.keyboard.press('Alt+PageDown');
		await drawn(page);
	}
	return [...most].flatMap(([text, times]) => Array.from({ length: times }, () => text)).toSorted();
}
