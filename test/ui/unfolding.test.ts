import { testInProve } from '../support/testInProve.ts';
import type { SampleForge } from '../support/sampleForge.ts';
import { knowing } from './support/sampleWindow.ts';
import { borrowForge, giveBackForge } from './support/sharedForge.ts';
import { collapse, expand, openOnly, treeItem, useTitleAction, viewsAreAtRest } from './support/user.ts';
import { useWorkbench } from './support/workbench.ts';

/** Pictures that pass between the wish for news and the unfolding: the view is drawn anew within these on a slow machine. */
const mostPictures = 40;

suite('a row that is unfolded while its view is drawn anew', () => {
	let forge: SampleForge;
	suiteSetup(async () => {
		forge = await borrowForge('field');
	});
	const workbench = useWorkbench(() => ({
		name: 'unfolding',
		env: knowing(forge, 'alice'),
		// Rows that are out of sight are not there for a test.
		viewport: { width: 1280, height: 1100 },
	}));
	suiteTeardown(() => giveBackForge(forge));

	testInProve('stays unfolded with what is below it, in whichever moment', async function () {
		this.timeout(0);
		const { page } = workbench();
		await openOnly(page, 'Repositories');
		// What is unfolded below is asked for row by row, which is the time in which another row folds again.
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
			// Its own ones; the others are those of the unfolded repository.
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
