import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame, Locator } from 'playwright-core';
import { chainedSuite } from '../support/chain.ts';
import { inRest } from '../support/parts.ts';
import { badNodes } from '../support/badNodes.ts';
import { counts } from '../support/counts.ts';
import { hostileSpread, inGroups } from '../support/hostileTexts.ts';
import { plantHostileWorld, type HostileWorld } from './support/hostileWorld.ts';
import { type Dialect, type SampleForge } from '../support/sampleForge.ts';
import { watchWorkbench, type WorkbenchWatch } from './support/watchWorkbench.ts';
import { testInProve } from '../support/testInProve.ts';
import { pressInBox } from './support/boxKeys.ts';
import { knowing } from './support/sampleWindow.ts';
import {
	chooseFromMenu,
	editorTab,
	expand,
	gitIsThere,
	notification,
	openFile,
	openOnly,
	openPalette,
	pick,
	quickInput,
	runCommand,
	viewSection,
	webview,
} from './support/user.ts';
import { borrowForge, dialectsOf, giveBackForge } from './support/sharedForge.ts';
import { useWorkbench } from './support/workbench.ts';

/** Elements that appear in a hover only if a text became markup; titles are strong. */
const markup = 'a, img, code, pre, em, del, strong strong, h1, h2, h3, table, ul, ol, blockquote, hr, .codicon';

/**
 * After decoding, a text is the same in each dialect. So the second dialect gets one text per family, or per every
 * other one: enough to prove that no text reaches a view on another path.
 */
function textsOf(dialect: Dialect): readonly string[] {
	const every = counts({ small: 2, full: 1 });
	return dialect === 'field'
		? hostileSpread(counts({ small: 10, full: 420 }))
		: hostileSpread(1).filter((_, at) => at % every === 0);
}

