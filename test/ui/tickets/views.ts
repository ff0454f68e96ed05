import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { SampleForge } from '../../support/sampleForge.ts';
import { eventually } from '../../support/eventually.ts';
import { inRest } from '../../support/parts.ts';
import { testInProve } from '../../support/testInProve.ts';
import { knowing } from '../support/sampleWindow.ts';
import {
	clickRow,
	clipboardText,
	editorTab,
	expand,
	openContainer,
	pick,
	quickInput,
	runCommand,
	treeItem,
	useTitleAction,
	viewsAreAtRest,
	viewSection,
	webview,
} from '../support/user.ts';
import { borrowForge, giveBackForge } from '../support/sharedForge.ts';
import { useWorkbench } from '../support/workbench.ts';

/** High enough for all the rows that the tests need, because a tree renders only rows in view. */
const viewport = { width: 1280, height: 1200 } as const;
const ticketTitle = 'The manual page contradicts the built-in help';

/** Views with a slow or failing forge, and the target of commands while a page is active. */
export function slowAndFailingViews(): Mocha.Suite {
	return suite('views and pages in the workbench', () => {
		let forge: SampleForge;
		suiteSetup(async () => {
			forge = await borrowForge('field');
		});
		const workbench = useWorkbench(() => ({ name: 'views', env: knowing(forge, 'alice'), viewport }));
		suiteSetup(async () => {
			const { page } = workbench();
			await openContainer(page, 'Forge');
			// When all counts are present, no background read can disturb the test.
			for (const tracker of ['announce', 'lantern', 'lantern-plugins', 'website']) {
				await treeItem(page, new RegExp(`^Tracker ${tracker} of ~alice, \\d+ open of \\d+`)).waitFor();
			}
		});
		suiteTeardown(() => giveBackForge(forge));
		teardown(() => forge.clearFaults());

		function tickets(): Locator {
			return viewSection(workbench().page, 'Tickets');
		}

		async function requestsForTrackers(): Promise<number> {
			return (await forge.requests()).filter(({ area, path }) => area === 'todo' && path === '/api/trackers').length;
		}

		testInProve('a refresh reads everything, also with a row in focus', async () => {
			const { page } = workbench();
			await expand(page, /Tracker website/);
			await treeItem(page, new RegExp(ticketTitle)).waitFor();
			await viewsAreAtRest(page);
			await runCommand(page, 'Forge: Focus on Tickets View');
			await tickets().locator('.monaco-list:focus').waitFor();
			await page.keyboard.press('Home'); // The row of another tracker, and a closed one.
			await tickets().locator('.monaco-list-row.focused[data-index="0"]').waitFor();
			const body = { title: 'Written elsewhere meanwhile', description: '' };
			assert.equal((await forge.call('todo', 'POST', '/api/trackers/website/tickets', { body })).status, 201);
			await useTitleAction(page, 'Tickets', 'Refresh');
			await treeItem(page, /^Written elsewhere meanwhile #\d+,/).waitFor();
		});

		testInProve('shows a failure with its reason and a retry, and keeps all rows', async () => {
			const { page } = workbench();
			await forge.fault({ area: 'todo' }, { kind: 'status', status: 500 }, 100);
			await useTitleAction(page, 'Tickets', 'Refresh');
			const notice = treeItem(
				page,
				/^The forge failed – showing data from .*The forge failed with HTTP status 500.*Try Again$/,
			);
			await notice.waitFor();
			await treeItem(page, /Tracker website/).waitFor();
			await forge.clearFaults();
			await viewsAreAtRest(page);
			await notice.click();
			await notice.waitFor({ state: 'detached' });
			await treeItem(page, /Tracker website/).waitFor();
		});

		test('cancelling a slow load ends it immediately, without an automatic retry', async () => {
			const { page } = workbench();
			await forge.fault({ area: 'todo' }, { kind: 'hang' }, 100);
			await forge.forgetRequests();
			await useTitleAction(page, 'Tickets', 'Refresh');
			// The view shows its progress a moment before it sends the request.
			await eventually(requestsForTrackers, 1);
			await useTitleAction(page, 'Tickets', 'Cancel Loading');
			const notice = treeItem(page, /^Cancelled – showing earlier data/);
			await notice.waitFor();
			await forge.clearFaults();
			await viewsAreAtRest(page);
			await notice.click();
			await notice.waitFor({ state: 'detached' });
			await treeItem(page, /Tracker website/).waitFor();
			// The cancelled one, and the manual retry.
			assert.equal(await requestsForTrackers(), 2);
		});

		inRest(
			test('a command from the palette applies to the ticket of the active page', async () => {
				const { page } = workbench();
				await expand(page, /Tracker website/);
				await clickRow(page, new RegExp(ticketTitle));
				await editorTab(page, /manual page/).waitFor();
				await webview(page).getByRole('heading', { name: ticketTitle }).waitFor();
				await runCommand(page, 'Forge: Copy Link');
				await page.getByText('Copied', { exact: true }).first().waitFor();
				assert.equal(await clipboardText(page), `${forge.areas.todo}/~alice/website/31`);
				await runCommand(page, 'Forge: Resolve Ticket…');
				await quickInput(page)
					.getByText(/^Resolve .* as$/)
					.first()
					.waitFor();
				await pick(page, 'by design');
				await treeItem(page, new RegExp(`${ticketTitle}.*by design`, 'i')).waitFor();
				const after = await forge.call('todo', 'GET', '/api/trackers/website/tickets/31');
				assert.deepEqual([after.at('status'), after.at('resolution')], ['resolved', 'by_design']);
			}),
		);
	});
}
