import type { Locator } from 'playwright-core';
import { chainedSuite } from '../support/chain.ts';
import { eventually } from '../support/eventually.ts';
import { startSampleForge, type SampleForge } from '../support/sampleForge.ts';
import { testInProve } from '../support/testInProve.ts';
import { isWatched } from './support/keptInbox.ts';
import { keysOnly } from './support/keysOnly.ts';
import { waysIn } from './support/sharedForge.ts';
import { signInWithToken } from './support/sampleWindow.ts';
import { editorTab, gitIsThere, openContainer, quickInput, treeItem, viewSection, webview } from './support/user.ts';
import { useWorkbench } from './support/workbench.ts';

for (const dialect of waysIn('field')) {
	chainedSuite(`${dialect}: inbox of an idle window`, () => {
		let forge: SampleForge;
		suiteSetup(async () => {
			forge = await startSampleForge({ dialect });
			await forge.act('/todo/tracker', { name: 'workshop' });
			await forge.act('/todo/ticket', {
				tracker: '~alice/workshop',
				title: 'The lamp smokes',
				description: 'In the wind.',
			});
		});
		const workbench = useWorkbench(() => ({
			name: `inbox-at-start-${dialect}`,
			// A regular forge, because the extension stores nothing for the sample forge.
			settings: { 'forge.forges': [{ name: 'Lantern Forge', areas: forge.areas, signIn: { kind: 'tokenOnly' } }] },
		}));
		const keys = keysOnly(workbench);
		const { press, chord, run } = keys;
		suiteTeardown(() => forge.stop());

		/** The status bar item with the number of unread entries. */
		function bell(): Locator {
			return workbench().page.locator('.statusbar-item[id*="forge.inbox"]');
		}

		const goToEntry = (): Promise<void> => keys.goDownTo('Inbox', / · The lamp smokes/);

		testInProve('fills after the start, without any use of the extension', async () => {
			const { page } = workbench();
			await openContainer(page, 'Forge');
			await signInWithToken(page, forge.tokens.alice);
			await treeItem(page, /workshop/).waitFor();
			await eventually(async () => isWatched(workbench().dataFolder, 'tracker ~alice/workshop'), true);
			// The restored window shows no view of the extension.
			await openContainer(page, 'Explorer');
			await forge.act('/todo/comment', { ticket: '~alice/workshop#1', by: 'bob', text: 'It smokes here too.' });
			await keys.watchPointers();
			await page.reload();
			// The palette doesn't wait for the commands of extensions, and adds none after it opens.
			await gitIsThere(page);
			await bell().filter({ hasText: '1' }).waitFor();
		});

		testInProve('opens entries with the keyboard alone', async () => {
			const { page } = workbench();
			await goToEntry();
			await viewSection(page, 'Inbox')
				.getByText(/updated/i)
				.first()
				.waitFor();
			await page
				.locator('.activitybar .badge[aria-label*="1 unread entry in your inbox"]')
				.filter({ hasText: /^1$/ })
				.waitFor();
			await press('Enter');
			await editorTab(page, /The lamp smokes/).waitFor();
			await webview(page).getByText('It smokes here too.').first().waitFor();
			await bell().filter({ hasNotText: /\d/ }).waitFor();
		});

		testInProve('marks entries with the keyboard', async () => {
			const { page } = workbench();
			await goToEntry();
			await chord('Shift+m');
			await bell().filter({ hasText: '1' }).waitFor();
			await chord('m');
			await bell().filter({ hasNotText: /\d/ }).waitFor();
			await chord('e');
			await viewSection(page, 'Inbox')
				.getByRole('treeitem', { name: / · The lamp smokes/ })
				.waitFor({ state: 'detached' });
		});

		testInProve('mutes an object with the keyboard, on its page', async () => {
			const { page } = workbench();
			await run('Forge: Watch…');
			await quickInput(page).getByText('Choose what of "~alice/workshop#1" comes to your inbox').waitFor();
			await keys.type('Nothing', /^Nothing/);
			await page.locator('.statusbar').getByText('Muted "~alice/workshop#1"').waitFor();
		});

		testInProve('no pointer was in use', () => keys.assertNoPointer());
	});
}
