import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { chainedSuite } from '../../support/chain.ts';
import type { Dialect, SampleForge } from '../../support/sampleForge.ts';
import { testInProve } from '../../support/testInProve.ts';
import { fillBox, pressInBox } from '../support/boxKeys.ts';
import { knowing } from '../support/sampleWindow.ts';
import {
	answer,
	chooseFromMenu,
	editorTab,
	expand,
	openContainer,
	pick,
	question,
	quickInput,
	runCommand,
	treeItem,
	useTitleAction,
	webview,
} from '../support/user.ts';
import { borrowForge, giveBackForge } from '../support/sharedForge.ts';
import { useWorkbench } from '../support/workbench.ts';

/** High enough for all the rows that the tests need, because a tree renders only rows in view. */
const viewport = { width: 1280, height: 1300 } as const;
const title = 'The manual page contradicts the built-in help';
const other = 'The plugin walk-through has a dead link';

export function findTickets(dialect: Dialect): Mocha.Suite {
	return chainedSuite(`${dialect}: finding tickets in the workbench`, () => {
		let forge: SampleForge;
		suiteSetup(async () => {
			forge = await borrowForge(dialect);
		});
		const workbench = useWorkbench(() => ({
			name: `find-${dialect}`,
			env: knowing(forge, 'alice'),
			viewport,
		}));
		suiteTeardown(() => giveBackForge(forge));

		function input(): Locator {
			return quickInput(workbench().page).locator('input').first();
		}

		function firstRow(): Locator {
			return quickInput(workbench().page).getByRole('option').first();
		}

		test('filters a tracker’s rows by typed words, and counts the matches beforehand', async () => {
			const { page } = workbench();
			await openContainer(page, 'Forge');
			await expand(page, /^Tracker website/);
			await treeItem(page, title).waitFor();
			await chooseFromMenu(page, /^Tracker website/, 'Filter Tickets…');
			await fillBox(quickInput(workbench().page), 'dead label:documentation');
			await firstRow()
				.filter({ hasText: /3 of (the )?34 tickets/ })
				.waitFor();
			await pressInBox(quickInput(page), 'Enter');
			await treeItem(page, title).waitFor({ state: 'detached' });
			await treeItem(page, other).waitFor();
			await workbench().screenshot('filtered tracker');
			await useTitleAction(page, 'Tickets', 'Clear Ticket Filter');
			await treeItem(page, title).waitFor();
		});

		testInProve('names a wrong term during typing, and Enter fixes it', async () => {
			const { page } = workbench();
			await chooseFromMenu(page, /^Tracker website/, 'Filter Tickets…');
			await fillBox(quickInput(workbench().page), 'manual lable:documentation');
			const said = 'Unknown filter "lable:". Did you mean "label:"?';
			await quickInput(page).getByText(said).waitFor();
			await firstRow().filter({ hasText: 'Press Enter to change to: manual label:documentation' }).waitFor();
			await workbench().screenshot('wrong term');
			await pressInBox(quickInput(page), 'Enter');
			await firstRow()
				.filter({ hasText: /of (the )?34 tickets/ })
				.waitFor();
			assert.equal(await input().inputValue(), 'manual label:documentation');
			await pressInBox(quickInput(page), 'Enter');
			await treeItem(page, title).waitFor();
			await treeItem(page, other).waitFor({ state: 'detached' });
		});

		testInProve('suggests labels of the tickets, with quotes if necessary', async () => {
			const { page } = workbench();
			await chooseFromMenu(page, /^Tracker website/, 'Filter Tickets…');
			await fillBox(quickInput(workbench().page), 'label:good');
			await pick(page, /good first issue/);
			await firstRow().filter({ hasText: 'label:"good first issue"' }).waitFor();
			assert.equal(await input().inputValue(), 'label:"good first issue" ');
			await pressInBox(quickInput(page), 'Enter');
			await treeItem(page, other).waitFor();
		});

		testInProve('a saved filter is a queue over all trackers, with Edit and Delete on its row', async () => {
			const { page } = workbench();
			// Saving would use the tracker's filter, and the palette's Filter… filters immediately while the view is
			// in use.
			await useTitleAction(page, 'Tickets', 'Clear Ticket Filter');
			await useTitleAction(page, 'Tickets', 'More Actions...');
			await page.getByRole('menuitem', { name: 'Save Ticket Filter…' }).click();
			await fillBox(quickInput(workbench().page), 'status:in_progress');
			await firstRow()
				.filter({ hasText: /of (the )?\d+ tickets/ })
				.waitFor();
			await pressInBox(quickInput(page), 'Enter');
			await quickInput(page).getByText('Name of the filter').waitFor();
			await answer(page, 'Under way');
			await pick(page, /^User settings/);
			const queue = /Under way/;
			await expand(page, queue);
			await treeItem(page, /The plugin walk-through has a typo in the first example/).waitFor();
			await workbench().screenshot('queue');
			await chooseFromMenu(page, queue, 'Delete Saved Filter…');
			await question(page, 'Delete filter Under way?').getByRole('button', { name: 'Delete', exact: true }).click();
			await treeItem(page, queue).waitFor({ state: 'detached' });
		});

		testInProve('with no folder open, Go to finds words, numbers, references and addresses', async () => {
			const { page, origin } = workbench();
			await page.goto(`${origin}/?ew=true`);
			await page
				.locator('.activitybar')
				.getByRole('tab', { name: /^Forge/ })
				.click();
			await treeItem(page, /^Tracker website/).waitFor();
			for (const [typed, row] of [
				['contradicts built-in manual', /#31/],
				['31', /#31.*~alice\/website/],
				['website#31', /#31/],
				['~alice/website#31', /#31/],
				[`${forge.areas.todo}/~alice/website/31`, /Ticket ~alice\/website#31/],
			] as const) {
				await runCommand(page, 'Forge: Go to…');
				await fillBox(quickInput(workbench().page), typed);
				const first = firstRow().filter({ hasText: row });
				await first.waitFor();
				await workbench().screenshot(`go to ${typed.replace(forge.areas.todo, '')}`);
				await pressInBox(quickInput(page), 'Enter');
				await editorTab(page, /website#31|manual page/).waitFor();
				await webview(page).getByRole('heading', { name: title }).waitFor();
				await runCommand(page, 'View: Close All Editors');
				await editorTab(page, /website#31|manual page/).waitFor({ state: 'detached' });
			}
		});

		testInProve('words find trackers, lists, repositories and patchsets in one list', async () => {
			const { page } = workbench();
			for (const [typed, row] of [
				['lantern', /~alice\/lantern/],
				['nest as deep', /fold: nest as deep as you like.*~alice/],
				['bob', /Person ~bob/],
				['', /·/],
			] as const) {
				await runCommand(page, 'Forge: Go to…');
				await fillBox(quickInput(workbench().page), typed);
				await firstRow().filter({ hasText: row }).waitFor();
				await workbench().screenshot(`go to words ${typed}`);
				await pressInBox(quickInput(page), 'Escape');
			}
		});

		testInProve('Go to opens a file of a repository at its line', async () => {
			const { page } = workbench();
			const { git } = forge.areas;
			await runCommand(page, 'Forge: Go to…');
			await fillBox(quickInput(workbench().page), `${git}/~alice/lantern/tree/master/item/Makefile#L3`);
			await firstRow().filter({ hasText: 'Makefile in ~alice/lantern at master' }).waitFor();
			await pressInBox(quickInput(page), 'Enter');
			await editorTab(page, /Makefile/).waitFor();
			await page.getByText(/Ln 3, Col 1/).waitFor();
		});

		testInProve('a mail opens by its Message-ID', async () => {
			const { page } = workbench();
			await runCommand(page, 'Forge: Go to…');
			await fillBox(quickInput(workbench().page), 'cover.1793433600.git.bob@forge.test');
			await firstRow().filter({ hasText: 'Message <' }).waitFor();
			await pressInBox(quickInput(page), 'Enter');
			await editorTab(page, /fold: nest as deep as you like/).waitFor();
		});
	});
}
