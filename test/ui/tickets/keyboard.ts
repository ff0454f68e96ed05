import assert from 'node:assert/strict';
import { chainedSuite } from '../../support/chain.ts';
import type { Dialect, SampleForge } from '../../support/sampleForge.ts';
import { pressInBox } from '../support/boxKeys.ts';
import { knowing } from '../support/sampleWindow.ts';
import { keysOnly } from '../support/keysOnly.ts';
import { editorTab, openContainer, openOnly, quickInput, treeItem, useTitleAction, webview } from '../support/user.ts';
import { borrowForge, giveBackForge } from '../support/sharedForge.ts';
import { useWorkbench } from '../support/workbench.ts';

const titles = ['Ants in the pantry', 'Bees in the attic', 'Cats on the roof', 'Dogs at the door'] as const;

/** A morning of triage without a mouse. */
export function triageByKeyboard(dialect: Dialect): Mocha.Suite {
	return chainedSuite(`${dialect}: triage with the keyboard alone`, () => {
		let forge: SampleForge;
		suiteSetup(async () => {
			forge = await borrowForge(dialect);
			await forge.call('todo', 'POST', '/api/trackers', { body: { name: 'house', visibility: 'PUBLIC' } });
			await forge.act('/todo/label', { tracker: '~alice/house', name: 'urgent', background: '#aa0000' });
			for (const title of titles) {
				const body = { title, description: `About the ${title.toLowerCase()}.` };
				await forge.call('todo', 'POST', '/api/trackers/house/tickets', { body });
			}
		});
		const workbench = useWorkbench(() => ({ name: `keyboard-${dialect}`, env: knowing(forge, 'alice') }));
		const keys = keysOnly(workbench);
		const { press, chord, chordOnPage, boxIsOpen, type, run, focusedOption } = keys;
		const goDownTo = (label: RegExp): Promise<void> => keys.goDownTo('Tickets', label);
		suiteSetup(async () => {
			const { page } = workbench();
			// A window of several suites has read the trackers before this one made its own.
			await openOnly(page, 'Tickets');
			await useTitleAction(page, 'Tickets', 'Refresh');
			await openContainer(page, 'Explorer');
			await keys.watchPointers();
		});
		suiteTeardown(() => giveBackForge(forge));

		async function ticket(id: number): Promise<Awaited<ReturnType<SampleForge['call']>>> {
			return await forge.call('todo', 'GET', `/api/trackers/house/tickets/${id}`);
		}

		/** Waits for the row's label. It changes when the forge has responded. */
		async function rowSays(label: RegExp): Promise<void> {
			await treeItem(workbench().page, label).waitFor();
		}

		/** Waits until the filtered tracker accepts keys, a moment after its label changes. */
		async function opened(label: RegExp): Promise<void> {
			const { page } = workbench();
			await page.locator('.monaco-list:focus .monaco-list-row.selected.focused').and(treeItem(page, label)).waitFor();
		}

		test('opens the view, and a tracker in it', async () => {
			await run('View: Show Forge');
			// The counts appear after a background read; the tree redraws until then.
			for (const tracker of ['announce', 'house', 'lantern', 'lantern-plugins', 'website']) {
				await rowSays(new RegExp(`^Tracker ${tracker} of ~alice, \\d+\\+? open`));
			}
			await goDownTo(/^Tracker house/);
			await press('ArrowRight');
			await rowSays(new RegExp(`^${titles[0]} #1,`));
		});

		test('filters its tickets, with completion of the filter', async () => {
			const { page } = workbench();
			await goDownTo(/^Tracker house/);
			await chord('f');
			await boxIsOpen();
			await page.keyboard.type('status:op');
			await quickInput(page).getByRole('option', { name: /^open/ }).waitFor();
			await page.keyboard.type('en the');
			await focusedOption().filter({ hasText: '4' }).waitFor();
			await pressInBox(quickInput(page), 'Enter');
			await opened(/^Tracker house.*filtered: status:open the/);
		});

		test('opens a ticket from its row', async () => {
			const { page } = workbench();
			await goDownTo(new RegExp(`^${titles[3]} #4,`));
			await press('Enter');
			await editorTab(page, /^#4 /).waitFor();
			await webview(page).getByRole('heading', { name: titles[3] }).waitFor();
		});

		test('writes and sends a comment', async () => {
			const { page } = workbench();
			await chordOnPage('c');
			await webview(page).locator('textarea:focus').waitFor();
			await page.keyboard.type('Let them in.');
			await press('Control+Enter');
			await webview(page).locator('.entry .markdown').getByText('Let them in.').waitFor();
			const events = await forge.call('todo', 'GET', '/api/trackers/house/tickets/4/events');
			assert.match(events.text, /"Let them in\."/);
		});

		test('chords leave no letter in the comment box', async () => {
			const { page } = workbench();
			const box = webview(page).locator('.composer textarea');
			await press('Shift+Tab');
			await webview(page).locator('.composer textarea:not(:focus)').waitFor();
			await chordOnPage('c');
			await webview(page).locator('.composer textarea:focus').waitFor();
			await page.keyboard.type('Half a thought');
			await chordOnPage('g');
			await boxIsOpen();
			assert.equal(await box.inputValue(), 'Half a thought');
			await press('Escape');
			await quickInput(page).waitFor({ state: 'detached' });
		});

		test('resolves it with a typed resolution', async () => {
			await chordOnPage('r');
			await type('dupl', 'duplicate');
			await type('#3', titles[2]);
			await rowSays(/^Tracker house.*: status:open the · 3/);
			assert.deepEqual([(await ticket(4)).at('status'), (await ticket(4)).at('resolution')], ['resolved', 'duplicate']);
		});

		test('the next ticket is the next row, even if the current one left the filter', async () => {
			const { page } = workbench();
			await chordOnPage('n');
			await editorTab(page, /^#3 /).waitFor();
			await webview(page).getByRole('heading', { name: titles[2] }).waitFor();
			await chordOnPage('n');
			await webview(page).getByRole('heading', { name: titles[1] }).waitFor();
			await chordOnPage('p');
			await webview(page).getByRole('heading', { name: titles[2] }).waitFor();
		});

		test('sets labels', async () => {
			const { page } = workbench();
			await chordOnPage('l');
			await boxIsOpen();
			await quickInput(page).locator('.monaco-list-row').filter({ hasText: 'urgent' }).waitFor();
			await press('ArrowDown', 'Space');
			await quickInput(page).getByText('1 Selected').waitFor();
			await pressInBox(quickInput(page), 'Enter');
			await rowSays(new RegExp(`^${titles[2]} #3.*labels: urgent`));
			assert.equal((await ticket(3)).at('labels', 0), 'urgent');
		});

		test('and undoes the change', async () => {
			await chordOnPage('u');
			await rowSays(new RegExp(`^${titles[2]} #3(?!.*labels: urgent),`));
			assert.equal((await ticket(3)).at('labels', 0), undefined);
		});

		test('goes to another ticket by words, without the view', async () => {
			const { page } = workbench();
			await chordOnPage('g');
			await type('pantry', /#1/);
			await webview(page).getByRole('heading', { name: titles[0] }).waitFor();
		});

		test('copies its link', async () => {
			const { page } = workbench();
			await chordOnPage('y');
			await page.getByText('Copied', { exact: true }).first().waitFor({ state: 'attached' });
			assert.match(await page.evaluate(() => navigator.clipboard.readText()), /\/~alice\/house\/1$/);
		});

		test('marks it as unread, and as read again', async () => {
			await chordOnPage('Shift+M');
			await rowSays(new RegExp(`^${titles[0]} #1, changed,`));
			await chordOnPage('m');
			await rowSays(new RegExp(`^${titles[0]} #1, (?!changed)`));
		});

		test('reopens the resolved ticket', async () => {
			const { page } = workbench();
			await chordOnPage('g');
			await type('~alice/house#4', /#4/);
			await webview(page).getByRole('heading', { name: titles[3] }).waitFor();
			await chordOnPage('s');
			await type('report', /^Reported/);
			// The row kept its place when the ticket was resolved.
			await rowSays(new RegExp(`^${titles[3]} #4,.* Reported, `));
			assert.equal((await ticket(4)).at('status'), 'reported');
		});

		test('a row’s label matches its icon and colours', async () => {
			const { page } = workbench();
			const row = treeItem(page, new RegExp(`^${titles[3]} #4,`));
			assert.match((await row.getAttribute('aria-label')) ?? '', /, Reported, updated /);
			const picture = row.locator('.custom-view-tree-node-item-icon.codicon-issues');
			await picture.waitFor();
			const [shown, meant] = await picture.evaluate((icon) => {
				const probe = icon.ownerDocument.createElement('span');
				probe.style.color = 'var(--vscode-charts-green)';
				icon.ownerDocument.querySelector('.monaco-workbench')?.append(probe);
				const colors = [icon, probe].map((each) => getComputedStyle(each).color);
				probe.remove();
				return colors;
			});
			assert.equal(shown, meant);
		});

		test('clears the filter', async () => {
			await goDownTo(/^Tracker house/);
			await run('Forge: Filter…', 'Clear Ticket Filter');
			await rowSays(/^Tracker house of ~alice, 4\+? open/);
			await workbench().screenshot('end');
		});

		test('no pointer was in use', () => keys.assertNoPointer());
	});
}
