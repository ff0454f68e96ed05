import type { BrowserContext, Page } from 'playwright-core';
import { limitMs } from './pace.ts';

/** On a machine that does nothing else. */
const actionLimitMs = 40_000;

/** A page whose waits are given up later the slower the machine is. */
export async function patientPage(context: BrowserContext): Promise<Page> {
	const page = await context.newPage();
	bePatient(page);
	return page;
}

/** Sets the limit anew by what is known of the machine by now. */
export function bePatient(page: Page): void {
	page.setDefaultTimeout(limitMs(actionLimitMs));
}
