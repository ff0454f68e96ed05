import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { chainedSuite } from '../../support/chain.ts';
import type { Dialect, SampleForge } from '../../support/sampleForge.ts';
import { eventually } from '../../support/eventually.ts';
import { testInProve } from '../../support/testInProve.ts';
import { lookAtList } from '../support/listLook.ts';
import { knowing } from '../support/sampleWindow.ts';
import {
	answer,
	chooseFromMenu,
	clickRow,
	clipboardText,
	collapse,
	editorHasKeyboard,
	editorTab,
	expand,
	goTo,
	notification,
	openOnly,
	pick,
	question,
	quickInput,
	runCommand,
	treeItem,
	viewsAreAtRest,
	webview,
} from '../support/user.ts';
import { borrowForge, giveBackForge } from '../support/sharedForge.ts';
import { useWorkbench } from '../support/workbench.ts';

/** The visible text of the active document. */
function shownText(page: Page): ReturnType<Page['locator']> {
	return page.locator('.editor-instance .view-lines');
}

export function mailingLists(dialect: Dialect): Mocha.Suite {
	return chainedSuite(`${dialect}: mailing lists`, () => {
		let forge: SampleForge;
		suiteSetup(async () => {
			forge = await borrowForge(dialect);
		});
		const workbench = useWorkbench(() => ({
			name: `lists-${dialect}`,
			viewport: { width: 1280, height: 1200 },
			env: knowing(forge, 'alice'),
		}));
		suiteTeardown(() => giveBackForge(forge));

		const seriesTitle = /^fold: nest as deep as you like, .*version 2/;

		test('own and subscribed lists appear automatically, each once', async () => {
			const { page } = workbench();
			// The palette has the view's command only when the container exists.
			await page
				.locator('.activitybar')
				.getByRole('tab', { name: /^Forge/ })
				.waitFor();
			await runCommand(page, 'Forge: Focus on Lists View');
			await treeItem(page, /^Mailing list lantern-devel of ~alice/).waitFor();
			await treeItem(page, /^Mailing list wick-devel of ~bob, subscribed/).waitFor();
			assert.equal(await page.getByRole('treeitem', { name: /^Mailing list lantern-devel/ }).count(), 1);
		});

		test('a patchset shows its status as a word, its cover letter first, and its patches in order', async () => {
			const { page } = workbench();
			await openOnly(page, 'Lists');
			await expand(page, /^Mailing list lantern-devel/);
			await treeItem(page, /^Needs my review/).waitFor();
			await chooseFromMenu(page, /^Mailing list lantern-devel/, 'Group Patchsets…');
			await pick(page, 'As one list');
			// Without groups, patchsets are one level higher.
			await page.getByRole('treeitem', { name: seriesTitle, level: 3 }).first().waitFor();
			await treeItem(page, /^Needs my review/).waitFor({ state: 'detached' });
			await expand(page, seriesTitle);
			await treeItem(page, /^Cover letter 0\/4 fold: nest/).waitFor();
			await treeItem(page, /^Patch 4\/4/).waitFor();
			// Redrawn rows are in any DOM order.
			const rows = (): Promise<readonly (string | undefined)[]> =>
				page
					.getByRole('treeitem', { name: /^(Cover letter|Patch) \d\/4/ })
					.evaluateAll((items) =>
						items
							.toSorted((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top)
							.map((item) => /\d\/4/.exec(item.getAttribute('aria-label') ?? '')?.[0]),
					);
			await eventually(rows, ['0/4', '1/4', '2/4', '3/4', '4/4']);
			await treeItem(page, /^fold: nest as deep as you like, Proposed, version 2/).waitFor();
		});

		test('a patch opens as a readable read-only document with the colours of a diff', async () => {
			const { page } = workbench();
			await clickRow(page, /^Patch 1\/4/);
			await editorTab(page, /PATCH lantern v2 1∕4/).waitFor();
			const text = shownText(page);
			await text
				.getByText(/^From:.*<.+@forge\.test>/)
				.first()
				.waitFor();
			await text
				.getByText(/^Account:.*~\w+/)
				.first()
				.waitFor();
			await page.getByRole('button', { name: 'Diff', exact: true }).waitFor();
			await page.keyboard.press('Enter');
			await editorHasKeyboard(page);
			await page.keyboard.type('x');
			await page.getByText('Editor is read-only').first().waitFor();
		});

		testInProve('sets the status of a patchset from its row, and the row shows the forge’s response', async () => {
			const { page } = workbench();
			await chooseFromMenu(page, seriesTitle, 'Set Status…');
			await pick(page, 'Approved');
			await treeItem(page, /^fold: nest as deep as you like, Approved, version 2/).waitFor();
			const { patchsets } = await lookAtList(forge, '~alice/lantern-devel');
			assert.equal(patchsets.find(({ id }) => id === 34)?.status, 'approved');
		});

		testInProve('names who may set a status to everybody else, and the row keeps the forge’s status', async () => {
			const { page } = workbench();
			await collapse(page, /^Mailing list lantern-devel/);
			await expand(page, /^Mailing list wick-devel/);
			await expand(page, /^Done/);
			await chooseFromMenu(page, /^scan: never read past the end/, 'Set Status…');
			await pick(page, 'Rejected');
			await notification(page, /only the list's owner can set it\. Ask ~bob/).waitFor();
			await treeItem(page, /^scan: never read past the end, Applied/).waitFor();
		});

		testInProve('Go to finds a patchset of a subscribed list, and its page opens', async () => {
			const { page } = workbench();
			await goTo(page, 'never read past', /scan: never read past the end.*~bob\/wick-devel/);
			await editorTab(page, /scan: never read past the end/).waitFor();
			await webview(page)
				.getByRole('heading', { name: /scan: never read past the end/ })
				.first()
				.waitFor();
		});

		testInProve('copies the link of the active page', async () => {
			const { page } = workbench();
			// A page with the keyboard keeps the clipboard to itself.
			await page.locator('.sidebar .composite.title').click();
			await runCommand(page, 'Forge: Copy Link');
			await page.getByText('Copied', { exact: true }).first().waitFor();
			const copied = await clipboardText(page);
			assert.match(copied, /\/~bob\/wick-devel\/patches\/\d+$/);
			const answered = await fetch(copied);
			assert.equal(answered.status, 200);
		});

		testInProve('follows a list by its name, subscribes, unsubscribes and unfollows', async () => {
			const { page } = workbench();
			await chooseFromMenu(page, /^Mailing list wick-devel/, 'Unsubscribe from List…');
			await treeItem(page, /^Mailing list wick-devel/).waitFor({ state: 'detached' });
			await runCommand(page, 'Forge: Follow…', 'Follow List…');
			await answer(page, '~bob/wick-devel');
			await treeItem(page, /^Mailing list wick-devel of ~bob, followed/).waitFor();
			await chooseFromMenu(page, /^Mailing list wick-devel/, 'Subscribe to List…');
			await treeItem(page, /^Mailing list wick-devel of ~bob, subscribed/).waitFor();
			await chooseFromMenu(page, /^Mailing list wick-devel/, 'Unfollow List…');
			// Its row stays, because of the subscription.
			await treeItem(page, /^Mailing list wick-devel of ~bob, subscribed/).waitFor();
		});

		testInProve('lists the mails of a thread in reading order, and opens one with the colours of mails', async () => {
			const { page } = workbench();
			await collapse(page, /^Mailing list wick-devel/);
			await expand(page, /^Mailing list lantern-users/);
			await expand(page, /^Threads/);
			await expand(page, /^Thread /);
			await chooseFromMenu(page, /^Message /, 'Open Message…');
			await shownText(page)
				.getByText(/^Subject:/)
				.first()
				.waitFor();
			await page.getByRole('button', { name: 'Mail', exact: true }).waitFor();
		});

		testInProve(
			'creates a list, edits a description of several lines, and deletes the list after its full name is typed',
			async () => {
				const { page } = workbench();
				await runCommand(page, 'Forge: Create…', 'Create List…');
				await answer(page, 'lantern-news');
				await quickInput(page)
					.getByText(/^Description in Markdown/)
					.waitFor();
				await answer(page, 'News');
				await treeItem(page, /^Mailing list lantern-news of ~alice/).waitFor();
				await chooseFromMenu(page, /^Mailing list lantern-news/, 'Edit List Description…', 'More');
				await editorTab(page, /lantern-news/).waitFor();
				await shownText(page).getByText('News').waitFor();
				await shownText(page).click();
				await page.keyboard.press('ControlOrMeta+End');
				await page.keyboard.press('Enter');
				await page.keyboard.type('on *Lantern*');
				await page.getByRole('button', { name: /Save List Description/ }).click();
				await editorTab(page, /lantern-news/).waitFor({ state: 'detached' });
				assert.equal((await lookAtList(forge, '~alice/lantern-news')).description, 'News\non *Lantern*');
				await chooseFromMenu(page, /^Mailing list lantern-news/, 'Delete List…', 'More');
				await question(page, 'Delete ~alice/lantern-news?').getByRole('button', { name: 'Continue…' }).click();
				await answer(page, '~alice/lantern-news');
				await treeItem(page, /^Mailing list lantern-news/).waitFor({ state: 'detached' });
				await assert.rejects(lookAtList(forge, '~alice/lantern-news'), /list is missing or names nothing/);
			},
		);

		testInProve('the row’s hover shows the permissions of a list', async () => {
			const { page } = workbench();
			// A row that is redrawn under the pointer loses its hover.
			await viewsAreAtRest(page);
			await treeItem(page, /^Mailing list lantern-announce/).hover();
			await page.locator('.workbench-hover').getByText('Everyone can: browse').first().waitFor();
		});
	});
}
