import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { resultsFolder } from '../../harness/places.ts';
import type { OpenedPage } from '../../support/pageInBrowser.ts';

const folder = join(resultsFolder, 'page');

/** Takes a full screenshot, if pictures of passing tests are on. */
export async function keepPicture(page: Page, name: string): Promise<void> {
	if (process.env['FORGE_DESK_PICTURES'] !== undefined) {
		await page.screenshot({ path: join(folder, `${fileName(name)}.png`), fullPage: true });
	}
}

/** A screenshot and a text file for each page of a failed test. */
export async function keepFailure(title: readonly string[], pages: readonly OpenedPage[]): Promise<void> {
	mkdirSync(folder, { recursive: true });
	for (const [at, opened] of pages.entries()) {
		const path = join(folder, fileName(['failed', ...title, ...(at === 0 ? [] : [`${at + 1}`])].join(' ')));
		const { page, incidents, foreign, asked } = opened;
		const told = opened.told.map((each) => JSON.stringify(each)?.slice(0, 400));
		// Does not wait for a hanging page: the test has failed already.
		const text = await page
			.locator('body')
			.innerText({ timeout: 2000 })
			.catch((error: unknown) => `The page could not be read: ${String(error)}`);
		await page.screenshot({ path: `${path}.png`, timeout: 5000 }).catch(() => undefined);
		const parts = { console: opened.console, incidents, foreign, asked, told };
		const lines = Object.entries(parts).flatMap(([name, of]) => [`## ${name}`, ...of.map(String), '']);
		writeFileSync(`${path}.txt`, [title.join(' > '), page.url(), '', ...lines, '## text of the page', text].join('\n'));
	}
}

function fileName(title: string): string {
	return title.replaceAll(/[^\w-]+/g, '-').slice(0, 120);
}
