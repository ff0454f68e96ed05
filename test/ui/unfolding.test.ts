import { testInProve } from '../support/testInProve.ts';
import type { SampleForge } from '../support/sampleForge.ts';
import { knowing } from './support/sampleWindow.ts';
import { borrowForge, giveBackForge } from './support/sharedForge.ts';
import { collapse, expand, openOnly, treeItem, useTitleAction, viewsAreAtRest } from './support/user.ts';
import { useWorkbench } from './support/workbench.ts';

/** Frames between the refresh and the unfolding: even a slow machine redraws the view within these. */
const mostPictures = 40;

suite('unfolding a row during a redraw of its view', () => {
	let forge: SampleForge;
	suiteSetup(async () => {
		forge = await borrowForge('field');
	});
	const workbench = useWorkbench(() => ({
		name: 'unfolding',
		env: knowing(forge, 'alice'),
		// Only rows in view are in the DOM.
		viewport: { width: 1280, height: 1100 },
	}));
	suiteTeardown(() => giveBackForge(forge));

	testInProve('keeps it unfolded with its children, in any frame', async function () {
		this.timeout(0);
		const { page } = workbench();
		await openOnly(page, 'Repositories');
		// The view reads unfolded children row by row; during this time, another row could fold again.
		for (const row of [/^Repository lantern of ~alice/, /^Branch master/, /^Commits/]) {
			await expand(page, row);
		}
		const slow = await page.context().newCDPSession(page);
		await slow.send('Emulation.setCPUThrottlingRate', { rate: 6 });
		const diary = treeItem(page, /^Repository diary of ~alice/);
		for (let pictures = 0; pictures < mostPictures; pictures += 2) {
			await viewsAreAtRest(page);
			await useTitleAction(page, 'Repositories', 'Refresh');
			await page.evaluate(async (count) => {
				for (let seen = 0; seen < count; seen += 1) {
					await new Promise((resolve) => requestAnimationFrame(resolve));
				}
			}, pictures);
			await diary.locator('.monaco-tl-twistie').first().click();
			// Its own ones; the others belong to the unfolded repository.
			await page
				.getByRole('treeitem', { name: /^Branch master/ })
				.nth(1)
				.waitFor();
			await viewsAreAtRest(page);
			await diary.and(page.locator('[aria-expanded="true"]')).waitFor();
			await collapse(page, /^Repository diary of ~alice/);
		}
	});
});
