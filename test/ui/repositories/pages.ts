import assert from 'node:assert/strict';
import { chainedSuite } from '../../support/chain.ts';
import type { Dialect, SampleForge } from '../../support/sampleForge.ts';
import { openFilesAreKept } from '../support/keptEditors.ts';
import { knowing } from '../support/sampleWindow.ts';
import { editorTab, gitIsThere, goTo, openContainer, treeItem, webview } from '../support/user.ts';
import { signatureIn } from './signatureIn.ts';
import { borrowForge, giveBackForge } from '../support/sharedForge.ts';
import { useWorkbench } from '../support/workbench.ts';

/** Repositories and commits in the real editor. */
export function repositoryPages(dialect: Dialect): Mocha.Suite {
	return chainedSuite(`${dialect}: repository pages in the editor`, () => {
		let forge: SampleForge;
		suiteSetup(async () => {
			forge = await borrowForge(dialect);
		});
		const workbench = useWorkbench(() => ({
			name: `repository-pages-${dialect}`,
			env: knowing(forge, 'alice'),
			viewport: { width: 1280, height: 1000 },
		}));
		suiteTeardown(() => giveBackForge(forge));

		test('a repository opens at its start page, with the picture of its README', async () => {
			const { page } = workbench();
			await openContainer(page, 'Forge');
			await treeItem(page, /^Repository lantern of ~alice/).waitFor();
			await goTo(page, 'lantern', /Repository ~alice\/lantern\b(?!-)/);
			await editorTab(page, 'lantern').waitFor();
			const start = webview(page);
			await start.getByRole('heading', { name: 'lantern', exact: true }).waitFor();
			const picture = start.getByRole('img', { name: 'A lantern' });
			await picture.waitFor();
			assert.ok((await picture.evaluate((img: HTMLImageElement) => img.decode().then(() => img.naturalWidth))) > 1);
			await start.getByText(/^git@.*:~alice\/lantern$/).waitFor();
			await workbench().screenshot('start');
		});

		test('a commit opens from it, and a reload restores both pages', async () => {
			const { page } = workbench();
			await webview(page)
				.getByRole('button', { name: /^Merge branch 'topic\/fold'/ })
				.click();
			await editorTab(page, 'Commit 5f2ca10').waitFor();
			await webview(page).getByText(signatureIn(dialect)).waitFor();
			await webview(page).locator('.files li').first().waitFor();
			await workbench().screenshot('commit');
			await openFilesAreKept(page, '"title":"Commit 5f2ca10"', 'connectionKey');
			await page.reload();
			await gitIsThere(page);
			await webview(page).getByText(signatureIn(dialect)).waitFor();
			await webview(page).locator('.files li').first().waitFor();
			await editorTab(page, 'lantern').click();
			await webview(page).getByRole('heading', { name: 'lantern', exact: true }).waitFor();
			await webview(page).getByRole('img', { name: 'A lantern' }).waitFor();
		});
	});
}
