import '../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import { startBrowser } from '../harness/browser.ts';
import { richTicket } from '../support/richTicket.ts';
import { openTicketPage, type PageInBrowser } from '../support/ticketPageInBrowser.ts';

/** In the page's own time, which goes on only when the test says so. */
suite('how soon a page hands a draft to the host', () => {
	let browser: Browser;
	let opened: PageInBrowser | undefined;

	suiteSetup(async () => {
		browser = await startBrowser();
	});
	teardown(async () => {
		await opened?.close();
		opened = undefined;
	});
	suiteTeardown(() => browser.close());

	test('half a second after the first key, though typing goes on without a pause', async () => {
		opened = await openTicketPage(browser, richTicket());
		const { page, nextDraft } = opened;
		await page.locator('.entry').first().waitFor();
		await page.clock.install({ time: 0 });
		await page.clock.pauseAt(1000);
		await page.getByRole('textbox', { name: 'Your comment' }).focus();
		const handedOver = nextDraft();
		for (const key of 'abc') {
			await page.keyboard.press(key);
			await page.clock.runFor(170);
		}
		assert.equal(await handedOver, 'abc');
	});
});
