import '../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import type { ServiceLook } from 'sourcehut/port/serviceLook.ts';
import { eventually } from '../support/eventually.ts';
import { pageThemes } from '../support/pageThemes.ts';
import { resetStub, stubbed } from '../support/vscodeValues.ts';
import { axeViolations } from './support/axe.ts';
import { connectionPages } from './support/connectionPages.ts';
import { keepPicture } from './support/pagePictures.ts';

const fine: ServiceLook = {
	status: 404,
	protocol: 'rest',
	isWebPage: false,
	toHost: undefined,
	sentMs: undefined,
	said: '',
};

/** Lists are away, and repositories send too many requests away. */
async function mixed(host: string): Promise<ServiceLook> {
	if (host.startsWith('lists.')) {
		throw new ForgeError({ kind: 'unreachable', reason: 'tls', host });
	}
	return host.startsWith('git.') ? { ...fine, protocol: undefined, status: 429 } : fine;
}

suite('page of Check Connection', function () {
	this.timeout(120_000);
	const open = connectionPages();
	setup(resetStub);

	test('shows each line when it arrives, and says how it ends', async () => {
		const waiting = Promise.withResolvers<ServiceLook>();
		const { page, incidents, foreign } = await open({
			look: (host) => (host.startsWith('lists.') ? waiting.promise : Promise.resolve(fine)),
		});
		await page.getByText('todo.forge.example responds and accepts the token').waitFor();
		assert.equal(await page.locator('.line.waiting .text').first().textContent(), 'lists.forge.example');
		assert.equal(await page.locator('.groups').getAttribute('aria-busy'), 'true');
		waiting.resolve(fine);
		await page.getByText('lists.forge.example responds and accepts the token').waitFor();
		await page.locator('.groups[aria-busy="false"]').waitFor();
		const summary = await page.locator('.summary').textContent();
		assert.equal(summary, '1 line needs an action. 1 line is a warning.');
		assert.equal(await page.locator('#page').getByRole('status').textContent(), summary);
		assert.deepEqual([incidents, foreign], [[], []]);
	});

	test('repairs by the keyboard, and a screen reader hears the level of each line', async () => {
		const { page } = await open({ look: mixed });
		await page.locator('.groups[aria-busy="false"]').waitFor();
		const line = page.getByRole('listitem').filter({ hasText: 'Restricted Mode' });
		assert.match((await line.textContent()) ?? '', /^Action: Git is disabled/);
		await line.getByRole('button', { name: 'Manage Trust…' }).focus();
		await page.keyboard.press('Enter');
		await eventually(() => Promise.resolve(stubbed.executed), ['workbench.trust.manage']);
	});

	test('copies the report as text', async () => {
		const { page } = await open({ look: mixed });
		await page.locator('.groups[aria-busy="false"]').waitFor();
		await page.getByRole('button', { name: 'Copy Report' }).click();
		await eventually(() => Promise.resolve(stubbed.copied.length), 1);
		const [report = ''] = stubbed.copied;
		assert.match(report, /^Forge Desk 0\.0\.0\n\n~alice on Example\n {2}\[OK\] meta/);
		assert.match(report, /\n {2}\[Action\] .*lists\.forge\.example/);
	});

	test('cancels without calling anything fine, and checks again with the keyboard on the same button', async () => {
		const calls: string[] = [];
		const { page, again } = await open({
			look: (host) => (calls.push(host), calls.length <= 4 ? new Promise(() => undefined) : Promise.resolve(fine)),
		});
		const cancel = page.getByRole('button', { name: 'Cancel' });
		await page.locator('.line.waiting').first().waitFor();
		again();
		await cancel.focus();
		await page.keyboard.press('Enter');
		await page.getByText('todo.forge.example: not checked, because you cancelled.').waitFor();
		assert.equal(await page.locator('.line.ok', { hasText: 'responds' }).count(), 0);
		assert.equal(calls.length, 4, 'the command does not begin anew while checks run');
		assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Check Again');
		await page.keyboard.press('Enter');
		await page.getByText('todo.forge.example responds and accepts the token').waitFor();
		await page.locator('.groups[aria-busy="false"]').waitFor();
		const before = calls.length;
		again();
		await eventually(() => Promise.resolve(calls.length), before + 4);
	});

	test('fits a narrow window in every theme', async () => {
		for (const theme of pageThemes) {
			for (const [width, height] of [
				[1000, 700],
				[320, 700],
			] as const) {
				const { page } = await open({ look: mixed, theme, width, height });
				await page.locator('.groups[aria-busy="false"]').waitFor();
				assert.deepEqual(await axeViolations(page, theme), []);
				const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
				assert.ok(wide <= 0, `${theme} at ${width}: ${wide} px too wide`);
				await keepPicture(page, `connection ${theme} ${width}`);
			}
		}
	});
});
