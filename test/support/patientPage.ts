import type { BrowserContext, Page } from 'playwright-core';
import { limitMs } from './pace.ts';

/** On an idle machine. */
const actionLimitMs = 40_000;

/** A page whose timeouts grow with the machine's slowness. */
export async function patientPage(context: BrowserContext): Promise<Page> {
	const page = await context.newPage();
	bePatient(page);
	return page;
}

/** Updates the timeout to the current slowness. */
export function bePatient(page: Page): void {
	page.setDefaultTimeout(limitMs(actionLimitMs));
}
