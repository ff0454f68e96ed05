import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { chainedSuite } from '../support/chain.ts';
import type { SampleForge } from '../support/sampleForge.ts';
import { eventually } from '../support/eventually.ts';
import { testInProve } from '../support/testInProve.ts';
import { pressInBox } from './support/boxKeys.ts';
import { knowing } from './support/sampleWindow.ts';
import {
	clickRow,
	expand,
	notification,
	openContainer,
	pick,
	quickInput,
	runCommand,
	treeItem,
	viewsAreAtRest,
	webview,
} from './support/user.ts';
import { borrowForge, giveBackForge, waysIn } from './support/sharedForge.ts';
import { changedTickets, changeOfTicket, refusedChange, ticketState } from './support/ticketChanges.ts';
import { useWorkbench } from './support/workbench.ts';

/** Tickets of a tracker of their own, so that each test knows what stands where. */
const titles = ['Ant', 'Bee', 'Cat', 'Dog', 'Elk', 'Fox', 'Gnu', 'Hen', 'Ibis', 'Jay'] as const;

for (const dialect of waysIn('document')) {
	chainedSuite(`${dialect}: triage by keyboard`, () => {
		let forge: SampleForge;
		suiteSetup(async () => {
			forge = await borrowForge(dialect);
			await forge.act('/todo/tracker', { name: 'herd' });
			for (const name of ['mammal', 'bird']) {
				await forge.act('/todo/label', { tracker: '~alice/herd', name, background: '#00aa00' });
			}
			for (const title of titles) {
				await forge.act('/todo/ticket', { tracker: '~alice/herd', title: `${title} in the herd` });
			}
		});
		const workbench = useWorkbench(() => ({
			name: `triage-${dialect}`,
			env: knowing(forge, 'alice'),
			viewport: { width: 1280, height: 1500 },
		}));
		teardown(() => forge.clearFaults());
		suiteTeardown(() => giveBackForge(forge));

		const row = (page: Page, title: (typeof titles)[number]): Locator =>
			treeItem(page, new RegExp(`${title} in the herd`));

		/** Selects rows and opens none: a page that opens takes the focus, sooner or later. */
		async function select(page: Page, ...wanted: readonly (typeof titles)[number][]): Promise<void> {
			await quickInput(page).waitFor({ state: 'hidden' });
			await focusTree(page);
			await page.keyboard.press('Escape');
			await selectedRows(page).first().waitFor({ state: 'detached' });
			await viewsAreAtRest(page);
			for (const title of wanted) {
				await row(page, title).click({ modifiers: ['ControlOrMeta'] });
			}
			await areSelected(page, wanted.length);
		}

		function selectedRows(page: Page): Locator {
			return page.locator('.sidebar [role=treeitem][aria-selected=true]');
		}

		async function areSelected(page: Page, count: number): Promise<void> {
			await eventually(() => selectedRows(page).count(), count);
		}

		async function focusTree(page: Page): Promise<void> {
			await page.locator('.sidebar [role=tree]').first().focus();
		}

		/** The two keys of a chord in the view. While its rows change nobody can tell which of them a key means. */
		async function chord(page: Page, key: string): Promise<void> {
			await viewsAreAtRest(page);
			await page.keyboard.press('Alt+j');
			await page.keyboard.press(key);
		}

		async function stateOf(title: (typeof titles)[number]): Promise<string> {
			const { status, labels } = await ticketState(forge, `~alice/herd#${titles.indexOf(title) + 1}`);
			return [status, ...['mammal', 'bird'].slice(0, labels)].join(' ');
		}

		testInProve('several rows are resolved with one answer, and one key takes all of it back', async () => {
			const { page } = workbench();
			await openContainer(page, 'Forge');
			// Counted once the tickets were read in the background; the tree is drawn anew until then.
			for (const tracker of ['announce', 'herd', 'lantern', 'lantern-plugins', 'website']) {
				await treeItem(page, new RegExp(`^Tracker ${tracker} of ~alice, \\d+\\+? open`)).waitFor();
			}
			await expand(page, /herd/);
			// The first click opens the ticket's page; the focus comes back with the next one.
			await clickRow(page, /Ant in the herd/);
			await webview(page).getByRole('heading', { name: 'Ant in the herd' }).waitFor();
			await viewsAreAtRest(page);
			await row(page, 'Bee').click({ modifiers: ['ControlOrMeta'] });
			await row(page, 'Cat').click({ modifiers: ['ControlOrMeta'] });
			await areSelected(page, 3);
			await chord(page, 'r');
			await pick(page, 'fixed');
			await notification(page, 'Resolved 3 tickets as fixed.').waitFor();
			assert.deepEqual(await Promise.all([stateOf('Ant'), stateOf('Bee'), stateOf('Cat')]), Array(3).fill('resolved'));
			await row(page, 'Bee')
				.and(page.getByRole('treeitem', { name: /resolved/i }))
				.waitFor();
			// What was selected is selected for the next step, too, and is to be seen so: the forge's answers redraw the rows.
			await viewsAreAtRest(page);
			await areSelected(page, 3);
			await focusTree(page);
			await chord(page, 'u');
			await notification(page, 'Undid status changes on 3 tickets.').waitFor();
			assert.deepEqual(await Promise.all([stateOf('Ant'), stateOf('Bee'), stateOf('Cat')]), Array(3).fill('reported'));
		});

		testInProve('labels are ticked for several rows at once, and taken back', async () => {
			const { page } = workbench();
			// The editor shows three notices at once, and of a fourth only the bell tells.
			await runCommand(page, 'Notifications: Clear All Notifications');
			await select(page, 'Ant', 'Bee');
			await chord(page, 'l');
			await quickInput(page).locator('input:focus').first().waitFor();
			await quickInput(page).getByText('mammal').waitFor();
			await page.keyboard.type('mammal');
			await page.keyboard.press('ArrowDown');
			await page.keyboard.press('Space');
			await quickInput(page).getByText('1 Selected').waitFor();
			await workbench().screenshot('labels');
			await pressInBox(quickInput(page), 'Enter');
			await notification(page, 'Changed labels on 2 tickets.').waitFor();
			assert.deepEqual(await Promise.all([stateOf('Ant'), stateOf('Bee')]), Array(2).fill('reported mammal'));
			await focusTree(page);
			await chord(page, 'u');
			await notification(page, 'Undid label changes on 2 tickets.').waitFor();
			await webview(page).getByText('removed the label').waitFor();
			assert.equal(await stateOf('Bee'), 'reported');
		});

		testInProve('a refused ticket is listed with the reason, and the others are done', async () => {
			const { page } = workbench();
			await forge.fault(changeOfTicket(forge, 2), refusedChange(forge));
			await select(page, 'Ant', 'Bee', 'Cat');
			await chord(page, 'r');
			await pick(page, 'fixed');
			await quickInput(page).getByText('Resolved 2 of 3 tickets as fixed.').waitFor();
			await quickInput(page)
				.getByRole('option', { name: /#2 Bee.*Only some people can change the status/ })
				.waitFor();
			await workbench().screenshot('outcomes');
			await pick(page, 'Undo What Was Done');
			await notification(page, 'Undid status changes on 2 tickets.').waitFor();
			assert.deepEqual(await Promise.all([stateOf('Ant'), stateOf('Bee'), stateOf('Cat')]), Array(3).fill('reported'));
		});

		testInProve(
			'a connection that breaks is looked after: what arrived is not sent again, what did not is offered',
			async () => {
				const { page } = workbench();
				await forge.forgetRequests();
				await forge.fault(changeOfTicket(forge, 1), { kind: 'reset', at: 'applied' });
				await forge.fault(changeOfTicket(forge, 2), { kind: 'reset', at: 'headers' });
				await select(page, 'Ant', 'Bee');
				await chord(page, 'r');
				await pick(page, 'fixed');
				await quickInput(page)
					.getByRole('option', { name: /#1 Ant.*the change was made/ })
					.waitFor();
				await pick(page, 'Try the Missing Ones Again');
				await row(page, 'Bee')
					.and(page.getByRole('treeitem', { name: /resolved/i }))
					.waitFor();
				const sent = await changedTickets(forge);
				assert.deepEqual(
					sent.toSorted((one, other) => one - other),
					[1, 2, 2],
				);
			},
		);

		testInProve('cancelled midway, what was begun is finished and the rest is not tried', async () => {
			const { page } = workbench();
			await select(page, 'Cat', 'Dog', 'Elk', 'Fox', 'Gnu', 'Hen', 'Ibis', 'Jay');
			await forge.forgetRequests();
			await chord(page, 'r');
			await quickInput(page).getByRole('option', { name: 'invalid' }).waitFor();
			// The forge stands still until the extension knows of the cancelling, however long that takes.
			forge.process.kill('SIGSTOP');
			try {
				await pick(page, 'invalid');
				await notification(page, 'Resolving as invalid').getByRole('button', { name: 'Cancel' }).click();
				// What is done in a window reaches the extension in the same order.
				await runCommand(page, 'Forge: Help…');
				await quickInput(page).getByRole('option', { name: 'Keyboard Shortcuts' }).waitFor();
				await page.keyboard.press('Escape');
			} finally {
				forge.process.kill('SIGCONT');
			}
			await quickInput(page).getByText('Resolved 1 of 8 tickets as invalid.').waitFor();
			assert.equal((await changedTickets(forge)).length, 1);
			await page.keyboard.press('Escape');
		});

		testInProve('a status that the forge refuses is learnt, and stands behind the others from then on', async () => {
			const { page } = workbench();
			await select(page, 'Jay');
			await chord(page, 's');
			await pick(page, 'Confirmed');
			if (dialect !== 'field') {
				await treeItem(page, /Jay in the herd.*confirmed/i).waitFor();
				assert.equal(await stateOf('Jay'), 'confirmed');
				return;
			}
			await notification(page, 'This forge can only resolve or reopen tickets.').waitFor();
			await focusTree(page);
			await chord(page, 's');
			await quickInput(page)
				.getByRole('option', { name: /Other Statuses….*can only resolve or reopen/ })
				.waitFor();
			await workbench().screenshot('statuses');
			await page.keyboard.press('Escape');
			assert.equal(await stateOf('Jay'), 'reported');
		});

		testInProve("the editor's own page lists the keys", async () => {
			const { page } = workbench();
			await focusTree(page);
			await chord(page, 'h');
			// In front of the editors, without a tab; only rows in view are on the page.
			await page.locator('.keybindings-editor').getByText('Forge: Assign Ticket…').first().waitFor();
		});
	});
}
