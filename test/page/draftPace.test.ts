import '../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { richTicket } from '../support/richTicket.ts';
import { ticketPages } from './support/ticketPages.ts';

/** Uses the page's own time, under the test's control. */
suite('draft hand-over from page to host', () => {
	const open = ticketPages();

	test('happens half a second after the first key, even during continuous typing', async () => {
		const { page, nextDraft } = await open({ ...richTicket(), hasOwnTime: true });
		await page.locator('.entry').first().waitFor();
		await page.clock.install({ time: 0 });
		await page.clock.pauseAt(60_000);
		await page.getByRole('textbox', { name: 'Your comment' }).focus();
		const handedOver = nextDraft();
		for (const key of 'abc') {
			await page.keyboard.press(key);
			await page.clock.runFor(170);
		}
		assert.equal(await handedOver, 'abc');
	});

	for (const [what, target, event] of [
		['loses focus', 'window', 'blur'],
		['is hidden', 'document', 'visibilitychange'],
		['unloads', 'window', 'pagehide'],
	] as const) {
		test(`happens immediately when the page ${what}`, async () => {
			const { page, nextDraft } = await open({ ...richTicket(), hasOwnTime: true });
			await page.locator('.entry').first().waitFor();
			await page.clock.install({ time: 0 });
			await page.clock.pauseAt(60_000);
			await page.getByRole('textbox', { name: 'Your comment' }).fill('Half a thought');
			const handedOver = nextDraft();
			await page.evaluate(([where, name]) => (where === 'window' ? window : document).dispatchEvent(new Event(name)), [
				target,
				event,
			] as const);
			assert.equal(await handedOver, 'Half a thought');
		});
	}
});
