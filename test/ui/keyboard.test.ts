import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { chainedSuite } from '../support/chain.ts';
import type { SampleForge } from '../support/sampleForge.ts';
import { knowing } from './support/sampleWindow.ts';
import {
	editorTab,
	gitIsThere,
	openPalette,
	pageHasKeyboard,
	quickInput,
	treeItem,
	viewSection,
	webview,
} from './support/user.ts';
import { borrowForge, dialectsOf, giveBackForge } from './support/sharedForge.ts';
import { useWorkbench } from './support/workbench.ts';

declare global {
	interface Window {
		/** Given to the editor by the test. */
		pointerUsed?: (what: string) => void;
	}
}

const titles = ['Ants in the pantry', 'Bees in the attic', 'Cats on the roof', 'Dogs at the door'] as const;

for (const dialect of dialectsOf('field')) {
	/** A morning of triage without a mouse; each test stands on the one before. */
	chainedSuite(`${dialect}: triage with the keyboard alone`, () => {
		let forge: SampleForge;
		const pointers: string[] = [];
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
		suiteSetup(async () => {
			const { page } = workbench();
			await page.exposeFunction('pointerUsed', (what: string) => void pointers.push(what));
			await page.addInitScript(() => {
				// A click of Enter on a button comes without a pointer, and is none.
				for (const kind of ['mousedown', 'pointerdown', 'wheel', 'touchstart']) {
					addEventListener(kind, ({ isTrusted }) => isTrusted && window.pointerUsed?.(kind), { capture: true });
				}
			});
			await page.reload();
			// The palette does not wait long for the commands of extensions, and lists no more of them once it is open.
			await gitIsThere(page);
		});
		suiteTeardown(() => giveBackForge(forge));

		async function press(...keys: readonly string[]): Promise<void> {
			for (const key of keys) {
				await workbench().page.keyboard.press(key);
			}
		}

		/** The two keys of a chord of ours. */
		function chord(key: string): Promise<void> {
			return press('Alt+j', key);
		}

		/** The same on the page in front. */
		async function chordOnPage(key: string): Promise<void> {
			await pageHasKeyboard(workbench().page);
			await chord(key);
		}

		/** Keys that are pressed before the box has the focus go elsewhere. */
		async function boxIsOpen(): Promise<void> {
			await quickInput(workbench().page).locator('input:focus').first().waitFor();
		}

		/** Types into the box that is open, and takes what then stands first. */
		async function type(text: string, first: string | RegExp): Promise<void> {
			const { page } = workbench();
			await boxIsOpen();
			await page.keyboard.type(text);
			await focusedOption(page).filter({ hasText: first }).waitFor();
			await press('Enter');
		}

		async function run(title: string): Promise<void> {
			await openPalette(workbench().page);
			await type(title, title);
		}

		function focusedOption(page: Page): Locator {
			return quickInput(page).locator('.monaco-list-row.focused');
		}

		/** Goes down the tickets view until a row with this label has the focus. */
		async function goDownTo(label: RegExp): Promise<void> {
			const { page } = workbench();
			await run('Forge: Focus on Tickets View');
			await viewSection(page, 'Tickets').locator('.monaco-list:focus').waitFor();
			await press('Home');
			const focused = viewSection(page, 'Tickets').locator('.monaco-list-row.focused');
			for (let step = 0; step < 40; step++) {
				if (label.test((await focused.getAttribute('aria-label')) ?? '')) {
					return;
				}
				await press('ArrowDown');
			}
			assert.fail(`There is no row ${label}`);
		}

		async function ticket(id: number): Promise<Awaited<ReturnType<SampleForge['call']>>> {
			return await forge.call('todo', 'GET', `/api/trackers/house/tickets/${id}`);
		}

		/** Waits until a row says so, which it does once the forge has answered. */
		async function rowSays(label: RegExp): Promise<void> {
			await treeItem(workbench().page, label).waitFor();
		}

		/** Waits until what was just filtered took the keys, which it does a moment after its row says so. */
		async function opened(label: RegExp): Promise<void> {
			const { page } = workbench();
			await page.locator('.monaco-list:focus .monaco-list-row.selected.focused').and(treeItem(page, label)).waitFor();
		}

		test('the view is opened, and a tracker in it', async () => {
			await run('View: Show Forge');
			// Counted once the tickets were read in the background; the tree is drawn anew until then.
			for (const tracker of ['announce', 'house', 'lantern', 'lantern-plugins', 'website']) {
				await rowSays(new RegExp(`^Tracker ${tracker} of ~alice, \\d+\\+? open`));
			}
			await goDownTo(/^Tracker house/);
			await press('ArrowRight');
			await rowSays(new RegExp(`^${titles[0]}.*ticket 1,`));
		});

		test('its tickets are filtered, with the filter completed on the way', async () => {
			const { page } = workbench();
			await goDownTo(/^Tracker house/);
			await chord('f');
			await boxIsOpen();
			await page.keyboard.type('status:op');
			await quickInput(page).getByRole('option', { name: /^open/ }).waitFor();
			await page.keyboard.type('en the');
			await focusedOption(page).filter({ hasText: '4' }).waitFor();
			await press('Enter');
			await opened(/^Tracker house.*filtered: status:open the/);
		});

		test('a ticket is opened from its row', async () => {
			const { page } = workbench();
			await goDownTo(new RegExp(`^${titles[3]}.*ticket 4,`));
			await press('Enter');
			await editorTab(page, /^#4 /).waitFor();
			await webview(page).getByRole('heading', { name: titles[3] }).waitFor();
		});

		test('a comment is written and sent', async () => {
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
			await chordOnPage('h');
			await boxIsOpen();
			assert.equal(await box.inputValue(), 'Half a thought');
			await press('Escape');
			await quickInput(page).waitFor({ state: 'detached' });
		});

		test('it is resolved with a resolution that is typed', async () => {
			await chordOnPage('r');
			await type('dupl', 'duplicate');
			await rowSays(/^Tracker house.*: status:open the · 3/);
			assert.deepEqual([(await ticket(4)).at('status'), (await ticket(4)).at('resolution')], ['resolved', 'duplicate']);
		});

		test('the next ticket is the next row, also from a ticket that left the filter', async () => {
			const { page } = workbench();
			await chordOnPage('n');
			await editorTab(page, /^#3 /).waitFor();
			await webview(page).getByRole('heading', { name: titles[2] }).waitFor();
			await chordOnPage('n');
			await webview(page).getByRole('heading', { name: titles[1] }).waitFor();
			await chordOnPage('p');
			await webview(page).getByRole('heading', { name: titles[2] }).waitFor();
		});

		test('labels are ticked', async () => {
			const { page } = workbench();
			await chordOnPage('l');
			await boxIsOpen();
			await quickInput(page).locator('.monaco-list-row').filter({ hasText: 'urgent' }).waitFor();
			await press('ArrowDown', 'Space');
			await quickInput(page).getByText('1 Selected').waitFor();
			await press('Enter');
			await rowSays(new RegExp(`^${titles[2]}.*labels: urgent`));
			assert.equal((await ticket(3)).at('labels', 0), 'urgent');
		});

		test('and taken back', async () => {
			await chordOnPage('u');
			await rowSays(new RegExp(`^${titles[2]}(?!.*labels: urgent).*ticket 3,`));
			assert.equal((await ticket(3)).at('labels', 0), undefined);
		});

		test('another ticket is gone to by its words, without the view', async () => {
			const { page } = workbench();
			await chordOnPage('g');
			await type('pantry', /#1/);
			await webview(page).getByRole('heading', { name: titles[0] }).waitFor();
		});

		test('its reference is copied', async () => {
			const { page } = workbench();
			await chordOnPage('y');
			await page.getByText('Copied', { exact: true }).first().waitFor({ state: 'attached' });
			assert.equal(await page.evaluate(() => navigator.clipboard.readText()), '~alice/house#1');
		});

		test('it is marked as unread, and as read again', async () => {
			await chordOnPage('Shift+M');
			await rowSays(new RegExp(`^${titles[0]}, changed, ticket 1,`));
			await chordOnPage('m');
			await rowSays(new RegExp(`^${titles[0]}, ticket 1,`));
		});

		test('the resolved one is reopened', async () => {
			const { page } = workbench();
			await chordOnPage('g');
			await type('~alice/house#4', /#4/);
			await webview(page).getByRole('heading', { name: titles[3] }).waitFor();
			await chordOnPage('o');
			// The row stayed where it was when the ticket was resolved.
			await rowSays(new RegExp(`^${titles[3]}.*ticket 4,.* Reported, `));
			assert.equal((await ticket(4)).at('status'), 'reported');
		});

		test('what a row says is what its picture and its colours say', async () => {
			const { page } = workbench();
			const label = await treeItem(page, new RegExp(`^${titles[3]}.*ticket 4,`)).getAttribute('aria-label');
			assert.match(label ?? '', /, Reported, updated /);
		});

		test('the filter is taken off', async () => {
			await goDownTo(/^Tracker house/);
			await run('Forge: Clear Ticket Filter');
			await rowSays(/^Tracker house of ~alice, 4\+? open/);
			await workbench().screenshot('end');
		});

		test('no pointer was touched', () => {
			assert.deepEqual(pointers, []);
		});
	});
}