/** The real editor with a server that puts hostile texts into every field. */
for (const dialect of dialectsOf('field')) {
	chainedSuite(`${dialect}: hostile texts in the workbench`, function () {
		inRest(this);
		this.timeout(1_200_000);
		let forge: SampleForge;
		let world: HostileWorld;
		let watch: WorkbenchWatch;
		const texts = textsOf(dialect);

		suiteSetup(async () => {
			forge = await borrowForge(dialect);
			world = await plantHostileWorld(forge, texts);
		});
		const workbench = useWorkbench(() => ({
			name: `safety-${dialect}`,
			env: knowing(forge, 'alice'),
			viewport: { width: 1280, height: 1400 },
			settings: { 'workbench.hover.delay': 0, 'workbench.tree.enableStickyScroll': false },
		}));
		suiteSetup(async () => {
			watch = await watchWorkbench(workbench().page);
		});
		suiteTeardown(() => giveBackForge(forge));

		async function assertClean(about: string): Promise<void> {
			assert.deepEqual(await watch.holes(), [], about);
			assert.deepEqual(watch.ran, [], about);
			assert.deepEqual(watch.foreign, [], about);
		}

		function hover(): Locator {
			return workbench().page.locator('.monaco-hover:visible .hover-contents').last();
		}

		/** By key, because a page that had the focus takes it back after a click. */
		async function focusTickets(): Promise<void> {
			const { page } = workbench();
			const title = 'Forge: Focus on Tickets View';
			await openPalette(page);
			await quickInput(page).locator('input:focus').first().waitFor();
			await page.keyboard.type(title);
			await quickInput(page).locator('.monaco-list-row.focused').filter({ hasText: title }).waitFor();
			await pressInBox(quickInput(page), 'Enter');
			await viewSection(page, 'Tickets').locator('.monaco-list:focus').waitFor();
		}

		/**
		 * Names of all rows, collected from the top of the tickets view downwards; calls `look` on every screenful.
		 */
		async function walk(look: () => Promise<void>): Promise<ReadonlySet<string>> {
			const { page } = workbench();
			await focusTickets();
			await page.keyboard.press('Home');
			const list = viewSection(page, 'Tickets').locator('.monaco-list');
			const seen = new Set<string>();
			// At the end the focus stays where it is; between two screenfuls no row has it for a moment.
			for (let last: string | null = null; ;) {
				await list.locator('.monaco-list-row.focused').waitFor();
				const focused = await list.getAttribute('aria-activedescendant');
				const labels = await list.getByRole('treeitem').evaluateAll((rows) => rows.map((row) => row.ariaLabel ?? ''));
				labels.forEach((label) => seen.add(label));
				await look();
				if (focused === last) {
					return seen;
				}
				last = focused;
				await page.keyboard.press('PageDown');
			}
		}

		/** True for a row that is fully visible in its list. */
		async function isInView(row: Locator): Promise<boolean> {
			const [box, list] = [await row.boundingBox(), await viewSection(workbench().page, 'Tickets').boundingBox()];
			return box !== null && list !== null && box.y > list.y + 20 && box.y + box.height < list.y + list.height;
		}

		/** Focuses the row of the tracker with the hostile tickets. */
		async function focusTracker(): Promise<void> {
			const { page } = workbench();
			await focusTickets();
			await page.keyboard.press('Home');
			const tracker = viewSection(page, 'Tickets').getByRole('treeitem', { name: /^Tracker website/ });
			while ((await tracker.getAttribute('class'))?.includes('focused') !== true) {
				await page.keyboard.press('ArrowDown');
			}
		}

		/**
		 * Moves down to a ticket of the tracker by its index. A closing page may take the keyboard, and a key with
		 * it, so a check follows each press.
		 */
		async function focusTicket(at: number): Promise<void> {
			const { page } = workbench();
			const list = viewSection(page, 'Tickets').locator('.monaco-list');
			const row = list.locator(`.monaco-list-row.focused[aria-level="2"][aria-posinset="${at + 1}"]`);
			while (!(await row.isVisible())) {
				if (!(await list.and(page.locator(':focus')).isVisible())) {
					await focusTickets();
				}
				await page.keyboard.press('ArrowDown');
			}
		}

		/** The frame of the active ticket page. */
		async function ticketFrame(): Promise<Frame> {
			const inner = workbench().page.locator('iframe.webview.ready:visible').contentFrame().locator('#active-frame');
			const frame = await (await inner.elementHandle())?.contentFrame();
			assert.ok(frame);
			return frame;
		}

		test('rows of trackers and tickets show texts as texts', async () => {
			const { page } = workbench();
			// After a reload, the window shows the container's tab before it has the commands.
			await gitIsThere(page);
			await openOnly(page, 'Tickets');
			await expand(page, /^Tracker website/);
			await page
				.getByRole('treeitem', { name: / #\d+, / })
				.first()
				.waitFor();
			const seen = await walk(() => assertClean('rows'));
			const numbers = new Set([...seen].flatMap((label) => / #(\d+), /.exec(label)?.[1] ?? []));
			assert.equal(numbers.size, texts.length, 'every text has been a row');
			await workbench().screenshot('rows');
		});

		testInProve('their hovers are text', async () => {
			const { page } = workbench();
			const hovered = new Set<string>();
			// The pointer still rests on the row clicked last, and its hover covers others.
			await page.mouse.click(1200, 900);
			await hover().waitFor({ state: 'hidden' });
			await walk(async () => {
				for (const row of await viewSection(page, 'Tickets').getByRole('treeitem').all()) {
					const label = (await row.getAttribute('aria-label')) ?? '';
					if (hovered.has(label) || !(await isInView(row))) {
						continue;
					}
					hovered.add(label);
					await row.hover({ position: { x: 60, y: 10 } });
					await hover()
						.filter({ hasNotText: /^Loading/ })
						.waitFor();
					await assertClean(label);
					assert.deepEqual(await hover().locator(markup).allInnerTexts(), [], label);
					if (hovered.size % 25 === 10) {
						await workbench().screenshot(`hover ${hovered.size}`);
					}
					// Out over the empty part of the left bar, because a pointer that crosses a hover keeps it; an
					// unused key closes it.
					await page.mouse.move(20, 900, { steps: 3 });
					await page.keyboard.press('Insert');
					await hover().waitFor({ state: 'hidden' });
				}
			});
			assert.ok(hovered.size > texts.length, String(hovered.size));
		});

		test('a ticket with a hostile title opens in a tab of that name, and its page is safe in the real editor', async () => {
			const { page } = workbench();
			const step = Math.ceil(texts.length / counts({ small: 3, full: 12 }));
			await focusTracker();
			for (let at = 0; at < texts.length; at += step) {
				await focusTicket(at);
				const number = texts.length - at;
				await page.keyboard.press('Enter');
				await editorTab(page, new RegExp(`^#${number}\\b`)).waitFor();
				const frame = await ticketFrame();
				// All seven events of the ticket.
				await frame.locator('.entry').nth(6).waitFor();
				assert.deepEqual(await frame.evaluate(badNodes), [], world.texts[number - 1]);
				await assertClean(`page of ticket ${number}`);
				if (at + step < texts.length) {
					// A page may take the focus back, and with it the next keys; the last page stays for the next
					// test.
					await runCommand(page, 'View: Close All Editors');
					await editorTab(page, /^#\d+\b/).waitFor({ state: 'detached' });
				}
				await focusTickets();
			}
			await workbench().screenshot('page');
		});

		testInProve('the reason of a rejected write is text on the page and in a notice', async () => {
			const { page } = workbench();
			const answered = await forge.call('todo', 'GET', '/api/trackers/website/tickets/1');
			assert.equal(answered.status, 200);
			for (const [at, group] of inGroups(texts, 15).entries()) {
				const body = JSON.stringify({ errors: group.map((reason) => ({ field: reason, reason })) });
				const headers = { 'Content-Type': 'application/json' };
				await forge.fault({ area: 'todo', method: 'PUT' }, { kind: 'status', status: 400, headers, body });
				if (at === 0) {
					await runCommand(page, 'Forge: Resolve Ticket…');
					await pick(page, /fixed/);
					const said = webview(page).locator('.page-failure').filter({ hasText: 'The forge rejected this' });
					await said.waitFor();
					await assertClean(group[0] ?? '');
					assert.equal(await said.locator('*').count(), 0);
					await workbench().screenshot('said on the page');
					await runCommand(page, 'View: Close All Editors');
					continue;
				}
				// Without a page that could show it.
				await focusTracker();
				await focusTicket(0);
				await page.keyboard.press('Alt+j');
				await page.keyboard.press('r');
				await pick(page, /fixed/);
				const notice = notification(page, 'The forge rejected this');
				// With the pointer on it, the notice doesn't close automatically.
				await notice.hover();
				await assertClean(group[0] ?? '');
				assert.deepEqual(
					await notice.locator('.notification-list-item-message').locator('a, img, b, code, .codicon').allInnerTexts(),
					[],
				);
				await workbench().screenshot('notice');
				// Its buttons appear while the pointer is on it, and it may grow or move away from the pointer.
				await runCommand(page, 'Notifications: Clear All Notifications');
				await notice.waitFor({ state: 'detached' });
			}
		});

		/** Checks all rows of an open pick when it shows `awaited`, and closes it. */
		async function assertPickIsText(about: string, awaited: Locator): Promise<void> {
			const { page } = workbench();
			await quickInput(page).locator('input:focus').first().waitFor();
			await awaited.waitFor();
			for (let screen = 0; screen < 8; screen++) {
				await assertClean(about);
				assert.deepEqual(
					await quickInput(page).locator('a[href], .quick-input-message .codicon').allInnerTexts(),
					[],
					about,
				);
				await page.keyboard.press('PageDown');
			}
			await workbench().screenshot(about);
			await page.keyboard.press('Escape');
			await quickInput(page).waitFor({ state: 'hidden' });
		}

		testInProve('picks of labels, tickets and filters show texts as texts', async () => {
			const { page } = workbench();
			const first = quickInput(page).locator('.monaco-list-row').first();
			const matching = (typed: string): Locator =>
				first.filter({ has: page.locator('.highlight', { hasText: typed }) });
			await runCommand(page, 'Forge: Change Ticket Labels…');
			await assertPickIsText('labels of a ticket', first);
			for (const [typed, awaited] of [
				['~alice/website#3', first.filter({ hasText: /^#3\D/ })],
				['3', first.filter({ hasText: /^#3\D/ })],
				['x', matching('x')],
				['alert', matching('alert')],
				['evil', matching('evil')],
			] as const) {
				await runCommand(page, 'Forge: Go to…');
				await quickInput(page).locator('input:focus').first().waitFor();
				await page.keyboard.type(typed);
				await assertPickIsText(`go to ${typed}`, awaited);
			}
			for (const typed of ['label:', 'submitter:', 'assigned:', 'alert']) {
				// Tickets are filtered immediately while their view has the focus.
				await focusTickets();
				await runCommand(page, 'Forge: Filter…');
				await quickInput(page).locator('input:focus').first().waitFor();
				await page.keyboard.type(typed);
				// The first row's name is the text.
				await assertPickIsText(`filter ${typed}`, first.filter({ hasText: typed }));
			}
		});

		testInProve('the message below a box is text, even for another user’s saved filter', async () => {
			const { page } = workbench();
			// An invisible word joiner breaks each link.
			for (const [value, said] of [
				['[x](command:workbench.action.quit)', '[x]\u2060(command:workbench.action.quit)'],
				['$(zap)', '$\u2060(zap)'],
				['[x](https://evil.test/)', '[x]\u2060(https://evil.test/)'],
			] as const) {
				await focusTickets();
				await runCommand(page, 'Forge: Filter…');
				await quickInput(page).locator('input:focus').first().waitFor();
				await page.keyboard.type(`status:${value}`);
				await quickInput(page).getByText(`"${said}" is not a value of "status:".`).first().waitFor();
				assert.deepEqual(await quickInput(page).locator('a[href]').allInnerTexts(), []);
				await assertClean(value);
				await workbench().screenshot('under a box');
				await page.keyboard.press('Escape');
				await quickInput(page).waitFor({ state: 'hidden' });
			}
		});

		testInProve('group names are text', async () => {
			const { page } = workbench();
			for (const [by, group] of [
				['Label', /^(?:Label|No label)\b/],
				['Assignee', /^(?:Assigned to|No assignee)\b/],
				['Status', /^Status\b/],
			] as const) {
				await focusTracker();
				await chooseFromMenu(page, /^Tracker website/, 'Group Tickets…');
				await pick(page, by);
				await page.getByRole('treeitem', { name: group }).first().waitFor();
				await walk(() => assertClean(`groups by ${by}`));
				await workbench().screenshot(`groups by ${by}`);
			}
			await focusTracker();
			await chooseFromMenu(page, /^Tracker website/, 'Group Tickets…');
			await pick(page, 'Nothing');
		});

		testInProve('the card of a reference in a file is text, and its only command opens the ticket', async () => {
			const { page, folder } = workbench();
			const numbers = texts.map((_, at) => at + 1).filter((at) => at % Math.ceil(texts.length / 20) === 0);
			writeFileSync(join(folder, 'notes.md'), numbers.map((number) => `- ~alice/website#${number}\n`).join(''));
			await openFile(page, 'notes.md');
			const commands = new Set<string>();
			const card = page.locator('.monaco-editor .monaco-hover:visible');
			for (const number of numbers) {
				await page
					.locator('.editor-instance .detected-link')
					.getByText(`~alice/website#${number}`, { exact: true })
					.click();
				// By key: a card that needs the pointer doesn't appear if the editor moved below it meanwhile.
				await page.keyboard.press('ControlOrMeta+K');
				await page.keyboard.press('ControlOrMeta+I');
				await card.getByText('Submitted by').waitFor();
				await assertClean(`card of ${number}`);
				const links = await card
					.locator('a')
					.evaluateAll((found) =>
						found.map((link) => link.getAttribute('data-href') ?? link.getAttribute('href') ?? ''),
					);
				links.forEach((link) => commands.add(decodeURIComponent(link).replaceAll(String(number), '0')));
				assert.deepEqual(await card.locator('img, code').allInnerTexts(), []);
				await page.keyboard.press('Escape');
				await card.first().waitFor({ state: 'hidden' });
			}
			assert.ok(commands.size > 0);
			// The editor itself makes this link; it names a ticket and contains no text of other people.
			assert.deepEqual(
				[...commands].filter(
					(command) =>
						command !== '' && !/^command:forge\.tickets\.open\?\[\{"kind":"ticket",[\w":,~{}\-./]*\}\]$/.test(command),
				),
				[],
			);
		});
	});
}
