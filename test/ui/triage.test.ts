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

/** Tickets of a separate tracker, so that each test knows their order. */
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

		/** Selects rows and opens none, because an opening page takes the focus at some time. */
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

		/** The two keys of a chord in the view. While its rows change, the target of a key is undefined. */
		async function chord(page: Page, key: string): Promise<void> {
			await viewsAreAtRest(page);
			await page.keyboard.press('Alt+j');
			await page.keyboard.press(key);
		}

		async function stateOf(title: (typeof titles)[number]): Promise<string> {
			const { status, labels } = await ticketState(forge, `~alice/herd#${titles.indexOf(title) + 1}`);
			return [status, ...['mammal', 'bird'].slice(0, labels)].join(' ');
		}

		testInProve('resolves several rows in one step, and undoes all with one key', async () => {
			const { page } = workbench();
			await openContainer(page, 'Forge');
			// The counts appear after a background read; the tree redraws until then.
			for (const tracker of ['announce', 'herd', 'lantern', 'lantern-plugins', 'website']) {
				await treeItem(page, new RegExp(`^Tracker ${tracker} of ~alice, \\d+\\+? open`)).waitFor();
			}
			await expand(page, /herd/);
			// The first click opens the ticket's page; the next one returns the focus.
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
			// The selection remains for the next step, and must be visible: the forge's responses redraw the rows.
			await viewsAreAtRest(page);
			await areSelected(page, 3);
			await focusTree(page);
			await chord(page, 'u');
			await notification(page, 'Undid status changes on 3 tickets.').waitFor();
			assert.deepEqual(await Promise.all([stateOf('Ant'), stateOf('Bee'), stateOf('Cat')]), Array(3).fill('reported'));
		});

		testInProve('sets labels of several rows at once, and undoes it', async () => {
			const { page } = workbench();
			// The editor shows at most three notices; a fourth only marks the bell.
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

		testInProve('lists a rejected ticket with the reason, and changes the others', async () => {
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
			'looks up changes after a broken connection, skips the arrived ones, and offers to resend the others',
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

		testInProve('cancelling midway completes the running change and skips the rest', async () => {
			const { page } = workbench();
			await select(page, 'Cat', 'Dog', 'Elk', 'Fox', 'Gnu', 'Hen', 'Ibis', 'Jay');
			await forge.forgetRequests();
			await chord(page, 'r');
			await quickInput(page).getByRole('option', { name: 'invalid' }).waitFor();
			// The forge pauses until the extension knows about the cancel, at any speed.
			forge.process.kill('SIGSTOP');
			try {
				await pick(page, 'invalid');
				await notification(page, 'Resolving as invalid').getByRole('button', { name: 'Cancel' }).click();
				// Actions in a window reach the extension in the same order.
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

		testInProve('learns a status that the forge rejects, and lists it last from then on', async () => {
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

		testInProve('the editor’s own page lists the keys', async () => {
			const { page } = workbench();
			await focusTree(page);
			await chord(page, 'h');
			// In front of the editors, without a tab; only rows in view are in the DOM.
			await page.locator('.keybindings-editor').getByText('Forge: Assign Ticket…').first().waitFor();
		});
	});
}
